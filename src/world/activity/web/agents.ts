import { weighted } from '../../draw.js';
import type { WebAgent } from './webVisit.js';

const agent = (
  name: string,
  version: string,
  original: string,
  os: string | null = null,
  os_version: string | null = null,
  device: string | null = null,
): WebAgent => ({ original, name, version, os, os_version, device });

const KIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const APPLE = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';

/** Versions of a browser that people have at a time, with their shares. */
const CHROME: readonly (readonly [weight: number, version: number])[] = [
  [12, 140],
  [24, 141],
  [48, 142],
  [27, 143],
];
const FIREFOX: readonly (readonly [weight: number, version: number])[] = [
  [3, 143],
  [7, 144],
  [5, 145],
];
const SAFARI: readonly (readonly [weight: number, version: string, os: string])[] = [
  [20, '18.5', '18.5'],
  [35, '18.6', '18.6'],
  [25, '26.0', '18.7'],
];

const chromes = CHROME.flatMap(([weight, number]) => {
  const version = `${number}.0.0.0`;
  const on = (system: string, mobile = ''): string =>
    `Mozilla/5.0 (${system}) ${KIT} Chrome/${version} ${mobile}Safari/537.36`;
  const windows = on('Windows NT 10.0; Win64; x64');
  return [
    [weight, agent('Chrome', version, windows, 'Windows', '10', 'Other')],
    [
      weight * 0.5,
      agent('Chrome', version, on('Macintosh; Intel Mac OS X 10_15_7'), 'Mac OS X', '10.15.7', 'Mac'),
    ],
    [weight * 0.16, agent('Chrome', version, on('X11; Linux x86_64'), 'Linux', 'x86_64', 'Other')],
    [
      weight,
      agent(
        'Chrome Mobile',
        version,
        on('Linux; Android 10; K', 'Mobile '),
        'Android',
        '10',
        'Generic Smartphone',
      ),
    ],
    [weight * 0.33, agent('Edge', version, `${windows} Edg/${version}`, 'Windows', '10', 'Other')],
  ] as const;
});

const firefoxes = FIREFOX.flatMap(([weight, number]) => {
  const version = `${number}.0`;
  const on = (system: string, gecko = '20100101'): string =>
    `Mozilla/5.0 (${system}; rv:${version}) Gecko/${gecko} Firefox/${version}`;
  return [
    [weight, agent('Firefox', version, on('Windows NT 10.0; Win64; x64'), 'Windows', '10', 'Other')],
    [weight, agent('Firefox', version, on('X11; Linux x86_64'), 'Linux', 'x86_64', 'Other')],
    [weight, agent('Firefox', version, on('Macintosh; Intel Mac OS X 10.15'), 'Mac OS X', '10.15', 'Other')],
    [
      weight,
      agent(
        'Firefox Mobile',
        version,
        on('Android 15; Mobile', version),
        'Android',
        '15',
        'Generic Smartphone',
      ),
    ],
  ] as const;
});

const safaris = SAFARI.flatMap(([weight, version, os]) => {
  const on = (system: string, mobile: string, last: string): string =>
    `Mozilla/5.0 (${system}) ${APPLE} Version/${version} ${mobile}Safari/${last}`;
  const system = `OS ${os.replace('.', '_')} like Mac OS X`;
  const handheld = (device: string, name: string): WebAgent =>
    agent(
      'Mobile Safari',
      version,
      on(`${device}; ${name}${system}`, 'Mobile/15E148 ', '604.1'),
      'iOS',
      os,
      device,
    );
  const mac = on('Macintosh; Intel Mac OS X 10_15_7', '', '605.1.15');
  return [
    [weight * 0.8, handheld('iPhone', 'CPU iPhone ')],
    [weight * 0.2, handheld('iPad', 'CPU ')],
    [weight * 0.4, agent('Safari', version, mac, 'Mac OS X', '10.15.7', 'Mac')],
  ] as const;
});

/** The browser of a visitor. */
export const browserAt = weighted<WebAgent>([...chromes, ...firefoxes, ...safaris]);

const officeBrowsers = new Map<string, WebAgent>();
const FAMILIES = [
  ['Edg/', 'Edge'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
] as const;

/** The browser of a person of the organization, from its user agent. */
export const officeBrowser = (original: string): WebAgent => {
  const known = officeBrowsers.get(original);
  if (known !== undefined) return known;
  const [mark, name] = FAMILIES.find(([text]) => original.includes(text)) ?? FAMILIES[2];
  const version = original.split(mark)[1]?.split(' ')[0] ?? '';
  const made = agent(name, version, original, 'Windows', '10', 'Other');
  officeBrowsers.set(original, made);
  return made;
};

/** Programs of partners, each with the protocols that it can. */
export const PROGRAMS: readonly WebAgent[] = [
  agent('okhttp', '4.12.0', 'okhttp/4.12.0'),
  agent('python-requests', '2.32.3', 'python-requests/2.32.3'),
  agent('Go-http-client', '2.0', 'Go-http-client/2.0'),
  agent('axios', '1.7.9', 'axios/1.7.9'),
  agent('curl', '8.11.1', 'curl/8.11.1'),
  agent('Java-http-client', '21.0.5', 'Java-http-client/21.0.5'),
  agent('node-fetch', '3.3.2', 'node-fetch/3.3.2'),
  agent('Dart', '3.6', 'Dart/3.6 (dart:io)'),
];

/** Tools of strangers who look for holes. Half of them pretend to be browsers. */
export const toolAt = weighted<WebAgent>([
  [3, agent('probe-kit', '1.4', 'Mozilla/5.0 (compatible; probe-kit/1.4)')],
  [2, agent('python-requests', '2.32.3', 'python-requests/2.32.3')],
  [2, agent('zgrab', '0.x', 'Mozilla/5.0 zgrab/0.x')],
]);

const crawler = (name: string, version: string, site: string): WebAgent =>
  agent(name, version, `Mozilla/5.0 (compatible; ${name}/${version}; +https://${site})`);

/** Crawlers, with how often they come. */
export const CRAWLERS: readonly (readonly [weight: number, agent: WebAgent])[] = [
  [30, crawler('ExampleBot', '2.1', 'bot.example/about')],
  [8, agent('ExampleBot-Image', '1.0', 'ExampleBot-Image/1.0')],
  [18, crawler('FindIt', '4.0', 'findit.example/crawler')],
  [9, agent('PreviewFetcher', '1.3', 'PreviewFetcher/1.3 (+https://chat.example/preview)')],
  [4, crawler('LinkChecker', '10.4', 'links.example/')],
  [11, agent('PriceCompare', '0.9', 'PriceCompare/0.9 (+https://compare.example/bot)')],
  [5, crawler('ArchiveTest', '3.2', 'archive.example/')],
  [7, agent('FeedReader', '7.7', 'FeedReader/7.7 (subscribers 42)')],
  [14, crawler('ModelGather', '1.1', 'model.example/bot')],
  [6, agent('SeoScan', '5.0', 'SeoScan/5.0 (+https://seo.example/bot)')],
];

/** What asks whether the site is up. */
export const MONITORS = {
  balancer: agent('lb-health', '2.8', 'lb-health/2.8'),
  metrics: agent('Prometheus', '3.1.0', 'Prometheus/3.1.0'),
  outside: agent('uptime-check', '1.2', 'uptime-check/1.2'),
} as const;
