/**
 * The web UI in a browser: the first page, a thousand generators, fifty of 200,000 events/s, and a page that watches
 * 50,000 events/s for `--seconds`: five minutes when the case is named, else one.
 */
import { join } from 'node:path';
import {
  clickToPaint,
  durationsText,
  filmed,
  lackOfBrowser,
  loadedKb,
  longTasksOf,
  openBrowser,
  pageMemory,
  pressKeys,
} from '../lib/browser.mjs';
import { cpuSecondsOf, freePort, sleep, startDaemon, writeInstance } from '../lib/daemon.mjs';
import { growsOn, quantile, slopeOf } from '../lib/statistics.mjs';

export const limits =
  'Software rendering: a browser without a display shares the processor with the generators.';

export const skip = lackOfBrowser;

const FIRST_PAGE_KB = 260;
const KEY_MS = 100;
const FRAME_MS = 20;
const SETTLE_MS = 3_000;
/** A busy machine is late, and its generators never well. */
const WELL_MS = 30_000;

const figure = (name, value, unit = '', bar = null, isMet = null) => ({
  figure: name,
  value,
  unit,
  bar,
  isMet,
});
const sorted = (values) => values.toSorted((a, b) => a - b);
const sumOf = (values) => values.reduce((sum, value) => sum + value, 0);

/** Delays from keys to their frames, and a problem if some keys had none. */
const keyRows = (name, { painted }, pressed, problems) => {
  if (painted.length < pressed) problems.push(`${name}: ${painted.length} of ${pressed} keys were painted`);
  const p99 = quantile(sorted(painted), 0.99);
  return figure(`key to frame, ${name}`, durationsText(painted), 'ms', `p99 < ${KEY_MS} ms`, p99 < KEY_MS);
};

/** A service whose generators all run, and are well: until then their states change all the time. */
const startService = async (folder, files, startup, count) => {
  const port = await freePort();
  const daemon = await startDaemon(writeInstance(folder, port, files, startup), port);
  const listed = async (isReady) => {
    const list = await daemon.api('GET', '/generators/');
    return list.filter(({ status }) => isReady(status)).length === count;
  };
  while (!(await listed(({ is_running }) => is_running))) await sleep(100);
  const end = performance.now() + WELL_MS;
  while (!(await listed(({ health }) => health === 'ok')) && performance.now() < end) await sleep(500);
  return { daemon, url: `http://127.0.0.1:${port}/` };
};

/** A service with as many generators of lines, each with an input. */
const startLines = (folder, count, input) => {
  const config = `input: [${input}]
event: {replay: {path: lines.txt, repeat: true}}
output: [file: {path: /dev/null}]
`;
  const files = { 'web/generator.yml': config, 'web/lines.txt': 'a line of a log\n'.repeat(100) };
  const startup = Array.from({ length: count }, (_, n) => `- {id: web-${n}, path: web/generator.yml}\n`);
  return startService(folder, files, startup.join(''), count);
};

const producedOf = async ({ api }) =>
  sumOf((await api('GET', '/generators/group-actions/stats-running')).map(({ event }) => event.produced));

/** Events per second and cores of a service while something is done. */
const during = async (daemon, work) => {
  const look = async () => [await producedOf(daemon), cpuSecondsOf(daemon.pid), performance.now() / 1_000];
  const before = await look();
  const result = await work();
  const [events, cpu_s, seconds] = (await look()).map((value, index) => value - before[index]);
  return { result, rate: events / seconds, cores: cpu_s / seconds };
};

const tableRows = (page) => page.getByRole('row', { name: /\bweb-\d/ });

/** The overview once it has rows, and the milliseconds until then. */
const openOverview = async (browser, url) => {
  const begin = performance.now();
  const page = await browser.open(url);
  await tableRows(page).first().waitFor();
  return { page, took_ms: performance.now() - begin };
};

/** Bytes per second of the stream of states and counters that the browser has open. */
const streamRate = async (url, ms) => {
  const leave = new AbortController();
  const { body } = await fetch(`${url}api/events?past=60`, { signal: leave.signal });
  let [bytes, first, last] = [0, null, null];
  const end = performance.now() + ms;
  for await (const chunk of body) {
    last = performance.now();
    // The first second tells all states.
    first ??= last;
    if (last - first > 1_000) bytes += chunk.length;
    if (last > end) break;
  }
  leave.abort();
  return (bytes / (last - first - 1_000)) * 1_000;
};

const FEW = 5;

const firstPage = async (browser, folder, problems) => {
  const { daemon, url } = await startLines(folder, FEW, 'rate: {events_per_second: 100}');
  try {
    const { page, took_ms } = await openOverview(browser, url);
    if ((await tableRows(page).count()) !== FEW) problems.push('the overview does not show all rows');
    await page.waitForLoadState('networkidle', { timeout: SETTLE_MS }).catch(() => undefined);
    const { js, css, woff2 } = await loadedKb(page);
    await page.context().close();
    return [
      figure('first page, scripts', js, 'KB', `< ${FIRST_PAGE_KB} KB`, js < FIRST_PAGE_KB),
      figure('first page, styles', css, 'KB'),
      figure('first page, fonts', woff2, 'KB'),
      figure('first page, until the first row', took_ms, 'ms'),
    ];
  } finally {
    await daemon.kill();
  }
};

const MANY = 1_000;
const WHEEL_PX = 400;
const STREAM_MS = 10_000;
/** Each changes which rows the table shows: it has those with the text in their id. */
const FILTER_KEYS = ['9', '7', '3', 'Backspace', 'Backspace', 'Backspace'];
const FILTER_ROUNDS = 5;

/** Turns the wheel until the last of the rows is seen; false if it is not. */
const scrollThrough = async (page) => {
  await tableRows(page).first().hover();
  const last = page.locator(`tr[aria-rowindex="${MANY + 1}"]`);
  for (let turns = 0; turns < (MANY * 60) / WHEEL_PX; turns++) {
    if ((await last.count()) > 0) return true;
    await page.mouse.wheel(0, WHEEL_PX);
    await sleep(16);
  }
  return (await last.count()) > 0;
};

const manyGenerators = async (browser, folder, problems) => {
  const { daemon, url } = await startLines(folder, MANY, 'rate: {events_per_second: 0.3}');
  try {
    const { page, took_ms } = await openOverview(browser, url);
    await page.locator(`table[aria-rowcount="${MANY + 1}"]`).waitFor();
    await sleep(SETTLE_MS);
    const loading_ms = sumOf(await longTasksOf(page));
    let isAtEnd = false;
    const frames = await filmed(page, async () => {
      isAtEnd = await scrollThrough(page);
    });
    if (!isAtEnd) problems.push('the last of the rows is not seen after scrolling');
    const scrolling_ms = sumOf(await longTasksOf(page)) - loading_ms;
    await page.getByRole('textbox', { name: /^Filter by id/ }).focus();
    const keys = Array.from({ length: FILTER_ROUNDS }, () => FILTER_KEYS).flat();
    const typed = await pressKeys(page, keys);
    if (typed.rows.length < keys.length)
      problems.push(`${typed.rows.length} of ${keys.length} keys in the filter changed the rows`);
    const chosen = page.getByText(`${MANY.toLocaleString('en-US')} generators chosen`);
    const choose = page.getByRole('checkbox', { name: 'Choose all shown generators' });
    const select_ms = await clickToPaint(page, choose, chosen);
    await sleep(SETTLE_MS);
    const idle = await during(daemon, () => sleep(STREAM_MS));
    const tasks = await longTasksOf(page);
    await page.context().close();
    const stream = await streamRate(url, STREAM_MS);
    const p95 = quantile(sorted(frames), 0.95);
    const filter_ms = quantile(sorted(typed.rows), 0.99);
    return [
      figure(`${MANY} generators, until the first row`, took_ms, 'ms'),
      figure(
        'frames while all rows are scrolled',
        durationsText(frames),
        'ms',
        `p95 < ${FRAME_MS} ms`,
        p95 < FRAME_MS,
      ),
      keyRows('filter of the rows', typed, keys.length, problems),
      figure('key to other rows', durationsText(typed.rows), 'ms', `p99 < ${KEY_MS} ms`, filter_ms < KEY_MS),
      figure('choose all rows', select_ms, 'ms', `< ${KEY_MS} ms`, select_ms < KEY_MS),
      figure(
        'tasks over 50 ms: load, scroll, all',
        `${[loading_ms, scrolling_ms, sumOf(tasks)].map(Math.round).join(', ')}`,
        'ms',
      ),
      figure('stream of states', stream / 1_000, 'KB/s'),
      figure('cores of the service meanwhile', idle.cores),
    ];
  } finally {
    await daemon.kill();
  }
};

const BUSY = { generators: 50, each: 4_000 };

const busyGenerators = async (browser, folder, problems) => {
  const { daemon, url } = await startLines(
    folder,
    BUSY.generators,
    `cron: {expression: '* * * * * *', count: ${BUSY.each}}`,
  );
  try {
    const { page } = await openOverview(browser, url);
    await sleep(SETTLE_MS);
    await page.getByRole('textbox', { name: /^Filter by id/ }).focus();
    const keys = Array.from({ length: 15 }, () => ['w', 'e', 'Backspace', 'Backspace']).flat();
    const { result, rate, cores } = await during(daemon, () => pressKeys(page, keys));
    await page.context().close();
    const wanted = BUSY.generators * BUSY.each * 0.95;
    return [
      figure(`events/s of ${BUSY.generators} generators`, rate, '', `>= ${wanted}`, rate >= wanted),
      figure('cores of the service meanwhile', cores),
      keyRows(`${BUSY.generators} generators`, result, keys.length, problems),
    ];
  } finally {
    await daemon.kill();
  }
};

const LIVE_RATE = 50_000;
/** Which share of the events the search finds. */
const RARE = 1_000;
const SAMPLE_MS = 20_000;
const SAMPLE_KEYS = 25;
const OTHER_MS = 20_000;
const FULL_SECONDS = 300;
const SHORT_SECONDS = 60;
/** A shorter time has no two samples to compare. */
const FEWEST_SECONDS = 45;
/** Heaps and caches reach their size within a minute, or a quarter of a shorter time. */
const WARM_UP = { seconds: 60, share: 0.25 };

const SCRIPT = `let n = 0;
export const produce = ({ globals }) => {
  n++;
  if (n % 50000 === 0) globals.set('made', n);
  const outcome = n % ${RARE} === 0 ? 'failure' : 'success';
  return '{"n":' + n + ',"user":{"name":"user' + (n % 997) + '"},"event":{"action":"login","outcome":"' + outcome + '"}}';
};
`;
const LIVE = `input: [rate: {events_per_second: ${LIVE_RATE}}]
event: {script: {path: produce.mjs}}
output: [file: {path: /dev/null}]
`;

/** The search as the page tells of it. */
const searchOf = async (page) => {
  const text = await page.getByText(/found in [\d,]+ events\./).textContent();
  const [, found, searched] = /([\d,]+) found in ([\d,]+) events/.exec(text) ?? [];
  const numberOf = (digits) => Number(digits?.replaceAll(',', ''));
  return { found: numberOf(found), searched: numberOf(searched), isAll: !text.includes('no time') };
};

/** Memory of a page, the worker and the browser with the delays of some keys. */
const sample = async (browser, page, minutes) => {
  const { painted } = await pressKeys(page, Array(SAMPLE_KEYS).fill('Tab'));
  return {
    minutes,
    painted,
    ...(await pageMemory(page)),
    worker_kb: await browser.workerKb(),
    browser_mb: await browser.residentMb(),
  };
};

/** The list shows newer events at each look, and the search counts what it should. */
const newsProblems = async (page, former) => {
  const region = page.getByRole('region', { name: 'Events, newest first' });
  const newest = JSON.parse(await region.getByRole('listitem').first().textContent()).n;
  const search = await searchOf(page);
  const problems = [];
  if (former !== null && newest <= former.newest) problems.push(`no event after number ${newest} is shown`);
  if (newest % RARE !== 0) problems.push(`event ${newest} is shown, which the search does not find`);
  if (former !== null && search.searched <= former.search.searched) problems.push('the search stands still');
  if (search.isAll && Math.abs(search.found - search.searched / RARE) > 1)
    problems.push(`the search found ${search.found} of ${search.searched} events, not every ${RARE}th`);
  return { newest, search, problems };
};

const growthRows = (samples, seconds, problems) => {
  const from = Math.min(WARM_UP.seconds, seconds * WARM_UP.share) / 60;
  const warm = samples.filter(({ minutes }) => minutes >= from);
  const growth = (key) => slopeOf(warm.map((one) => [one.minutes, one[key]]));
  const ends = (key) => [warm[0][key], warm.at(-1)[key]].map(Math.round).join(' to ');
  for (const key of ['nodes', 'listeners', 'documents'])
    if (growsOn(warm.map((one) => one[key])))
      problems.push(`${key} of the page grow on: ${warm.map((one) => one[key]).join(', ')}`);
  return [
    figure('heap of the page', ends('heap_kb'), 'KB'),
    figure('growth of the heap', growth('heap_kb'), 'KB/min'),
    figure('heap of the shared worker', ends('worker_kb'), 'KB'),
    figure('growth of the heap of the worker', growth('worker_kb'), 'KB/min'),
    figure('DOM nodes', ends('nodes')),
    figure('listeners', ends('listeners')),
    figure('all processes of the browser', ends('browser_mb'), 'MB'),
  ];
};

/** A page that a generator and its search keep busy. */
const watchGenerator = async (browser, { daemon, url }, seconds, problems) => {
  const page = await browser.open(`${url}r/live?find=outcome:failure&sample=20`);
  await page.getByText(/^[1-9][\d,]* found in /).waitFor();
  await page.getByRole('img', { name: /^Events per second of live/ }).waitFor();
  await sleep(SETTLE_MS);
  const samples = [];
  let news = null;
  const begin = performance.now();
  const watched = await during(daemon, async () => {
    for (let next = begin; next <= begin + seconds * 1_000; next += SAMPLE_MS) {
      await sleep(Math.max(0, next - performance.now()));
      samples.push(await sample(browser, page, (performance.now() - begin) / 60_000));
      news = await newsProblems(page, news);
      problems.push(...news.problems);
    }
  });
  const tasks = await longTasksOf(page);
  await page.context().close();
  const painted = samples.flatMap((one) => one.painted);
  const wanted = LIVE_RATE * 0.98;
  return [
    figure(
      `events/s while a page watches for ${seconds} s`,
      watched.rate,
      '',
      `>= ${wanted}`,
      watched.rate >= wanted,
    ),
    figure('cores of the service meanwhile', watched.cores),
    ...growthRows(samples, seconds, problems),
    keyRows('page of the generator', { painted }, samples.length * SAMPLE_KEYS, problems),
    figure('tasks over 50 ms', `${tasks.length}, ${Math.round(sumOf(tasks))} ms`),
  ];
};

/** Another page of the same service for a short time. */
const watchOther = async (browser, { url }, name, path, problems) => {
  const page = await browser.open(`${url}${path}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await sleep(SETTLE_MS);
  const first = await sample(browser, page, 0);
  await sleep(OTHER_MS);
  const last = await sample(browser, page, OTHER_MS / 60_000);
  await page.context().close();
  const ends = ['heap_kb', 'nodes'].map((key) => `${Math.round(first[key])} to ${Math.round(last[key])}`);
  const painted = [...first.painted, ...last.painted];
  return [
    keyRows(name, { painted }, 2 * SAMPLE_KEYS, problems),
    figure(`heap and nodes, ${name}`, ends.join(' KB, ')),
  ];
};

const livePages = async (browser, folder, seconds, problems) => {
  const files = { 'live/generator.yml': LIVE, 'live/produce.mjs': SCRIPT };
  const startup = '- {id: live, path: live/generator.yml, scenarios: [drill]}\n';
  const service = await startService(folder, files, startup, 1);
  try {
    return [
      ...(await watchGenerator(browser, service, seconds, problems)),
      ...(await watchOther(browser, service, 'overview', '', problems)),
      ...(await watchOther(browser, service, 'page of the scenario', 's/drill', problems)),
    ];
  } finally {
    await service.daemon.kill();
  }
};

export const run = async ({ folder, seconds, isNamed }) => {
  const problems = [];
  const duration = Math.max(FEWEST_SECONDS, seconds ?? (isNamed ? FULL_SECONDS : SHORT_SECONDS));
  const browser = await openBrowser(problems);
  try {
    const rows = [
      ...(await firstPage(browser, join(folder, 'first'), problems)),
      ...(await manyGenerators(browser, join(folder, 'many'), problems)),
      ...(await busyGenerators(browser, join(folder, 'busy'), problems)),
      ...(await livePages(browser, join(folder, 'live'), duration, problems)),
    ];
    return { rows, problems };
  } finally {
    await browser.close();
  }
};
