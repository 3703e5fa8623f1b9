import { MICROS_PER_SECOND, type Micros } from '../../../domain/time/micros.js';
import { type KeyedDraws, weighted } from '../../draw.js';
import type { InternetAccess } from '../../population/entities.js';
import { scannerNumber } from '../../population/population.js';
import { gap } from '../gaps.js';
import type { ActivityFacts } from '../kinds.js';
import type { Act, Surroundings } from '../scribe.js';
import { browserAt, CRAWLERS, MONITORS, PROGRAMS, toolAt } from './agents.js';
import {
  backupFacts,
  bareStep,
  customerName,
  holeFacts,
  loginFacts,
  makeVisit,
  oldPath,
  requestFacts,
  stepActs,
  took,
  type WebStep,
} from './requests.js';
import { HOLES, ITEMS, itemPath, someItem } from './shop.js';
import { browserVisit, drivenVisit, somePlace } from './visitors.js';
import type { WebClient, WebVisit } from './webVisit.js';

/** Numbers of outsiders: programs of partners, crawlers and a monitor. */
const PLACES = { partners: 70_000, crawlers: 71_000, monitor: 72_000 } as const;

const PARTNER_NAMES = [
  ...['Parcel Pilot', 'Stock Sync', 'Price Watch', 'Ledger Bridge', 'Store App', 'Till Point'],
  ...['Review Relay', 'Mail Mixer', 'Label Printer', 'Feed Builder', 'Return Desk', 'Chat Helper'],
];
const PARTNERS = 24;
const PLANS = ['basic', 'partner', 'partner', 'plus', 'plus', 'partner'] as const;

const CLIENTS: readonly WebClient[] = Array.from({ length: PARTNERS }, (_, index) => {
  const full_name = PARTNER_NAMES[index % PARTNER_NAMES.length] ?? '';
  const id = `${full_name.toLowerCase().replaceAll(' ', '-')}-${String(index + 1).padStart(2, '0')}`;
  return { id, full_name, plan: PLANS[index % PLANS.length] ?? 'basic' };
});

/** A program of a partner; few of them do most. The last argument is where it is used instead of at its usual place. */
export const partnerVisit = (
  world: Surroundings,
  own: KeyedDraws,
  at: Micros,
  isWanted: (client: WebClient) => boolean = () => true,
  from: InternetAccess | null = null,
): WebVisit => {
  let index = 0;
  do index = Math.floor(PARTNERS * own.next() ** 1.5);
  while (!isWanted(CLIENTS[index] as WebClient));
  // Now and then somebody tries the program somewhere else.
  const place = own.chance(0.06) ? somePlace(world, own) : world.population.outsider(PLACES.partners + index);
  const agent = PROGRAMS[index % PROGRAMS.length] ?? MONITORS.metrics;
  const protocol = own.chance(0.6) ? '2.0' : '1.1';
  return makeVisit(own, at, 'partner', from ?? place, agent, protocol, CLIENTS[index]);
};

const CALLS = weighted<readonly [method: string, path: string, status: number, from: number, to: number]>([
  [20, ['GET', '/v1/orders', 200, 2_000, 26_000]],
  [16, ['GET', '/v1/orders/', 200, 700, 2_600]],
  [6, ['POST', '/v1/orders', 201, 300, 900]],
  [18, ['GET', '/v1/stock', 200, 5_000, 90_000]],
  [10, ['PATCH', '/v1/stock/', 204, 0, 0]],
  [9, ['GET', '/v1/products', 200, 9_000, 60_000]],
  [12, ['GET', '/v1/products/', 200, 900, 4_200]],
  [5, ['POST', '/v1/shipments', 201, 300, 700]],
  [4, ['PUT', '/v1/prices/', 200, 200, 400]],
  [6, ['POST', '/v1/token', 200, 600, 640]],
  [1, ['DELETE', '/v1/webhooks/', 204, 0, 0]],
]);

const REFUSALS = weighted([
  [930, null],
  [12, 401],
  [6, 403],
  [18, 404],
  [10, 422],
  [14, 429],
  [6, 500],
  [4, 503],
] as const);

const callFacts = (
  world: Surroundings,
  own: KeyedDraws,
  visit: WebVisit,
  call: readonly [method: string, path: string, status: number, from: number, to: number],
  page: number | null,
): ActivityFacts => {
  const [method, path, good, from, to] = call;
  const status = REFUSALS(own.next()) ?? good;
  const limit = visit.client?.plan === 'partner' ? 600 : 120;
  return requestFacts(world, own, visit, {
    ...{
      action: 'api-call',
      method,
      status,
      login: visit.client?.id ?? null,
      seconds: took(own, 0.05, 0.8),
    },
    path: path.endsWith('/') ? `${path}${own.integer(100, 480)}` : path,
    query: page === null ? '' : `limit=100&page=${page}`,
    bytes: status === good ? own.integer(from, to) : own.integer(90, 320),
    // How many calls are allowed, and how many are left.
    ...{ quantity: limit, amount: status === 429 ? 0 : own.integer(1, limit - 1) },
  });
};

/** A page of the list of customers. */
export const customersFacts = (
  world: Surroundings,
  own: KeyedDraws,
  visit: WebVisit,
  page: number,
): ActivityFacts => callFacts(world, own, visit, ['GET', '/v1/customers', 200, 18_000, 90_000], page);

/** All of a list in one file. */
export const exportFacts = (
  world: Surroundings,
  own: KeyedDraws,
  visit: WebVisit,
  list: string,
): ActivityFacts =>
  callFacts(world, own, visit, ['GET', `/v1/exports/${list}.csv`, 200, 20_000_000, 340_000_000], null);

const LISTS = ['orders', 'stock', 'products'];
const PARTNER_LISTS = [...LISTS, 'customers', 'customers'];

/** What the program of a partner does in a while: it reads a list page by page, or does one thing after another. */
const partnerSteps = (world: Surroundings, own: KeyedDraws, begin: Micros): readonly WebStep[] => {
  const visit = partnerVisit(world, own, begin);
  const isPartner = visit.client?.plan === 'partner';
  const list = own.chance(0.4) ? own.pick(isPartner ? PARTNER_LISTS : LISTS) : null;
  const count = Math.min(40, Math.max(1, Math.round(own.lognormal(9, 0.8))));
  const steps: WebStep[] = [];
  let at = begin;
  for (let index = 1; index <= count; index++) {
    const facts =
      list === 'customers'
        ? customersFacts(world, own, visit, index)
        : list === null
          ? callFacts(world, own, visit, CALLS(own.next()), null)
          : callFacts(world, own, visit, ['GET', `/v1/${list}`, 200, 5_000, 60_000], index);
    steps.push(bareStep(at, facts));
    at += gap(own, 1.1, 0.9);
  }
  if (list !== null && own.chance(0.4)) steps.push(bareStep(at, exportFacts(world, own, visit, list)));
  return steps;
};

const crawlerAt = weighted(CRAWLERS.map(([weight], index) => [weight, index] as const));

/** A crawler asks what it may read, then reads. */
const crawlerSteps = (world: Surroundings, own: KeyedDraws, begin: Micros): readonly WebStep[] => {
  const index = crawlerAt(own.next());
  const agent = CRAWLERS[index]?.[1] ?? MONITORS.outside;
  const access = world.population.outsider(PLACES.crawlers + index * 30 + own.integer(0, 29));
  const visit = makeVisit(own, begin, 'crawler', access, agent, own.pick(['1.1', '2.0']));
  const count = Math.min(80, Math.max(3, Math.round(own.lognormal(18, 0.7))));
  const steps: WebStep[] = [];
  let at = begin;
  for (let number = 1; number <= count; number++) {
    const drawn = own.next();
    const { category } = someItem(own);
    const isGone = own.chance(0.05);
    const path =
      number === 1
        ? '/robots.txt'
        : number === 2 && own.chance(0.3)
          ? '/sitemap.xml'
          : isGone
            ? oldPath(own)
            : drawn < 0.08
              ? '/'
              : drawn < 0.28
                ? `/c/${category}`
                : drawn < 0.34
                  ? '/magazine'
                  : itemPath(own.pick(ITEMS));
    const lot = own.next();
    const method = own.chance(0.06) ? 'HEAD' : 'GET';
    const status = isGone && number > 2 ? 410 : lot < 0.8 ? 200 : lot < 0.93 ? 304 : lot < 0.97 ? 301 : 429;
    const facts = requestFacts(world, own, visit, {
      ...{ action: 'bot-visit', method, path, status, quantity: number, seconds: took(own, 0.075, 0.5) },
      bytes: status === 200 && method === 'GET' ? own.integer(9_000, 52_000) : 0,
    });
    steps.push(bareStep(at, facts));
    at += gap(own, 4, 0.8);
  }
  return steps;
};

/** Somebody who looks for holes or tries stolen passwords, all day and from many places. */
export const strangerVisit = (world: Surroundings, own: KeyedDraws, at: Micros): WebVisit => {
  const access = world.population.outsider(scannerNumber(own));
  const agent = own.chance(0.5) ? browserAt(own.next()) : toolAt(own.next());
  return makeVisit(own, at, 'stranger', access, agent, own.chance(0.7) ? '1.1' : '2.0');
};

const strangerSteps = (world: Surroundings, own: KeyedDraws, begin: Micros): readonly WebStep[] => {
  const visit = strangerVisit(world, own, begin);
  const isGuessing = own.chance(0.4);
  const first = own.integer(0, HOLES.length - 1);
  const count = Math.min(40, Math.max(1, Math.round(own.lognormal(4, 0.9))));
  const steps: WebStep[] = [];
  let at = begin;
  for (let index = 0; index < count; index++) {
    const hole = HOLES[(first + index) % HOLES.length] as (typeof HOLES)[number];
    const facts = isGuessing
      ? loginFacts(world, own, visit, customerName(own), 0.03)
      : holeFacts(world, own, visit, hole);
    steps.push(bareStep(at, facts));
    at += gap(own, 1.5, 1);
  }
  if (!isGuessing && own.chance(0.05)) steps.push(bareStep(at, backupFacts(world, own, visit)));
  return steps;
};

/** Strangers whose tools drive browsers, and look like visitors but for what they try in between. */
const drivenSteps = (world: Surroundings, own: KeyedDraws, begin: Micros): readonly WebStep[] => {
  const visit = browserVisit(world, own, begin, world.population.outsider(scannerNumber(own)));
  const isGuessing = own.chance(0.5);
  const first = own.integer(0, HOLES.length - 1);
  const { steps, between } = drivenVisit(world, own, visit, begin);
  const aimed = between.map((at, index) => {
    const hole = HOLES[(first + index) % HOLES.length] as (typeof HOLES)[number];
    const facts = isGuessing
      ? loginFacts(world, own, visit, customerName(own), 0.03)
      : holeFacts(world, own, visit, hole);
    return bareStep(at, facts);
  });
  return [...steps, ...aimed];
};

/** Those who come at any hour, with how often an hour of a usual world, and those who come more by day. */
export const PROGRAM_VISITS = [
  { perHour: 250, byDay: true, steps: partnerSteps },
  { perHour: 58, byDay: false, steps: crawlerSteps },
  { perHour: 150, byDay: false, steps: strangerSteps },
  { perHour: 25, byDay: false, steps: drivenSteps },
] as const;

interface Monitor {
  readonly path: string;
  readonly seconds: number;
  readonly bytes: number;
  readonly role: 'proxy' | 'firewall' | 'build_server' | null;
  readonly agent: keyof typeof MONITORS;
}

/** What asks whether the site is up, every so many seconds. */
const WATCHES: readonly Monitor[] = [
  { path: '/healthz', seconds: 20, bytes: 2, role: 'proxy', agent: 'balancer' },
  { path: '/healthz', seconds: 20, bytes: 2, role: 'firewall', agent: 'balancer' },
  { path: '/metrics', seconds: 30, bytes: 41_200, role: 'build_server', agent: 'metrics' },
  { path: '/', seconds: 60, bytes: 24_100, role: null, agent: 'outside' },
];

/** Writes the requests of monitors in a minute. */
export const watchMinute = (
  world: Surroundings,
  own: KeyedDraws,
  from: Micros,
  write: (act: Act) => void,
): void => {
  const { population } = world;
  for (const { path, seconds, bytes, role, agent } of WATCHES) {
    const access =
      role === null ? population.outsider(PLACES.monitor) : { ip: population.serversOf(role)[0]?.ip ?? '' };
    for (let second = 0; second < 60; second += seconds) {
      const at = from + Math.floor((second + own.next() * seconds * 0.5) * MICROS_PER_SECOND);
      const visit = makeVisit(own, at, 'monitor', access, MONITORS[agent], '1.1');
      const status = own.chance(0.997) ? 200 : 503;
      const facts = requestFacts(world, own, visit, {
        ...{ action: 'health-check', path, status, method: role === null ? 'HEAD' : 'GET' },
        ...{
          bytes: role === null ? 0 : bytes,
          seconds: took(own, 0.004, 0.5),
          text: status === 200 ? 'up' : 'down',
        },
      });
      stepActs(world, bareStep(at, facts), write);
    }
  }
};
