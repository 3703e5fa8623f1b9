import type { SeriesPart } from '../../domain/stats/series.js';
import { isoParts, utcText } from '../../domain/time/iso.js';
import { MICROS_PER_MS, MICROS_PER_SECOND } from '../../domain/time/micros.js';
import type { SeriesQuery } from '../../messages/observe.js';
import { integerParam, nameParam, optionalIntegerParam, timeParam } from '../params.js';
import { valueDoc } from '../reply.js';
import { type Reply, route } from '../route.js';
import { amount, countField, list, maybe, object, time } from '../schemaParts.js';

const TAG = 'Observability';
/** Seconds of a day. */
const MAX_STEP = 86_400;
/** Seconds; three days. */
const MAX_LAST = 259_200;
const DEFAULT_LAST = 300;

const counts = (help: string) => ({
  ...list(maybe(countField)),
  description: `${help} in each step; null where nothing is known.`,
});

const SERIES = object({
  from: { ...time, description: 'Start of the first step.' },
  step: { ...countField, description: 'Seconds of a step.' },
  seconds: {
    ...list(amount),
    description:
      'Seconds of each step in which it ran and was looked at: divide by them for a rate. 0 is a gap. More than `step` where the clock was set back.',
  },
  produced: counts('Events produced'),
  written: counts('Events written, by all outputs,'),
  failed: counts('Events that could not be made, formatted or written, or were abandoned at a stop,'),
  dead_lettered: counts('Dead letters'),
  lateness_p99_us: {
    ...list(maybe(countField)),
    description:
      '99 % of the events of a second were at most this late; the highest such value of each step. Live mode.',
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

const queryOf = (id: string | null, { from, to, last, step }: GivenSpan): SeriesQuery => ({
  id,
  from_ms: msOf(from),
  to_ms: msOf(to),
  last_s: last,
  step_s: step,
});

/** The answer of the API: null where nothing is known, and no lateness where no event was late. */
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
    lateness_p99_us: part.lateness_micros.map((micros) => (micros === 0 ? null : micros)),
  };
};

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
      description: `The sum over all generators, also of those that were deleted since. ${KEPT} In a cluster, the sum of the nodes that answer.`,
      query,
      success: valueDoc('The steps, oldest first.', SERIES),
      errors: [],
      request: (parts) => ({ type: 'observe.series', payload: queryOf(null, parts.query) }),
      reply,
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
      request: (parts) => ({ type: 'observe.series', payload: queryOf(parts.path.id, parts.query) }),
      reply,
    }),
  ] as const;
