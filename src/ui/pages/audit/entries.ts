import type { AuditEntry } from '../../../domain/audit.js';
import { addressOfOperation, OPERATIONS, type RouteAddress } from '../../api/routes.js';

/** What became of a request: it was carried out, refused, went wrong, or its client left before the answer. */
export type Outcome = 'done' | 'refused' | 'failed' | 'unanswered';

export const outcomeOf = (status: number): Outcome => {
  if (status === 0) return 'unanswered';
  if (status >= 500) return 'failed';
  return status >= 400 ? 'refused' : 'done';
};

const REASONS: Readonly<Record<number, string>> = {
  400: 'not ready',
  401: 'wrong credentials',
  403: 'not allowed',
  404: 'not there',
  405: 'no such operation',
  409: 'not possible in this state',
  412: 'changed by others meanwhile',
  413: 'too large',
  422: 'invalid',
  429: 'too many requests',
};

/** The outcome with its reason, as far as the status tells it. */
export const outcomeWords = (status: number): string => {
  const outcome = outcomeOf(status);
  if (outcome === 'unanswered') return 'client left';
  if (outcome === 'done') return 'done';
  const reason = REASONS[status];
  return reason === undefined ? `${outcome} (${status})` : `${outcome}: ${reason}`;
};

/** `Start generator` for `startGenerator`; the method of an unknown path stays. */
export const operationWords = (operation: string): string => {
  if (/^[A-Z]+$/.test(operation)) return operation;
  const words = operation.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** Who made a request. A signal has no user, and neither has a client of a service that asks for no credentials. */
export const whoOf = ({ user, client }: Pick<AuditEntry, 'user' | 'client'>): string => {
  if (user !== null) return user;
  return client === 'signal' ? 'signal' : 'no credentials';
};

const decodedPart = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** The parameters of a path template in a path. Null when the path is not of the template. */
const paramsIn = (template: string, path: string): ReadonlyMap<string, string> | null => {
  const wanted = template.split('/');
  const given = path.split('/');
  const params = new Map<string, string>();
  for (const [index, part] of wanted.entries()) {
    const [, name, rest] = /^\{(\w+)(\+?)\}$/.exec(part) ?? [];
    const value = rest === '+' ? given.slice(index).join('/') : given[index];
    if (value === undefined || (name === undefined && value !== part)) return null;
    if (name !== undefined) params.set(name, value.split('/').map(decodedPart).join('/'));
    if (rest === '+') return params;
  }
  return wanted.length === given.length ? params : null;
};

/** Something that a target names and that has a page. */
export interface TargetPage {
  readonly label: string;
  readonly href: string;
}

type Params = ReadonlyMap<string, string>;

const toPage =
  (before: string) =>
  (params: Params): TargetPage | null => {
    const id = params.get('id') ?? params.get('name') ?? '';
    return id === '' ? null : { label: id, href: `${before}${encodeURIComponent(id)}` };
  };

const toFiles = (params: Params): TargetPage | null => {
  const page = toPage('/g/')(params);
  const file = params.get('filepath');
  if (page === null || file === undefined) return page;
  return { label: `${page.label}/${file}`, href: `${page.href}?${new URLSearchParams({ file })}` };
};

/** By the first part of a path template. */
const PAGES_OF: Readonly<Record<string, (params: Params) => TargetPage | null>> = {
  generators: toPage('/r/'),
  'generator-configs': toFiles,
  scenarios: toPage('/s/'),
  incidents: toPage('/incidents/'),
  destinations: toPage('/destinations/'),
  startup: toPage('/startup?edit='),
  secrets: (params) => ({ label: params.get('name') ?? '', href: '/secrets' }),
  cluster: (params) => ({ label: params.get('node') ?? '', href: '/cluster' }),
};

/** Parts of the template of a thing itself: an empty one, the kind and the name. */
const OWN_PARTS = 3;

/** What the parameters of a request name once it is carried out. Null when nothing is left of it. */
const leftOf = ({ method, path }: RouteAddress, params: Params, query: string): Params | null => {
  const to = path.endsWith('/rename') ? new URLSearchParams(query).get('to') : null;
  if (to !== null) return new Map([...params, [params.has('id') ? 'id' : 'name', to]]);
  if (method !== 'delete') return params;
  if (path.split('/').length === OWN_PARTS) return null;
  return new Map([...params].filter(([name]) => name !== 'filepath'));
};

/**
 * The page of what an entry is about. Null when there is none: the path is unknown, the operation is about several
 * things or the whole service, or it took away what it names.
 */
export const targetPage = ({
  operation,
  target,
  status,
}: Pick<AuditEntry, 'operation' | 'target' | 'status'>): TargetPage | null => {
  if (operation === 'updateSettings') return { label: 'Settings', href: '/settings' };
  const address = addressOfOperation(operation);
  const [path = '', query = ''] = target.split('?');
  const params = address === null ? null : paramsIn(address.path, path);
  if (address === null || params === null) return null;
  const named = outcomeOf(status) === 'done' ? leftOf(address, params, query) : params;
  const kind = address.path.split('/')[1] ?? '';
  return named === null || named.size === 0 ? null : (PAGES_OF[kind]?.(named) ?? null);
};

/** Operations that leave entries, for a choice. */
export const NOTED_OPERATIONS: readonly string[] = OPERATIONS.filter((operation) => {
  const address = addressOfOperation(operation);
  return address !== null && address.method !== 'get' && !/^\/(?:preview|mcp)(?:\/|$)/.test(address.path);
}).toSorted();

export const RANGES = ['all', 'hour', 'day', 'week', 'own'] as const;
export type AuditRange = (typeof RANGES)[number];

export const RANGE_WORDS: Readonly<Record<AuditRange, string>> = {
  all: 'any time',
  hour: 'last hour',
  day: 'last day',
  week: 'last 7 days',
  own: 'from … to …',
};

const HOUR_MS = 3_600_000;
const LENGTHS: Readonly<Partial<Record<AuditRange, number>>> = {
  hour: HOUR_MS,
  day: 24 * HOUR_MS,
  week: 7 * 24 * HOUR_MS,
};

const PAGE_LENGTH = 50;

/** A search in the trail, as the address has it; an empty text matches all. */
export interface AuditSearch {
  readonly user: string;
  readonly operation: string;
  readonly target: string;
  readonly range: AuditRange;
  /** Instants in ISO 8601 for the range `own`. */
  readonly since: string;
  readonly until: string;
  /** From 1 on. */
  readonly page: number;
  /** Later entries are left out, so that pages stay what they are while entries arrive. Empty on the first page. */
  readonly before: string;
}

const instantOf = (text: string | null): string => {
  const at = Date.parse(text ?? '');
  return Number.isNaN(at) ? '' : new Date(at).toISOString();
};

/** The search of an address. What is no value there counts as not given. */
export const auditSearchOf = (params: URLSearchParams): AuditSearch => {
  const since = instantOf(params.get('since'));
  const until = instantOf(params.get('until'));
  const isOwn = since !== '' || until !== '';
  const range = RANGES.find((one) => one === params.get('range')) ?? 'all';
  const page = Number(params.get('page') ?? '1');
  return {
    user: params.get('user') ?? '',
    operation: params.get('operation') ?? '',
    target: params.get('target') ?? '',
    range: isOwn ? 'own' : range,
    since,
    until,
    page: Number.isInteger(page) && page >= 1 && page <= 1_000 ? page : 1,
    before: page > 1 ? instantOf(params.get('before')) : '',
  };
};

/** The address of a search, without what is as it is by itself. */
export const addressOfSearch = ({ page, range, ...texts }: AuditSearch): URLSearchParams => {
  const isOwn = range === 'own';
  const pairs: readonly (readonly [string, string])[] = [
    ['user', texts.user],
    ['operation', texts.operation],
    ['target', texts.target],
    ['range', range === 'all' || (isOwn && texts.since + texts.until !== '') ? '' : range],
    ['since', isOwn ? texts.since : ''],
    ['until', isOwn ? texts.until : ''],
    ['page', page === 1 ? '' : String(page)],
    ['before', page === 1 ? '' : texts.before],
  ];
  return new URLSearchParams(Object.fromEntries(pairs.filter(([, value]) => value !== '')));
};

/** The query of the API for a search at a time. */
export const queryOfSearch = (
  { user, operation, target, range, since, until, page, before }: AuditSearch,
  now_ms: number,
): Readonly<Record<string, string | number>> => {
  const length = LENGTHS[range];
  const from = length === undefined ? since : new Date(now_ms - length).toISOString();
  const ends = [range === 'own' ? until : '', before].filter((end) => end !== '').sort();
  const texts = { user, operation, target, since: from, until: ends[0] ?? '' };
  return {
    ...Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== '')),
    offset: (page - 1) * PAGE_LENGTH,
    limit: PAGE_LENGTH,
  };
};

/** The search with another filter, from its first page on. */
export const withFilter = (search: AuditSearch, filter: Partial<AuditSearch>): AuditSearch => ({
  ...search,
  ...filter,
  page: 1,
  before: '',
});

/** Whether a search leaves anything out. */
export const isSearching = (search: AuditSearch): boolean => addressOfSearch(search).toString() !== '';

/** The next page, with older entries. The newest entry of the first page is the last that the pages have. */
export const olderPage = (search: AuditSearch, newest: string | undefined): AuditSearch => ({
  ...search,
  page: search.page + 1,
  // The end of a query is exclusive.
  before:
    search.before !== '' || newest === undefined
      ? search.before
      : new Date(Date.parse(newest) + 1).toISOString(),
});

/** `2026-11-20T19:00` in the zone of the browser, as fields of the type `datetime-local` have it. */
export const localTime = (iso: string): string => {
  if (iso === '') return '';
  const at = new Date(iso);
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
};

/** Entries with a key of their own each, which stays while newer ones arrive. */
export const keyedEntries = (
  entries: readonly AuditEntry[],
): readonly { readonly key: string; readonly entry: AuditEntry }[] => {
  const counts = new Map<string, number>();
  // From the oldest on: an equal entry that arrives later is the one with a new key.
  return entries
    .toReversed()
    .map((entry) => {
      const text = JSON.stringify(entry);
      const count = counts.get(text) ?? 0;
      counts.set(text, count + 1);
      return { key: `${text} ${count}`, entry };
    })
    .toReversed();
};
