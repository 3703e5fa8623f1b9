import { MICROS_PER_MINUTE, MICROS_PER_SECOND, type Micros } from '../../../domain/time/micros.js';
import { type KeyedDraws, weighted } from '../../draw.js';
import type { InternetAccess, Person } from '../../population/entities.js';
import { gap, humanGap } from '../gaps.js';
import type { ActivityFacts } from '../kinds.js';
import type { Surroundings } from '../scribe.js';
import { browserAt } from './agents.js';
import {
  customerName,
  loginFacts,
  makeVisit,
  oldPath,
  requestFacts,
  took,
  type WebStep,
} from './requests.js';
import { ARTICLES, itemBytes, itemPath, pageAt, referrerAt, someItem } from './shop.js';
import type { WebItem, WebVisit } from './webVisit.js';

/** A visit that takes longer goes on under another name. */
export const MAX_VISIT = 20 * MICROS_PER_MINUTE;
const MAX_PAGES = 40;

/** What a visitor does next. */
const NEXT = weighted([
  [33, 'product'],
  [25, 'page'],
  [13, 'search'],
  [10, 'cart'],
  [4, 'login'],
  [5, 'checkout'],
  [4, 'fault'],
] as const);

const LANDING = weighted([
  [45, 'home'],
  [30, 'product'],
  [18, 'category'],
  [7, 'article'],
] as const);

const CAMPAIGNS = weighted([
  [80, ''],
  [8, 'spring'],
  [8, 'newsletter-09'],
  [4, 'retarget'],
] as const);

const FAULTS = weighted([
  [50, ['not-found', 404, 1_487, 0.01]],
  [22, ['aborted', 499, 0, 2.4]],
  [3, ['too-large', 413, 585, 0.02]],
  [7, ['bad-request', 400, 157, 0.01]],
  [8, ['upstream-failed', 502, 559, 0.4]],
  [5, ['upstream-busy', 503, 197, 0.1]],
  [5, ['upstream-timeout', 504, 569, 30]],
] as const);

const QUANTITIES = weighted([
  [70, 1],
  [17, 2],
  [5, 3],
  [5, 4],
  [3, 6],
] as const);

const CART_DOES = weighted([
  [25, 'POST'],
  [50, 'GET'],
  [15, 'PATCH'],
  [10, 'DELETE'],
] as const);
const CART_ACTIONS = {
  POST: ['cart-add', 201],
  GET: ['cart-view', 200],
  PATCH: ['cart-change', 200],
  DELETE: ['cart-remove', 204],
} as const;

const SORTS = weighted([
  [70, ''],
  [15, 'sort=price'],
  [8, 'sort=new'],
  [7, 'sort=rating'],
] as const);

/** Where visitors are: numbers of outsiders. Many share an address. */
export const HOMES = { first: 40_000, count: 24_000 } as const;

/** Somewhere outside of the organization. */
export const somePlace = ({ population }: Surroundings, own: KeyedDraws): InternetAccess =>
  population.outsider(HOMES.first + own.integer(0, HOMES.count - 1));

/** A browser that somebody uses outside of the organization. */
export const browserVisit = (
  world: Surroundings,
  own: KeyedDraws,
  at: Micros,
  from: InternetAccess | null = null,
): WebVisit => {
  const place = somePlace(world, own);
  const drawn = own.next();
  const protocol = drawn < 0.78 ? '2.0' : drawn < 0.86 ? '1.1' : '3.0';
  return makeVisit(own, at, 'visitor', from ?? place, browserAt(own.next()), protocol);
};

/** A visitor on the way through the shop. A class, because a visit remembers what happened in it. */
class Way {
  last: string | null = null;
  item: WebItem;
  private cart = 0;
  private account: string | null = null;

  constructor(
    private readonly world: Surroundings,
    private readonly own: KeyedDraws,
    private readonly visit: WebVisit,
  ) {
    this.item = someItem(own);
  }

  private facts(given: Omit<Parameters<typeof requestFacts>[3], 'referrer'>): ActivityFacts {
    const { account: login, last: referrer } = this;
    return requestFacts(this.world, this.own, this.visit, { login, ...given, referrer });
  }

  landing(): ActivityFacts {
    const { own, item } = this;
    const [url, kind] = referrerAt(own.next());
    const page = LANDING(own.next());
    const path =
      page === 'home'
        ? '/'
        : page === 'product'
          ? itemPath(item)
          : page === 'category'
            ? `/c/${item.category}`
            : `/magazine/${own.pick(ARTICLES)}`;
    const campaign = CAMPAIGNS(own.next());
    const drawn = own.next();
    const status = drawn < 0.93 ? 200 : drawn < 0.97 ? 304 : drawn < 0.995 ? 301 : 500;
    this.last = url;
    const facts = this.facts({
      ...{ action: 'visit-started', path, status },
      query: campaign === '' ? '' : `utm_source=${kind}&utm_campaign=${campaign}`,
      bytes: status === 200 ? own.integer(21_000, 64_000) : own.integer(0, 180),
      seconds: took(own, 0.09, 0.6),
    });
    this.last = path;
    return facts;
  }

  next(at: Micros): ActivityFacts {
    const does = NEXT(this.own.next());
    switch (does) {
      case 'search':
        return this.search();
      case 'cart':
        return this.changeCart();
      case 'login':
        return this.account === null
          ? this.login()
          : this.page(this.own.chance(0.4) ? '/account/orders' : '/account');
      case 'checkout':
        return this.cart > 0 ? this.checkout(at) : this.product();
      case 'fault':
        return this.fault();
      case 'page':
        return this.page(null);
      default:
        return this.product();
    }
  }

  private product(): ActivityFacts {
    const { own } = this;
    this.item = someItem(own);
    const path = itemPath(this.item);
    const drawn = own.next();
    const status = drawn < 0.918 ? 200 : drawn < 0.978 ? 304 : drawn < 0.992 ? 404 : 500;
    const size = itemBytes(this.item) + own.integer(-900, 900);
    const variant = own.chance(0.3) ? own.pick(['natural', 'black', 'white', 'sand']) : '';
    const facts = this.facts({
      ...{ action: 'product-view', path, status, item: this.item, seconds: took(own, 0.1, 0.55) },
      query: variant === '' ? '' : `variant=${variant}`,
      bytes: status === 200 ? size : status === 304 ? 0 : 1_487,
    });
    this.last = path;
    return facts;
  }

  private page(asked: string | null): ActivityFacts {
    const { own } = this;
    const [drawnPath, from, to, isList] = pageAt(own.next());
    const number = isList && own.chance(0.4) ? own.integer(2, 5) : 1;
    const sort = isList ? SORTS(own.next()) : '';
    const path = asked ?? drawnPath;
    const drawn = own.next();
    const status = drawn < 0.94 ? 200 : drawn < 0.995 ? 304 : 500;
    const facts = this.facts({
      ...{ action: 'page-view', path, status, seconds: took(own, 0.08, 0.5) },
      query:
        asked === null
          ? [number > 1 ? `page=${number}` : '', sort].filter((one) => one !== '').join('&')
          : '',
      bytes: status === 200 ? own.integer(from, to) : 0,
    });
    this.last = path;
    return facts;
  }

  private search(): ActivityFacts {
    const { own } = this;
    this.item = someItem(own);
    const words = this.item.slug.split('-');
    const drawn = own.next();
    const right =
      drawn < 0.5
        ? words.at(-1)
        : drawn < 0.7
          ? words.join('+')
          : drawn < 0.9
            ? this.item.category
            : words[0];
    // Some mistype: a letter is doubled or missing.
    const isTypo = own.chance(0.08);
    const term = isTypo ? `${right?.slice(0, -2)}${right?.at(-1)}` : (right ?? '');
    const quantity = isTypo ? 0 : own.integer(1, 38);
    const isSuggested = own.chance(0.45);
    const lot = own.next();
    const status = lot < 0.98 ? 200 : lot < 0.988 ? 429 : lot < 0.995 ? 500 : 504;
    const facts = this.facts({
      ...{ action: 'search', path: isSuggested ? '/search/suggest' : '/search', status, quantity },
      query: `q=${term}${isSuggested ? '&limit=8' : ''}`,
      bytes: status !== 200 ? 169 : isSuggested ? 340 + quantity * 61 : 14_200 + quantity * 870,
      seconds: took(own, 0.15, 0.7),
      text: term.replaceAll('+', ' '),
    });
    if (!isSuggested) this.last = '/search';
    return facts;
  }

  private changeCart(): ActivityFacts {
    const { own, item } = this;
    const method = this.cart === 0 ? 'POST' : CART_DOES(own.next());
    const quantity = QUANTITIES(own.next());
    const [action, good] = CART_ACTIONS[method];
    const lot = own.next();
    const status = lot < 0.97 ? good : lot < 0.99 ? 409 : 500;
    if (status === 201) this.cart += quantity;
    const facts = this.facts({
      ...{ action, method, status, item, quantity, amount: this.cart, seconds: took(own, 0.07, 0.5) },
      path: method === 'GET' ? '/cart' : method === 'POST' ? '/cart/items' : `/cart/items/${item.id}`,
      bytes: status === 204 ? 0 : own.integer(420, 2_900),
    });
    this.last = '/cart';
    return facts;
  }

  private login(): ActivityFacts {
    const { own, world, visit } = this;
    const name = customerName(own);
    const facts = loginFacts(world, own, visit, name, 0.88);
    if (facts['status'] === 302) this.account = name;
    this.last = this.account === null ? '/account/login' : '/account';
    return facts;
  }

  private checkout(at: Micros): ActivityFacts {
    const { own } = this;
    const drawn = own.next();
    const step = drawn < 0.3 ? 'address' : drawn < 0.58 ? 'delivery' : 'order';
    const lot = own.next();
    const status = lot < 0.93 ? 303 : lot < 0.97 ? 422 : lot < 0.992 ? (step === 'order' ? 402 : 303) : 502;
    const isDone = step === 'order' && status === 303;
    const path = `/checkout/${step}`;
    const facts = this.facts({
      ...{ action: isDone ? 'order' : 'checkout', method: 'POST', path, status, quantity: this.cart },
      amount: Math.round(this.cart * (9.5 + 78 * own.next()) * 100) / 100,
      bytes: status === 303 ? 0 : own.integer(900, 6_200),
      seconds: took(own, 0.4, 0.5),
      // Numbers of orders go up.
      text: isDone ? String(Math.floor(at / MICROS_PER_SECOND)) : null,
    });
    if (isDone) this.cart = 0;
    this.last = isDone ? '/' : path;
    return facts;
  }

  private fault(): ActivityFacts {
    const { own, item } = this;
    const [text, status, bytes, seconds] = FAULTS(own.next());
    const path =
      status === 404
        ? oldPath(own)
        : status === 413
          ? '/account/reviews'
          : own.pick(['/search', '/cart', `/c/${item.category}`, '/checkout/delivery']);
    return this.facts({
      ...{ action: 'error', method: status === 413 ? 'POST' : 'GET', path, status, bytes, text },
      seconds: took(own, seconds, 0.1),
    });
  }
}

/** Pages that show others: the browser gets what they need. */
const HAS_ASSETS: ReadonlySet<unknown> = new Set(['visit-started', 'product-view', 'page-view']);

/** All that a visitor asks for, from the first page on. */
export const visitorSteps = (
  world: Surroundings,
  own: KeyedDraws,
  visit: WebVisit,
  begin: Micros,
  person: Person | null = null,
): readonly WebStep[] => {
  const way = new Way(world, own, visit);
  const pages = Math.min(MAX_PAGES, Math.max(1, Math.round(own.lognormal(4.6, 0.75))));
  const steps: WebStep[] = [];
  let at = begin;
  for (let page = 0; page < pages && at < begin + MAX_VISIT; page++) {
    const facts = page === 0 ? way.landing() : way.next(at);
    // Later pages have most of it in the cache of the browser.
    const assets = HAS_ASSETS.has(facts['action']) ? own.poisson(page === 0 ? 4.5 : 1.6) : 0;
    steps.push({ at, facts, person, assets, key: own.word() });
    at += MICROS_PER_SECOND + gap(own, 22, 0.9);
  }
  return steps;
};

/** What is aimed at something, for each request that a browser makes anyway. */
const AIMED_SHARE = 0.26;

/** A visit like any other, by the browser that a tool drives, and when the tool does something else in between. */
export const drivenVisit = (
  world: Surroundings,
  own: KeyedDraws,
  visit: WebVisit,
  begin: Micros,
): { readonly steps: readonly WebStep[]; readonly between: readonly Micros[] } => {
  const steps = visitorSteps(world, own, visit, begin);
  const between = steps.flatMap(({ at, assets }) =>
    Array.from({ length: own.poisson((1 + assets) * AIMED_SHARE) }, () => at + humanGap(own)),
  );
  return { steps, between: between.sort((one, other) => one - other) };
};
