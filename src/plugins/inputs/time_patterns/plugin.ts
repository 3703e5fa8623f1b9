import * as E from 'fp-ts/lib/Either.js';
import { parseDocument } from 'yaml';
import { Failed, failure, type Result, reasonOf } from '../../../domain/errors.js';
import type { Json } from '../../../domain/json.js';
import type { Random } from '../../../domain/random.js';
import {
  MAX_MICROS,
  MICROS_PER_DAY,
  MICROS_PER_HOUR,
  MICROS_PER_MINUTE,
  MICROS_PER_MS,
  MICROS_PER_SECOND,
  type Micros,
  NEVER,
} from '../../../domain/time/micros.js';
import { decode, expandDotted, showPath } from '../../../schema/index.js';
import type { Input, InputContext, InputPlugin } from '../../kit.js';
import { generatorFile, readInputFile } from '../../shared/inputFile.js';
import { rangeOf } from '../shared/range.js';
import { betaDistribution } from './beta.js';
import { type Pattern, patternShape } from './pattern.js';
import { timePatternsSpec } from './spec.js';

const MAX_PATTERN_BYTES = 1024 * 1024;
const MAX_ALIASES = 100;

const UNIT_MICROS: Readonly<Record<Pattern['oscillator']['unit'], number>> = {
  weeks: 7 * MICROS_PER_DAY,
  days: MICROS_PER_DAY,
  hours: MICROS_PER_HOUR,
  minutes: MICROS_PER_MINUTE,
  seconds: MICROS_PER_SECOND,
  milliseconds: MICROS_PER_MS,
  microseconds: 1,
};

/** Ends of the factors, from -1 to 1 deviations. */
const DIRECTIONS: Readonly<Record<Pattern['randomizer']['direction'], readonly [number, number]>> = {
  decrease: [-1, 0],
  increase: [0, 1],
  mixed: [-1, 1],
};

const parsePattern = (text: string): E.Either<string, Pattern> => {
  const document = parseDocument(text, { prettyErrors: true });
  const [error] = document.errors;
  if (error !== undefined) {
    const [first = ''] = error.message.split('\n');
    return E.left(`the file is not YAML: ${first.replace(/:$/, '')}.`);
  }
  const expanded = expandDotted(document.toJS({ maxAliasCount: MAX_ALIASES }) as Json, patternShape);
  const decoded = E.isLeft(expanded) ? expanded : decode(patternShape, expanded.right);
  return E.mapLeft(
    (issues: readonly { path: readonly (string | number)[]; message: string; hint?: string }[]) =>
      issues.map(({ path, message }) => `${showPath(path)} ${message}`.trim()).join('; '),
  )(decoded);
};

const readPattern = async (file: string, { clock }: InputContext): Promise<Result<Pattern>> => {
  try {
    const bytes = await readInputFile(file, clock, MAX_PATTERN_BYTES);
    if (bytes === null) {
      return E.left(
        failure('plugin_failed', `${file} is larger than ${MAX_PATTERN_BYTES} bytes, so it is no pattern.`),
      );
    }
    return E.mapLeft((problem: string) => failure('plugin_failed', `${file}: ${problem}`))(
      parsePattern(bytes.toString('utf8')),
    );
  } catch (thrown) {
    if (thrown instanceof Failed) return E.left(thrown.error);
    return E.left(failure('plugin_failed', `${file} cannot be read: ${reasonOf(thrown)}`));
  }
};

const periodsOf = (
  { label, tags, oscillator, multiplier, randomizer, spreader }: Pattern,
  index: number,
  context: InputContext,
): Result<Periods> => {
  const range = rangeOf(oscillator, context);
  if (E.isLeft(range)) return range;
  if (context.skipPast && range.right.end <= context.now) {
    context.log.write('info', 'all timestamps are in the past and skipped', { pattern: label });
  }
  if (tags.length > 0) {
    context.log.write('warning', '`tags` of a pattern have no effect: set `tags` of the input', {
      pattern: label,
    });
  }
  const [down, up] = DIRECTIONS[randomizer.direction];
  return E.right(
    makePeriods({
      ...range.right,
      period: oscillator.period * UNIT_MICROS[oscillator.unit],
      ratio: multiplier.ratio,
      least: 1 + down * randomizer.deviation,
      most: 1 + up * randomizer.deviation,
      sampling: randomizer.sampling,
      quantile: quantileOf(spreader),
      random: context.random.fork(`pattern/${index + 1}`),
      after: context.skipPast ? context.now : null,
    }),
  );
};

export const timePatternsPlugin: InputPlugin<typeof timePatternsSpec.fields> = {
  spec: timePatternsSpec,
  build: async ({ patterns }, context) => {
    const all: Periods[] = [];
    for (const [index, path] of patterns.entries()) {
      const file = generatorFile(context, path);
      const pattern = await readPattern(file, context);
      if (E.isLeft(pattern)) return pattern;
      const periods = periodsOf(pattern.right, index, context);
      if (E.isLeft(periods)) {
        return E.left(failure('plugin_failed', `${file}: oscillator.${periods.left.message}`));
      }
      all.push(periods.right);
    }
    return E.right(patternsInput(all));
  },
};

/** Timestamps per call: a quantile of the beta distribution takes microseconds. */
const MOST_AT_ONCE = 512;

/** Timestamps of several patterns in order; ties in the order of the patterns. */
const patternsInput = (patterns: readonly Periods[]): Input => {
  let heads: Micros[] | null = null;
  return {
    fill: (out) => {
      heads ??= patterns.map((pattern) => pattern.next());
      const most = Math.min(out.length, MOST_AT_ONCE);
      for (let written = 0; written < most; written++) {
        let earliest = 0;
        for (let i = 1; i < heads.length; i++) {
          if ((heads[i] as Micros) < (heads[earliest] as Micros)) earliest = i;
        }
        const at = heads[earliest] as Micros;
        if (at > MAX_MICROS) return written;
        out[written] = at;
        heads[earliest] = (patterns[earliest] as Periods).next();
      }
      return most;
    },
    snapshot: (): Json => ({
      heads: heads?.map((at) => (at === NEVER ? null : at)) ?? null,
      patterns: patterns.map((pattern) => pattern.snapshot()),
    }),
    restore: (state) => {
      const saved = state as { readonly heads: (Micros | null)[] | null; readonly patterns: readonly Json[] };
      heads = saved.heads?.map((at) => at ?? NEVER) ?? null;
      for (const [index, one] of saved.patterns.entries()) patterns[index]?.restore(one);
    },
  };
};

interface PeriodOptions {
  readonly start: Micros;
  /** Inclusive; may be `NEVER`. */
  readonly end: Micros;
  /** Microseconds; may be a fraction. */
  readonly period: number;
  readonly ratio: number;
  /** Range of the factors of the ratio. */
  readonly least: number;
  readonly most: number;
  readonly sampling: number;
  readonly quantile: Quantile;
  readonly random: Random;
  /** Skip timestamps at or before this. Null to skip none. */
  readonly after: Micros | null;
}

interface State {
  readonly first: number;
  readonly period: number;
  readonly size: number;
  readonly given: number;
  readonly rank: number;
  readonly end: Micros | null;
  readonly random: readonly number[];
}

/** Timestamps of one pattern. */
interface Periods {
  /** `NEVER` at the end. */
  readonly next: () => Micros;
  readonly snapshot: () => Json;
  readonly restore: (state: Json) => void;
}

/** Factors in the order of a pass. Each pass follows from the seed alone, so a checkpoint has none of them. */
const factorPasses = ({ least, most, sampling, random }: PeriodOptions) => {
  const draws = random.fork('factors');
  const factors = Float64Array.from({ length: sampling }, () => least + draws.next() * (most - least));
  const order = factors.slice();
  let shuffled = 0;
  return {
    largest: factors.reduce((largest, factor) => Math.max(largest, factor), 0),
    of: (used: number): number => {
      const pass = Math.floor(used / sampling);
      if (pass !== shuffled) {
        shuffled = pass;
        order.set(factors);
        const chance = random.fork(`pass/${pass}`);
        for (let i = pass === 0 ? 0 : sampling - 1; i > 0; i--) {
          const other = chance.integer(0, i);
          [order[i], order[other]] = [order[other] as number, order[i] as number];
        }
      }
      return order[used % sampling] as number;
    },
  };
};

const makePeriods = (options: PeriodOptions): Periods => {
  const { start, period: length, ratio, quantile, after } = options;
  const positions = options.random.fork('positions');
  const passes = factorPasses(options);
  let { end } = options;
  /** Number of the first period; factors are used from there. */
  let first = after === null || after < start ? 0 : Math.floor((after - start) / length);
  let period = first;
  let given = 0;
  /** The last position as a sum of exponential values: positions come in order, without a list of them. */
  let rank = 0;
  const sizeOf = (at: number): number => Math.floor(ratio * passes.of(at - first));
  let size = sizeOf(period);
  const isEmpty = Math.floor(ratio * passes.largest) === 0;

  const next = (): Micros => {
    if (isEmpty) return NEVER;
    for (;;) {
      while (given >= size) {
        period++;
        if (start + period * length >= end) return NEVER;
        given = 0;
        rank = 0;
        size = sizeOf(period);
      }
      if (start + period * length > end) return NEVER;
      rank -= Math.log(1 - positions.next()) / (size - given);
      given++;
      const at = start + Math.round((period + quantile(-Math.expm1(-rank))) * length);
      if (at > end) return NEVER;
      if (after === null || at > after) return at;
    }
  };

  return {
    next,
    snapshot: () => ({
      first,
      period,
      size,
      given,
      rank,
      end: end === NEVER ? null : end,
      random: positions.snapshot(),
    }),
    restore: (state) => {
      const saved = state as unknown as State;
      ({ first, period, size, given, rank } = saved);
      end = saved.end ?? NEVER;
      positions.restore(saved.random);
    },
  };
};

/** Position in a period, from 0 to 1, that a share of all lie below. Ascends with the share. */
type Quantile = (share: number) => number;

const triangularQuantile = (left: number, mode: number, right: number): Quantile => {
  const width = right - left;
  const atMode = (mode - left) / width;
  return (share) =>
    share < atMode
      ? left + Math.sqrt(share * width * (mode - left))
      : right - Math.sqrt((1 - share) * width * (right - mode));
};

const quantileOf = (spreader: Pattern['spreader']): Quantile => {
  switch (spreader.kind) {
    case 'uniform': {
      const { low, high } = spreader.params.parameters;
      return (share) => low + share * (high - low);
    }
    case 'triangular': {
      const { left, mode, right } = spreader.params.parameters;
      return triangularQuantile(left, mode, right);
    }
    case 'beta': {
      const { a, b } = spreader.params.parameters;
      return betaDistribution(a, b).quantile;
    }
  }
};
