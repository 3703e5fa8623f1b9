import { MICROS_PER_MS, type Micros } from '../../../domain/time/micros.js';
import type { KeyedDraws } from '../../draw.js';
import type { InternetAccess, Person } from '../../population/entities.js';
import type { ActivityFacts } from '../kinds.js';
import type { Act, Surroundings } from '../scribe.js';
import { ITEMS, itemPath } from './shop.js';
import type { WebAgent, WebClient, WebItem, WebVisit } from './webVisit.js';

/** A request that somebody makes. What the page needs is drawn when its minute is made: most requests are for that. */
export interface WebStep {
  readonly at: Micros;
  readonly facts: ActivityFacts;
  /** Somebody of the organization, or null. */
  readonly person: Person | null;
  /** How many images, scripts and styles the page needs. */
  readonly assets: number;
  /** Number from which their draws follow. */
  readonly key: number;
}

/** What is said of a request beside who makes it. */
interface Given {
  readonly action: string;
  readonly method?: string;
  readonly path: string;
  readonly query?: string;
  readonly status: number;
  readonly bytes: number;
  readonly seconds: number;
  readonly referrer?: string | null;
  /** False for what the cache answers, or nginx itself. */
  readonly isPassedOn?: boolean;
  readonly cache?: string | null;
  /** Who is logged in, or a program's client. */
  readonly login?: string | null;
  readonly item?: WebItem | null;
  readonly quantity?: number | null;
  readonly amount?: number | null;
  readonly text?: string | null;
}

/** The time that a server takes for an answer; `median` is in seconds. */
export const took = (own: KeyedDraws, median: number, sigma: number): number =>
  Math.round(Math.min(30, Math.max(0.001, own.lognormal(median, sigma))) * 1_000) / 1_000;

/** One literal for all requests: they have one shape, which is read fastest. */
export const requestFacts = (
  world: Surroundings,
  own: KeyedDraws,
  visit: WebVisit,
  given: Given,
): ActivityFacts => ({
  visit,
  sort: visit.sort,
  action: given.action,
  method: given.method ?? 'GET',
  path: given.path,
  query: given.query ?? '',
  status: given.status,
  bytes: given.bytes,
  bytes_in: own.integer(380, 1_900),
  seconds: given.seconds,
  referrer: given.referrer ?? null,
  upstream: given.isPassedOn === false ? null : own.pick(world.population.serversOf('application_server')).ip,
  cache: given.cache ?? null,
  login: given.login ?? null,
  item: given.item ?? null,
  quantity: given.quantity ?? null,
  amount: given.amount ?? null,
  text: given.text ?? null,
});

/** Connections a second of the site, and the number of the first one. */
const CONNECTION_MICROS = 40 * MICROS_PER_MS;
const connectionAt = (at: Micros): number => Math.floor(at / CONNECTION_MICROS) % 2 ** 31;

export const makeVisit = (
  own: KeyedDraws,
  at: Micros,
  sort: WebVisit['sort'],
  access: Pick<InternetAccess, 'ip'> & Partial<InternetAccess>,
  agent: WebAgent,
  protocol: string,
  client: WebClient | null = null,
): WebVisit => ({
  sort,
  visit_id: sort === 'visitor' ? uuidOf(own) : null,
  ip: access.ip,
  port: own.integer(1_024, 65_535),
  city: access.city ?? null,
  country: access.country ?? null,
  provider: access.provider ?? null,
  as_number: access.as_number ?? null,
  agent,
  protocol,
  connection: connectionAt(at),
  client,
});

const uuidOf = (own: KeyedDraws): string => {
  const hex = own.hex(32);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
};

const ASSET_NAMES = ['main', 'vendor', 'cart', 'gallery', 'icons', 'account'];
const WIDTHS = [320, 480, 640, 960];
/** Sizes of files by their ending. */
const SIZES = { js: 88_400, css: 21_700, woff2: 31_200, svg: 5_200 } as const;

/** A file that a page needs; `item` is what the page is about. */
const fileOf = (own: KeyedDraws, item: WebItem | null): readonly [path: string, bytes: number] => {
  const drawn = own.next();
  if (drawn < 0.55) {
    const shown = own.pick(ITEMS);
    const { id, slug } = item !== null && own.chance(0.6) ? item : shown;
    const width = own.pick(WIDTHS);
    return [`/media/${id}/${slug}-${width}.webp`, width * own.integer(38, 75)];
  }
  if (drawn < 0.57) return ['/favicon.ico', 4_286];
  const name = own.pick(ASSET_NAMES);
  const ending = drawn < 0.75 ? 'js' : drawn < 0.85 ? 'css' : drawn < 0.91 ? 'woff2' : 'svg';
  return [`/assets/${name}.${ending}`, SIZES[ending] + name.length * 1_300];
};

/** Images, scripts and styles of a page, which the cache of nginx answers within two seconds after it. */
const assetActs = (
  world: Surroundings,
  own: KeyedDraws,
  { at, facts: page, person, assets }: WebStep,
  write: (act: Act) => void,
): void => {
  const visit = page['visit'] as WebVisit;
  const [referrer, item] = [page['path'] as string, page['item'] as WebItem | null];
  let when = at;
  for (let index = 0; index < assets; index++) {
    when += Math.round(own.exponential(90) * MICROS_PER_MS) + 1;
    const [path, full] = fileOf(own, item);
    const drawn = own.next();
    const status = drawn < 0.7 ? 200 : drawn < 0.985 ? 304 : drawn < 0.994 ? 206 : 404;
    const bytes = status === 200 ? full : status === 304 ? 0 : own.integer(300, 9_000);
    const hit = own.next();
    // Half of all requests are such: these are the facts of `requestFacts`, made at once.
    const seconds = took(own, 0.0055, 0.8);
    const facts: ActivityFacts = {
      visit,
      sort: visit.sort,
      action: 'asset',
      method: 'GET',
      path,
      query: '',
      status,
      bytes,
      bytes_in: own.integer(380, 1_900),
      seconds,
      referrer,
      upstream: null,
      cache: hit < 0.9 ? 'HIT' : hit < 0.96 ? 'MISS' : hit < 0.99 ? 'REVALIDATED' : 'STALE',
      login: null,
      item: null,
      quantity: null,
      amount: null,
      text: null,
    };
    write(requestAct(world, when, facts, person));
  }
};

const requestAct = (
  { population }: Surroundings,
  at: Micros,
  facts: ActivityFacts,
  person: Person | null,
): Act => ({
  kind: 'request_web',
  at,
  person,
  host: population.serversOf('web_server')[0] ?? null,
  session: null,
  facts,
  truth: null,
});

const WHY_ASSET = 490;

/** A request and those for what its page needs. */
export const stepActs = (world: Surroundings, step: WebStep, write: (act: Act) => void): void => {
  write(requestAct(world, step.at, step.facts, step.person));
  if (step.assets > 0) assetActs(world, world.draws.of(step.key, step.at, WHY_ASSET), step, write);
};

/** Requests of programs need nothing else. */
export const bareStep = (at: Micros, facts: ActivityFacts): WebStep => ({
  ...{ at, facts, person: null, assets: 0, key: 0 },
});

export const CUSTOMERS = 40_000;
export const customerName = (own: KeyedDraws): string =>
  `customer${String(own.integer(1, CUSTOMERS)).padStart(5, '0')}`;

/** Somebody gives a name and a password. `goodShare` of them are right. */
export const loginFacts = (
  world: Surroundings,
  own: KeyedDraws,
  visit: WebVisit,
  login: string,
  goodShare: number,
): ActivityFacts => {
  const drawn = own.next();
  const status = drawn < goodShare ? 302 : drawn < 0.985 ? 401 : 429;
  return requestFacts(world, own, visit, {
    ...{ action: status === 302 ? 'login' : 'login-failed', method: 'POST', path: '/account/login', status },
    bytes: status === 302 ? 0 : own.integer(7_800, 8_100),
    seconds: took(own, 0.25, 0.3),
    referrer: '/account/login',
    login,
  });
};

/** The orders of a customer who is logged in. */
export const ordersFacts = (
  world: Surroundings,
  own: KeyedDraws,
  visit: WebVisit,
  login: string,
): ActivityFacts =>
  requestFacts(world, own, visit, {
    ...{ action: 'page-view', path: '/account/orders', status: 200, bytes: own.integer(11_000, 19_000) },
    ...{ seconds: took(own, 0.25, 0.3), referrer: '/account', login },
  });

/** A path that strangers try; most are not there. */
export const holeFacts = (
  world: Surroundings,
  own: KeyedDraws,
  visit: WebVisit,
  [text, status, path, query]: readonly [kind: string, status: number, path: string, query?: string],
): ActivityFacts =>
  requestFacts(world, own, visit, {
    ...{ action: 'page-view', path, query: query ?? '', status, text, isPassedOn: false },
    method: path.endsWith('formLogin') || path.endsWith('xmlrpc.php') ? 'POST' : 'GET',
    bytes: status === 200 ? own.integer(400, 9_000) : 1_487,
    seconds: took(own, 0.005, 0.7),
  });

/** The file that somebody forgot in the folder of the old site. */
export const backupFacts = (world: Surroundings, own: KeyedDraws, visit: WebVisit): ActivityFacts =>
  requestFacts(world, own, visit, {
    ...{ action: 'page-view', path: '/old/backup.tar.gz', status: 200, text: 'download', isPassedOn: false },
    bytes: own.integer(18_000_000, 19_000_000),
    seconds: took(own, 6, 0.4),
  });

/** The page of a thing that is no longer sold, or one of the old site. */
export const oldPath = (own: KeyedDraws): string => {
  const item = own.pick(ITEMS);
  return own.chance(0.4)
    ? `${itemPath(item)}-old`
    : `${own.pick(['/shop/', '/catalog/', '/item/', '/images/'])}${item.slug}.html`;
};
