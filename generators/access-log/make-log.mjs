/**
 * Writes access.log: 10,000 lines of an Apache combined log over two days, always the same.
 *
 *     node make-log.mjs > access.log
 *
 * Visitors follow a daily pattern (few at night, a dip at noon) and load several pages with their assets.
 * Some requests fail; robots load no assets. Addresses come from the ranges of RFC 5737 and RFC 1918; names
 * and agents are invented.
 */
import { pathToFileURL } from 'node:url';

const LINES = 10_000;
const START = Date.UTC(2026, 0, 12);

/** mulberry32: a small random generator with the same results everywhere. */
const makeRandom = (seed) => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};

/** Relative number of visitors per hour of the day. */
const BY_HOUR = [8, 5, 4, 3, 4, 7, 15, 30, 55, 80, 92, 88, 45, 75, 90, 95, 88, 80, 85, 95, 100, 80, 45, 20];

const PAGES = [
  { path: '/', bytes: 14_200, next: [1, 2, 3] },
  { path: '/products', bytes: 22_800, next: [4, 5, 6, 0] },
  { path: '/blog', bytes: 18_100, next: [7, 0] },
  { path: '/search?q=lamp', bytes: 9_600, next: [4, 5, 1] },
  { path: '/products/17-desk-lamp', bytes: 12_900, next: [8, 1, 5] },
  { path: '/products/23-bookshelf', bytes: 13_400, next: [8, 1, 4] },
  { path: '/products/42-armchair', bytes: 13_800, next: [8, 1] },
  { path: '/blog/how-to-choose-a-lamp', bytes: 16_700, next: [4, 2] },
  { path: '/cart', bytes: 7_300, next: [9, 1] },
  { path: '/checkout', bytes: 8_800, next: [0] },
];
const ASSETS = [
  ['/assets/site.css', 8_412],
  ['/assets/app.js', 51_230],
  ['/img/logo.svg', 2_904],
  ['/img/hero.jpg', 184_220],
];
const AGENTS = [
  'Mozilla/5.0 (X11; Linux x86_64) Lanternfish/14.2',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Lanternfish/14.1',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Periwinkle/88.0',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 14_5) Periwinkle/88.3',
  'Mozilla/5.0 (Phone; Mobile) Periwinkle/87.9',
];
const ROBOTS = ['ExampleBot/2.1 (+http://bot.example/about)', 'LinkCheck/0.9 (http://check.example)'];
const SITE = 'https://shop.example';

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
const two = (n) => String(n).padStart(2, '0');

/** `12/Jan/2026:09:05:00 +0000` */
export const stamp = (ms) => {
  const at = new Date(ms);
  const time = [at.getUTCHours(), at.getUTCMinutes(), at.getUTCSeconds()].map(two).join(':');
  return `${two(at.getUTCDate())}/${MONTHS[at.getUTCMonth()]}/${at.getUTCFullYear()}:${time} +0000`;
};

/** The lines of the log, ordered by time. */
export const makeLog = () => {
  const random = makeRandom(20_260_112);
  const below = (n) => Math.floor(random() * n);
  const pick = (list) => list[below(list.length)];
  const requests = [];
  let order = 0;

  /** Adds a line and returns its status. */
  const request = (at, visitor, path, bytes, referrer) => {
    const chance = random();
    const isMissing = chance < 0.02;
    const isBroken = chance > 0.995;
    const isCached = !isMissing && !isBroken && path.startsWith('/assets') && random() < 0.4;
    const status = isMissing ? 404 : isBroken ? 500 : isCached ? 304 : path === '/checkout' ? 302 : 200;
    const size = status === 200 ? bytes + below(400) : status === 304 || status === 302 ? 0 : 512;
    const method = path === '/checkout' ? 'POST' : 'GET';
    const line = `${visitor.address} - - [${stamp(at)}] "${method} ${path} HTTP/1.1" ${status} ${size} "${referrer}" "${visitor.agent}"`;
    requests.push({ at: Math.floor(at / 1000), order: order++, line });
    return status;
  };

  /** One visit: pages with think times; browsers also load the assets of each page. */
  const visit = (start) => {
    const isRobot = random() < 0.08;
    const address =
      random() < 0.7
        ? `${pick(['192.0.2', '198.51.100', '203.0.113'])}.${1 + below(254)}`
        : `10.${below(4)}.${below(256)}.${1 + below(254)}`;
    const visitor = { address, agent: pick(isRobot ? ROBOTS : AGENTS) };
    let page = isRobot ? below(8) : pick([0, 0, 0, 1, 4, 7]);
    let referrer = isRobot || random() < 0.5 ? '-' : 'https://www.search.example/';
    let at = start;
    for (let left = 1 + below(isRobot ? 12 : 7); left > 0; left--) {
      const { path, bytes, next } = PAGES[page];
      const status = request(at, visitor, path, bytes, referrer);
      if (!isRobot && status === 200) {
        for (const [asset, size] of ASSETS)
          if (random() < 0.45) request(at + 200 + below(1_500), visitor, asset, size, SITE + path);
      }
      referrer = isRobot ? '-' : SITE + path;
      page = pick(next);
      at += isRobot ? 1_000 + below(2_000) : 3_000 + below(45_000);
    }
  };

  // Golden ratio steps spread the visits evenly over the curve of both days.
  const hours = [...BY_HOUR, ...BY_HOUR];
  const total = hours.reduce((sum, weight) => sum + weight, 0);
  for (let visits = 1; requests.length < LINES; visits++) {
    let point = ((visits * 0.618_033_988_75) % 1) * total;
    const hour = hours.findIndex((weight) => {
      point -= weight;
      return point < 0;
    });
    visit(START + hour * 3_600_000 + below(3_600_000));
  }
  // Cut before sorting: this shortens the last visit, not the last day.
  requests.length = LINES;
  requests.sort((a, b) => a.at - b.at || a.order - b.order);
  return `${requests.map(({ line }) => line).join('\n')}\n`;
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) process.stdout.write(makeLog());
