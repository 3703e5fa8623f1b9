import type { GeneratorPhase } from '../../../domain/generator.js';
import { HEALTHS, type HealthReport } from '../../../domain/stats/health.js';
import type { AnswerOf } from '../../api/routes.js';
import type { LiveGenerator } from '../../api/streams/liveStates.js';
import { LOOKS } from '../../parts/phases.js';

/** What the overview shows of a generator. */
export interface OverviewRow {
  readonly id: string;
  readonly path: string;
  readonly phase: GeneratorPhase;
  readonly reason: string | null;
  readonly error_code: string | null;
  readonly health: HealthReport;
  readonly restarts: number;
  readonly scenarios: readonly string[];
  /** Node that runs it. Null when none does at the moment, or when the service runs alone. */
  readonly node: string | null;
  /** Events per second in the last second. */
  readonly rate: number;
  readonly rates: readonly number[];
  /** 99 % of the events since the start were at most this late, in microseconds. */
  readonly late: number;
  readonly written: number;
  readonly deadLettered: number;
  /** Failed and abandoned events. */
  readonly lost: number;
  readonly queued: number;
}

const SORT_KEYS = [
  'id',
  'phase',
  'rate',
  'late',
  'written',
  'deadLettered',
  'lost',
  'queued',
  'restarts',
] as const;
export type SortKey = (typeof SORT_KEYS)[number];

type Listed = AnswerOf<'listGenerators'>;

const count = (live: LiveGenerator | undefined, name: string): number => live?.counters[name] ?? 0;

const LOSSES = ['write_failed', 'format_failed', 'produce_failed', 'abandoned'] as const;

const PRODUCING: ReadonlySet<GeneratorPhase> = new Set(['running', 'draining']);

const rowOf = (item: Listed[number], live: LiveGenerator | undefined, node: string | null): OverviewRow => ({
  id: item.id,
  path: item.path,
  phase: live?.phase ?? item.status.phase,
  reason: live === undefined ? item.status.reason : live.reason,
  error_code: live === undefined ? item.status.error_code : live.error_code,
  health: live === undefined ? item.status : live.health,
  restarts: item.status.restarts,
  scenarios: item.scenarios,
  node,
  // The last rate of one that ended is over.
  rate: PRODUCING.has(live?.phase ?? item.status.phase) ? (live?.rates.at(-1) ?? 0) : 0,
  rates: live?.rates ?? [],
  late: count(live, 'lateness_p99_us'),
  written: count(live, 'written'),
  deadLettered: count(live, 'dead_lettered'),
  lost: LOSSES.reduce((sum, name) => sum + count(live, name), 0),
  queued: count(live, 'queue_batches'),
});

type MakeRows = (
  list: Listed,
  live: ReadonlyMap<string, LiveGenerator>,
  nodes: ReadonlyMap<string, string>,
) => readonly OverviewRow[];

/** Makes rows; a row stays the same object while nothing in it changes, so it is not drawn again. */
export const rowMaker = (): MakeRows => {
  const known = new Map<
    string,
    { item: Listed[number]; live: LiveGenerator | undefined; row: OverviewRow }
  >();
  return (list, live, nodes) =>
    list.map((item) => {
      const now = live.get(item.id);
      const node = nodes.get(item.id) ?? null;
      const former = known.get(item.id);
      const isSame = former?.item === item && former.live === now && former.row.node === node;
      if (isSame) return former.row;
      const row = rowOf(item, now, node);
      known.set(item.id, { item, live: now, row });
      return row;
    });
};

/** Kinds of generators that need attention. */
export const KINDS = {
  failing: ({ health }) => health.health === 'failing',
  degraded: ({ health }) => health.health === 'degraded',
  dead: ({ deadLettered }) => deadLettered > 0,
  lost: ({ lost }) => lost > 0,
} as const satisfies Readonly<Record<string, (row: OverviewRow) => boolean>>;
export type RowKind = keyof typeof KINDS;

export interface ViewOfRows {
  readonly filter: string;
  /** Null shows every kind. */
  readonly only: RowKind | null;
  readonly phase: GeneratorPhase | null;
  readonly sort: SortKey;
  readonly isDescending: boolean;
}

/** What needs attention comes first. */
const PHASES: readonly GeneratorPhase[] = [
  'failed',
  'backing_off',
  'loading',
  'draining',
  'running',
  'finished',
  'stopped',
  'idle',
];

const urgency = ({ phase, health }: OverviewRow): number =>
  HEALTHS.indexOf(health.health) * PHASES.length + PHASES.indexOf(phase);

const compare =
  (key: SortKey) =>
  (a: OverviewRow, b: OverviewRow): number => {
    if (key === 'phase') return urgency(a) - urgency(b);
    const [left, right] = [a[key], b[key]];
    return typeof left === 'number' ? left - (right as number) : left.localeCompare(String(right));
  };

/** The rows of a view: those that match, in its order; equal ones by id. */
export const shownRows = (
  rows: readonly OverviewRow[],
  { filter, only, phase, sort, isDescending }: ViewOfRows,
): readonly OverviewRow[] => {
  const wanted = filter.trim().toLowerCase();
  const matching = rows.filter(
    (row) =>
      (phase === null || row.phase === phase) &&
      (only === null || KINDS[only](row)) &&
      [row.id, row.path, row.node ?? '', ...row.scenarios].some((text) =>
        text.toLowerCase().includes(wanted),
      ),
  );
  const byKey = compare(sort);
  return matching.toSorted((a, b) => (isDescending ? byKey(b, a) : byKey(a, b)) || a.id.localeCompare(b.id));
};

export interface Totals {
  readonly running: number;
  readonly failing: number;
  readonly degraded: number;
  readonly rate: number;
  readonly written: number;
  readonly deadLettered: number;
  readonly lost: number;
  readonly count: number;
}

const sum = (rows: readonly OverviewRow[], key: 'rate' | 'written' | 'deadLettered' | 'lost'): number =>
  rows.reduce((total, row) => total + row[key], 0);

export const rowTotalsOf = (rows: readonly OverviewRow[]): Totals => ({
  count: rows.length,
  running: rows.filter(({ phase }) => phase === 'running').length,
  failing: rows.filter(KINDS.failing).length,
  degraded: rows.filter(KINDS.degraded).length,
  rate: sum(rows, 'rate'),
  written: sum(rows, 'written'),
  deadLettered: sum(rows, 'deadLettered'),
  lost: sum(rows, 'lost'),
});

const isPhase = (text: string | null): text is GeneratorPhase => text !== null && text in LOOKS;
const isSortKey = (text: string | null): text is SortKey => SORT_KEYS.some((key) => key === text);

const isKind = (text: string | null): text is RowKind => text !== null && Object.hasOwn(KINDS, text);

/** The view that the query of an address describes. */
export const viewOf = (params: URLSearchParams): ViewOfRows => {
  const [only, phase, sort] = [params.get('only'), params.get('state'), params.get('sort')];
  return {
    filter: params.get('find') ?? '',
    only: isKind(only) ? only : null,
    phase: isPhase(phase) ? phase : null,
    sort: isSortKey(sort) ? sort : 'id',
    isDescending: params.get('order') === 'down',
  };
};

/** The query of an address for a view, without what is usual. */
export const viewParamsOf = ({ filter, only, phase, sort, isDescending }: ViewOfRows): URLSearchParams => {
  const params = new URLSearchParams();
  if (filter !== '') params.set('find', filter);
  if (only !== null) params.set('only', only);
  if (phase !== null) params.set('state', phase);
  if (sort !== 'id') params.set('sort', sort);
  if (isDescending) params.set('order', 'down');
  return params;
};
