import * as E from 'fp-ts/lib/Either.js';
import { parseDocument } from 'yaml';
import { Failed, failure, type Result, reasonOf } from '../../../domain/errors.js';
import type { Json } from '../../../domain/json.js';
import {
  MICROS_PER_DAY,
  MICROS_PER_HOUR,
  MICROS_PER_MINUTE,
  MICROS_PER_MS,
  MICROS_PER_SECOND,
} from '../../../domain/time/micros.js';
import { decode, expandDotted, showPath } from '../../../schema/index.js';
import type { InputContext, InputPlugin } from '../../kit.js';
import { generatorFile } from '../../shared/generatorFile.js';
import { readInputFile } from '../../shared/inputFile.js';
import { rangeOf } from '../shared/range.js';
import { patternsInput } from './input.js';
import { type Pattern, patternShape } from './pattern.js';
import { makePeriods, type Periods } from './periods.js';
import { timePatternsSpec } from './spec.js';
import { quantileOf } from './spread.js';

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
  { label, oscillator, multiplier, randomizer, spreader }: Pattern,
  index: number,
  context: InputContext,
): Result<Periods> => {
  const range = rangeOf(oscillator, context);
  if (E.isLeft(range)) return range;
  if (context.skipPast && range.right.end <= context.now) {
    context.log.write('info', 'all timestamps are in the past and skipped', { pattern: label });
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
