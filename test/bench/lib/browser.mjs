/** A browser that opens pages of the web UI, measures them from inside, and notes what is wrong with them. */
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { residentMbOf, sleep } from './daemon.mjs';
import { quantile } from './statistics.mjs';

/** Debian's. The first has no windows, which take a third of the time. */
const BROWSERS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const CHROMIUM = BROWSERS.find((path) => existsSync(path));

const VIEWPORT = { width: 1280, height: 800 };
const PATIENCE_MS = 60_000;
const KEY_INTERVAL_MS = 80;
/** Keys whose delay to the next frame is not known after this have none. */
const PAINT_MS = 2_000;

/** Why no browser can be measured; null when one can. */
export const lackOfBrowser = () =>
  CHROMIUM === undefined
    ? 'Chromium is missing; `apt-get install chromium-headless-shell` brings it, the package chromium will do too'
    : null;

/** Runs in each page before its scripts. */
const watchFromInside = () => {
  const bench = { keys: [], longTasks: [], frames: [], isFilming: false, rowsChanged: [] };
  globalThis.bench = bench;
  const { port1, port2 } = new MessageChannel();
  const waiting = [];
  // A message posted in an animation frame is handled after the frame is painted.
  port1.onmessage = () => {
    for (const note of waiting.splice(0)) note(performance.now());
  };
  bench.onceRequested = (note) =>
    requestAnimationFrame(() => {
      waiting.push(note);
      port2.postMessage(null);
    });
  let pressedAt = null;
  addEventListener(
    'keydown',
    ({ timeStamp }) => {
      pressedAt = timeStamp;
      bench.onceRequested((now) => bench.keys.push(now - timeStamp));
    },
    true,
  );
  new MutationObserver(() => {
    const from = pressedAt;
    pressedAt = null;
    if (from !== null) bench.onceRequested((now) => bench.rowsChanged.push(now - from));
  }).observe(document, { subtree: true, attributeFilter: ['aria-rowcount'] });
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) bench.longTasks.push(duration);
  }).observe({ type: 'longtask', buffered: true });
  bench.film = () => {
    bench.isFilming = true;
    bench.frames = [];
    let last = performance.now();
    const frame = (now) => {
      bench.frames.push(now - last);
      last = now;
      if (bench.isFilming) requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  };
};

/** Starts a browser. `problems` collects console messages, uncaught errors and requests to other hosts of its pages. */
export const openBrowser = async (problems) => {
  // Root has no sandbox.
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  const wire = await browser.newBrowserCDPSession();
  return {
    /** Opens a page in a profile of its own. */
    open: async (url) => {
      const context = await browser.newContext({ viewport: VIEWPORT });
      context.setDefaultTimeout(PATIENCE_MS);
      await context.addInitScript(watchFromInside);
      const page = await context.newPage();
      watchPage(page, new URL(url).origin, problems);
      await page.goto(url);
      return page;
    },
    /** Resident memory of all its processes, megabytes. */
    residentMb: async () => {
      const { processInfo } = await wire.send('SystemInfo.getProcessInfo');
      return processInfo.reduce((sum, { id }) => sum + residentMbOf(id), 0);
    },
    /** Runs garbage collection in the worker that the tabs share; its heap in KB, or null without one. */
    workerKb: () => workerKb(wire),
    close: () => browser.close(),
  };
};

const watchPage = (page, origin, problems) => {
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()))
      problems.push(`console ${message.type()}: ${message.text()} (${message.location().url})`);
  });
  page.on('pageerror', ({ message }) => problems.push(`uncaught: ${message}`));
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.origin !== origin && !['data:', 'blob:'].includes(url.protocol))
      problems.push(`request to another host: ${url.href}`);
  });
};

const workerKb = async (wire) => {
  const { targetInfos } = await wire.send('Target.getTargets');
  const worker = targetInfos.find(({ type }) => type === 'shared_worker');
  if (worker === undefined) return null;
  const { sessionId } = await wire.send('Target.attachToTarget', {
    targetId: worker.targetId,
    flatten: false,
  });
  const answers = new Map();
  const onAnswer = ({ message }) => {
    const { id, result } = JSON.parse(message);
    answers.get(id)?.(result);
  };
  wire.on('Target.receivedMessageFromTarget', onAnswer);
  const ask = (method) =>
    new Promise((resolve) => {
      const id = answers.size + 1;
      answers.set(id, resolve);
      void wire.send('Target.sendMessageToTarget', { sessionId, message: JSON.stringify({ id, method }) });
    });
  await ask('HeapProfiler.collectGarbage');
  const { usedSize } = await ask('Runtime.getHeapUsage');
  wire.off('Target.receivedMessageFromTarget', onAnswer);
  await wire.send('Target.detachFromTarget', { sessionId });
  return usedSize / 1_000;
};

/** `{heap_kb, nodes, listeners, documents}` of a page after garbage collection. */
export const pageMemory = async (page) => {
  const wire = await page.context().newCDPSession(page);
  await wire.send('Performance.enable');
  await wire.send('HeapProfiler.collectGarbage');
  const { metrics } = await wire.send('Performance.getMetrics');
  await wire.detach();
  const of = Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
  return {
    heap_kb: of.JSHeapUsedSize / 1_000,
    nodes: of.Nodes,
    listeners: of.JSEventListeners,
    documents: of.Documents,
  };
};

/** Compressed kilobytes that a page has loaded, by kind of file. */
export const loadedKb = (page) =>
  page.evaluate(() => {
    const kb = { js: 0, css: 0, woff2: 0 };
    for (const { name, encodedBodySize } of performance.getEntriesByType('resource')) {
      const kind = new URL(name).pathname.split('.').at(-1);
      if (kind in kb) kb[kind] += encodedBodySize / 1_000;
    }
    return kb;
  });

/** Presses keys in turn; `{painted, rows}`: milliseconds from each to its frame, and to that of other rows in a table. */
export const pressKeys = async (page, keys) => {
  await page.evaluate(() => Object.assign(globalThis.bench, { keys: [], rowsChanged: [] }));
  for (const key of keys) {
    await page.keyboard.press(key);
    await sleep(KEY_INTERVAL_MS);
  }
  const arePainted = (count) => globalThis.bench.keys.length >= count;
  await page.waitForFunction(arePainted, keys.length, { timeout: PAINT_MS }).catch(() => undefined);
  return page.evaluate(() => ({ painted: globalThis.bench.keys, rows: globalThis.bench.rowsChanged }));
};

/** Times between the frames while something is done, in milliseconds. */
export const filmed = async (page, work) => {
  await page.evaluate(() => globalThis.bench.film());
  await work();
  return page.evaluate(() => {
    globalThis.bench.isFilming = false;
    return globalThis.bench.frames;
  });
};

/** Milliseconds of the tasks over 50 ms so far. */
export const longTasksOf = (page) => page.evaluate(() => globalThis.bench.longTasks);

/** Milliseconds from a click until something is on the page and painted. */
export const clickToPaint = async (page, target, shown) => {
  await target.evaluate((element) =>
    element.addEventListener('click', ({ timeStamp }) => (globalThis.bench.clicked = timeStamp), {
      capture: true,
      once: true,
    }),
  );
  await target.click();
  await shown.waitFor();
  return page.evaluate(
    () =>
      new Promise((resolve) =>
        globalThis.bench.onceRequested((now) => resolve(now - globalThis.bench.clicked)),
      ),
  );
};

/** `median 16.7, p95 16.8, p99 33, longest 50` of durations. */
export const durationsText = (values) => {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share) => quantile(sorted, share)?.toFixed(1) ?? '?';
  return `median ${at(0.5)}, p95 ${at(0.95)}, p99 ${at(0.99)}, longest ${sorted.at(-1)?.toFixed(1) ?? '?'}`;
};
