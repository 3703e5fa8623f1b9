import type { NamedPart, SeriesPart } from '../../domain/stats/series.js';
import { isoParts, utcText } from '../../domain/time/iso.js';
import { MICROS_PER_MS, MICROS_PER_SECOND } from '../../domain/time/micros.js';
import type { SeriesQuery } from '../../messages/observe.js';
import { integerParam, nameParam, optionalIntegerParam, timeParam } from '../params.js';
import { valueDoc } from '../reply.js';
import { type Reply, route } from '../route.js';
import { amount, countField, list, maybe, object, textField, time } from '../schemaParts.js';

const TAG = 'Observability';
/** Seconds of a day. */
const MAX_STEP = 86_400;
/** Seconds; three days. */
const MAX_LAST = 259_200;
const DEFAULT_LAST = 300;
const DEFAULT_BUSIEST = 7;
const MAX_BUSIEST = 50;

const counts = (help: string) => ({
  ...list(maybe(countField)),
  description: `${help} in each step; null where nothing is known.`,
});

const gauge = (help: string) => ({
  ...list(maybe(countField)),
  description: `Of each second ${help}; the highest such value of each step, null where there is none.`,
});

const STEPS = {
  from: { ...time, description: 'Start of the first step.' },
  step: { ...countField, description: 'Seconds of a step.' },
  seconds: {
    ...list(amount),
    description:
      'Seconds of each step in which it ran and was looked at: divide by them for a rate. 0 is a gap. More than `step` where the clock was set back.',
  },
  produced: counts('Events produced'),
};

const BUSIEST = object({ id: textField, ...STEPS });

const SERIES = object({
  ...STEPS,
  written: counts('Events written, by all outputs,'),
  failed: counts('Events that could not be made, formatted or written, or were abandoned at a stop,'),
  dead_lettered: counts('Dead letters'),
  lateness_p50_us: gauge('half of the events were at most this late (live mode)'),
  lateness_p99_us: gauge('99 % of the events were at most this late (live mode)'),
  delivery_lag_p99_us: gauge('99 % of the events were written within this time after they were made'),
  queue_batches: counts('The most batches in flight to the outputs at any second'),
  busy_percent: {
    ...list(maybe(amount)),
    description:
      'The highest share of a second, in percent, in which its thread made and formatted events, in each step; null where nothing is known. Partitions are summed.',
  },
});

const query = {
  from: timeParam('Start. Default: `last` seconds before the end.'),
  to: timeParam('End. Default: now.'),
  last: integerParam(
    DEFAULT_LAST,
    1,
    MAX_LAST,
    'Seconds before the end, by the clock of the service; not used with `from`.',
  ),
  step: optionalIntegerParam(
    1,
    MAX_STEP,
    'Seconds of a step. Default: 1, 10 or 60, whichever first reaches back to `from`.',
  ),
};

interface GivenSpan {
  readonly from: string | null;
  readonly to: string | null;
  readonly last: number;
  readonly step: number | null;
}

/** `timeParam` has checked the texts. Any year of four digits is fine: the store cuts to what there is. */
const msOf = (text: string | null): number | null => {
  const parts = text === null ? null : isoParts(text);
  if (parts === null) return null;
  return Math.floor((parts.local - (parts.offset ?? 0) * MICROS_PER_SECOND) / MICROS_PER_MS);
};

const spanOf = ({ from, to, last, step }: GivenSpan): Omit<SeriesQuery, 'id'> => ({
  from_ms: msOf(from),
  to_ms: msOf(to),
  last_s: last,
  step_s: step,
});

const measured = (list: readonly number[]): readonly (number | null)[] =>
  list.map((micros) => (micros === 0 ? null : micros));

/** The answer of the API: null where nothing is known, and no delay where there is none. */
const shownSeries = (part: SeriesPart) => {
  const known = (counts: readonly number[]): readonly (number | null)[] =>
    counts.map((count, i) => (part.covered_ms[i] === 0 ? null : count));
  return {
    from: utcText(part.from_ms * MICROS_PER_MS),
    step: part.step_ms / 1_000,
    seconds: part.covered_ms.map((ms) => ms / 1_000),
    produced: known(part.produced),
    written: known(part.written),
    failed: known(part.failed),
    dead_lettered: known(part.dead_lettered),
    lateness_p50_us: measured(part.lateness_p50_micros),
    lateness_p99_us: measured(part.lateness_p99_micros),
    delivery_lag_p99_us: measured(part.delivery_lag_micros),
    queue_batches: known(part.queue_batches),
    busy_percent: known(part.busy_permille).map((permille) => (permille === null ? null : permille / 10)),
  };
};

/** Events of a generator in the steps of the sum. */
const shownBusiest = (all: readonly NamedPart[]) =>
  all.map(({ id, part }) => {
    const { from, step, seconds, produced } = shownSeries(part);
    return { id, from, step, seconds, produced };
  });

const reply = (part: SeriesPart): Reply<ReturnType<typeof shownSeries>> => ({
  status: 200,
  kind: 'json',
  value: shownSeries(part),
});

const KEPT =
  'Kept in memory, and in `path.state` while the service is stopped: seconds for 15 minutes, ten seconds for 6 hours, minutes for 3 days. A ' +
  'step is read from the coarsest of them that divides it; what is older is unknown. At most 4,320 steps and one that begins before `from`.';

export const seriesRoutes = () =>
  [
    route({
      id: 'readSeries',
      method: 'get',
      path: '/series',
      tag: TAG,
      summary: 'Get the events over time of all generators',
      description: `The sum over all generators, also of those that were deleted since; delays, queue and busy share are those of the generator in which they were highest. ${KEPT} In a cluster, the sum of the nodes that answer, and of delays the highest.`,
      query,
      success: valueDoc('The steps, oldest first.', SERIES),
      errors: [],
      request: (parts) => ({ type: 'observe.series', payload: { id: null, ...spanOf(parts.query) } }),
      reply,
    }),
    route({
      id: 'readBusiestSeries',
      method: 'get',
      path: '/series/busiest',
      tag: TAG,
      summary: 'Get the events over time of the generators that made most',
      description: `Of \`most\` generators, the one with most events in the time first; those that made none are left out, as are deleted ones. ${KEPT} In a cluster, of the nodes that answer.`,
      query: {
        ...query,
        most: integerParam(DEFAULT_BUSIEST, 1, MAX_BUSIEST, 'Generators of the answer.'),
      },
      success: valueDoc('The generators.', list(BUSIEST)),
      errors: [],
      request: (parts) => ({
        type: 'observe.busiest',
        payload: { ...spanOf(parts.query), count: parts.query.most },
      }),
      reply: (all: readonly NamedPart[]): Reply<ReturnType<typeof shownBusiest>> => ({
        status: 200,
        kind: 'json',
        value: shownBusiest(all),
      }),
    }),
    route({
      id: 'readGeneratorSeries',
      method: 'get',
      path: '/generators/{id}/series',
      tag: TAG,
      summary: 'Get the events over time of a generator',
      description: `${KEPT} In a cluster, the node that runs the generator answers with what it knows: a series begins anew at another node.`,
      params: { id: nameParam('Id of the generator.') },
      query,
      success: valueDoc('The steps, oldest first.', SERIES),
      errors: ['not_found'],
      request: (parts) => ({
        type: 'observe.series',
        payload: { id: parts.path.id, ...spanOf(parts.query) },
      }),
      reply,
    }),
  ] as const;
