/**
 * The web UI in a browser: its first load, the delay of a key while 50 generators run 200,000 events per second, and
 * frames per second while the list of a thousand running generators scrolls.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { freePort, sleep, startDaemon, writeInstance } from '../lib/daemon.mjs';
import { quantile } from '../lib/statistics.mjs';

const CHROMIUM = '/usr/bin/chromium';
const SCRIPT_KB = 250;
const KEY_MS = 100;
const FRAMES = 60;
/** A display of 60 Hz shows a frame less in a second that does not begin with one. */
const ENOUGH_FRAMES = 59;
const BUSY = { generators: 50, each: 4_000 };
const MANY = 1_000;
const KEYS = 60;
const KEY_INTERVAL_MS = 80;
const SCROLL_MS = 5_000;
const WHEEL_PX = 120;
const SETTLE_MS = 3_000;
const SAMPLE_MS = 5_000;
/** Events per second that a page asks for. */
const SAMPLE = 100;

const config = (count) => `input: [cron: {expression: '* * * * * *', count: ${count}}]
event: {replay: {path: lines.txt, repeat: true}}
output: [file: {path: /dev/null}]
`;

/** A daemon with running generators that make `each` events per second. */
const startMany = async (folder, generators, each) => {
  const port = await freePort();
  const files = { 'web/generator.yml': config(each), 'web/lines.txt': 'a line of a log\n'.repeat(100) };
  const startup = Array.from({ length: generators }, (_, n) => `- {id: web-${n}, path: web/generator.yml}\n`);
  const daemon = await startDaemon(writeInstance(folder, port, files, startup.join('')), port);
  for (;;) {
    const list = await daemon.api('GET', '/generators/');
    if (list.filter(({ status }) => status.is_running).length === generators) break;
    await sleep(100);
  }
  return { daemon, url: `http://127.0.0.1:${port}/` };
};

const produced = async (daemon) =>
  (await daemon.api('GET', '/generators/group-actions/stats-running')).reduce(
    (sum, { event }) => sum + event.produced,
    0,
  );

/** Resolves once the overview shows rows. */
const openOverview = async (browser, url) => {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  const begin = performance.now();
  await page.goto(url);
  await page
    .getByRole('row', { name: /\bweb-\d/ })
    .first()
    .waitFor();
  return { page, took_ms: performance.now() - begin };
};

/** Compressed bytes of the scripts that the page has loaded. */
const scriptBytes = (page) =>
  page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter(({ name }) => new URL(name).pathname.endsWith('.js'))
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
  );

/** Delays from the time of each key to the frame that shows it, in milliseconds. */
const typeKeys = async (page) => {
  await page.evaluate(() => {
    const { port1, port2 } = new MessageChannel();
    const waiting = [];
    globalThis.delays = [];
    // A message posted in an animation frame is handled after the frame is painted.
    port1.onmessage = () => {
      for (const at of waiting.splice(0)) globalThis.delays.push(performance.now() - at);
    };
    addEventListener(
      'keydown',
      (event) =>
        requestAnimationFrame(() => {
          waiting.push(event.timeStamp);
          port2.postMessage(null);
        }),
      true,
    );
  });
  const field = page.getByRole('textbox', { name: /filter/i }).first();
  await field.focus();
  for (let key = 0; key < KEYS; key++) {
    await page.keyboard.press(key % 6 < 3 ? 'web'[key % 3] : 'Backspace');
    await sleep(KEY_INTERVAL_MS);
  }
  return page.evaluate(() => globalThis.delays);
};

/** Turns the wheel over the list and returns the times between frames, in milliseconds. */
const scroll = async (page) => {
  await page
    .getByRole('row', { name: /\bweb-\d/ })
    .first()
    .hover();
  await page.evaluate(() => {
    globalThis.frames = [];
    let last = performance.now();
    const frame = (now) => {
      globalThis.frames.push(now - last);
      last = now;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
  const end = performance.now() + SCROLL_MS;
  while (performance.now() < end) {
    await page.mouse.wheel(0, WHEEL_PX);
    await sleep(16);
  }
  return page.evaluate(() => globalThis.frames);
};

/** Events per second that the page of a busy generator receives. */
const sampledRate = async (browser, url) => {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  const network = await page.context().newCDPSession(page);
  await network.send('Network.enable');
  let received = 0;
  network.on('Network.eventSourceMessageReceived', ({ eventName }) => {
    if (eventName === 'event') received += 1;
  });
  await page.goto(`${url}r/web-0`);
  await page.getByRole('heading', { level: 1, name: 'web-0' }).waitFor();
  await sleep(SETTLE_MS);
  const before = received;
  await sleep(SAMPLE_MS);
  const rate = (received - before) / (SAMPLE_MS / 1_000);
  await page.close();
  return rate;
};

const figure = (name, value, unit, bar, isMet) => ({ figure: name, value, unit, bar, isMet });

const busyRows = async (browser, folder) => {
  const { daemon, url } = await startMany(folder, BUSY.generators, BUSY.each);
  try {
    const { page, took_ms } = await openOverview(browser, url);
    const kb = (await scriptBytes(page)) / 1_000;
    await sleep(SETTLE_MS);
    const [before, begin] = [await produced(daemon), performance.now()];
    const delays = (await typeKeys(page)).toSorted((a, b) => a - b);
    const rate = ((await produced(daemon)) - before) / ((performance.now() - begin) / 1_000);
    await page.close();
    const sampled = await sampledRate(browser, url);
    const wanted = BUSY.generators * BUSY.each;
    const p95 = quantile(delays, 0.95);
    return {
      rows: [
        figure('script of the first page', kb, 'KB', `< ${SCRIPT_KB} KB`, kb < SCRIPT_KB),
        figure('first load to the overview', took_ms, 'ms', null, null),
        figure(
          `events/s of ${BUSY.generators} generators`,
          rate,
          '',
          `>= ${wanted * 0.95}`,
          rate >= wanted * 0.95,
        ),
        figure('key to paint, p95', p95, 'ms', `< ${KEY_MS} ms`, p95 < KEY_MS),
        figure(
          `live events/s of ${BUSY.each} in a page`,
          sampled,
          '',
          `1 to ${SAMPLE}`,
          sampled >= 1 && sampled <= SAMPLE,
        ),
      ],
      problems: delays.length === KEYS ? [] : [`${delays.length} of ${KEYS} keys were painted`],
    };
  } finally {
    await daemon.kill();
  }
};

const manyRows = async (browser, folder) => {
  const { daemon, url } = await startMany(folder, MANY, 1);
  try {
    const { page, took_ms } = await openOverview(browser, url);
    await sleep(SETTLE_MS);
    const first = page.getByRole('row', { name: /\bweb-0\b/ });
    const frames = await scroll(page);
    const problems = (await first.count()) === 0 ? [] : ['the list did not scroll'];
    await page.close();
    const perSecond = frames.length / (frames.reduce((sum, ms) => sum + ms, 0) / 1_000);
    const slow = quantile(
      frames.toSorted((a, b) => a - b),
      0.99,
    );
    return {
      rows: [
        figure(`load with ${MANY} generators`, took_ms, 'ms', null, null),
        figure('frames/s while scrolling', perSecond, '', `>= ${FRAMES}`, perSecond >= ENOUGH_FRAMES),
        figure('frame while scrolling, p99', slow, 'ms', null, null),
      ],
      problems,
    };
  } finally {
    await daemon.kill();
  }
};

export const limits =
  'Software rendering: a browser without a display shares the processor with the generators.';

export const skip = () =>
  existsSync(CHROMIUM) ? null : `${CHROMIUM} is missing; the package chromium brings it`;

export const run = async ({ folder }) => {
  // Root has no sandbox.
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  try {
    const made = [
      await busyRows(browser, join(folder, 'busy')),
      await manyRows(browser, join(folder, 'many')),
    ];
    return { rows: made.flatMap(({ rows }) => rows), problems: made.flatMap(({ problems }) => problems) };
  } finally {
    await browser.close();
  }
};
