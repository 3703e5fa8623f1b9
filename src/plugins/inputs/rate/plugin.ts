import * as E from 'fp-ts/lib/Either.js';
import { Failed, failure, type Result, reasonOf } from '../../../domain/errors.js';
import { parseIso } from '../../../domain/time/iso.js';
import {
  MAX_MICROS,
  MICROS_PER_DAY,
  MICROS_PER_HOUR,
  MICROS_PER_SECOND,
  type Micros,
  NEVER,
} from '../../../domain/time/micros.js';
import type { Zone } from '../../../domain/time/zone.js';
import type { Clock } from '../../../ports/clock.js';
import type { ValueOf } from '../../../schema/shape.js';
import type { InputContext, InputPlugin } from '../../kit.js';
import { generatorFile, readInputFile } from '../../shared/inputFile.js';
import { scheduleRangeOf } from '../shared/range.js';
import { roundAllDown } from '../shared/resolution.js';
import { arrivalsInput } from './arrivals.js';
import { fixedBlocks, measuredBlocks, type RateBlocks } from './blocks.js';
import { constant, levels, makeBursts, polyline, type RateShape, ramp, rampEnd, spike } from './shape.js';
import { DEFAULTS, rateSpec } from './spec.js';

type Params = ValueOf<typeof rateSpec.fields>;

const MEGA = 1e6;
const GIGA = 1e9;
const SECONDS_PER_DAY = 86_400;

/** The target in events or bytes, and how timestamps fill it. */
const targetOf = (params: Params): { readonly perSecond: number; readonly blocks: RateBlocks } => {
  const { events_per_second, mb_per_second, gb_per_day, event_bytes } = params;
  if (events_per_second !== null) return { perSecond: events_per_second, blocks: fixedBlocks(1) };
  const perSecond = (mb_per_second ?? 0) * MEGA + ((gb_per_day ?? 0) * GIGA) / SECONDS_PER_DAY;
  return { perSecond, blocks: event_bytes === null ? measuredBlocks() : fixedBlocks(event_bytes) };
};

const shapeOf = async (
  params: Params,
  start: Micros,
  end: Micros,
  context: InputContext,
): Promise<Result<RateShape>> => {
  const { zone } = context;
  switch (params.shape) {
    case 'constant':
      return E.right(constant(1));
    case 'ramp': {
      const { from, to, seconds } = params.ramp ?? DEFAULTS.ramp;
      return E.right(ramp(start, seconds === null ? end : rampEnd(start, seconds), from, to));
    }
    case 'steps':
      return E.right(levels(start, params.steps?.levels ?? [], params.steps?.repeat ?? false));
    case 'spike':
      return E.right(spike(start, params.spike ?? DEFAULTS.spike));
    case 'daily': {
      const { hours, weekdays } = params.daily ?? DEFAULTS.daily;
      const parts = ofHours(hours);
      if (!(weekMean(parts, weekdays) > 0)) {
        return E.left(
          failure('plugin_failed', 'daily: all weights are 0. Give an hour and a weekday a greater one.'),
        );
      }
      return E.right(weekly(parts, weekdays, zone));
    }
    case 'curve':
      return readCurve(generatorFile(context, params.curve?.file ?? ''), context);
  }
};

export const ratePlugin: InputPlugin<typeof rateSpec.fields> = {
  spec: rateSpec,
  build: async (params, context) => {
    const range = scheduleRangeOf(params, context);
    if (E.isLeft(range)) return range;
    const { start } = range.right;
    const end = Math.min(range.right.end, MAX_MICROS);
    const shape = await shapeOf(params, start, end, context);
    if (E.isLeft(shape)) return shape;
    const from = context.skipPast ? Math.max(start, context.now) : start;
    if (from >= end) context.log.write('info', 'the end is in the past: no timestamps');
    const { arrivals } = params;
    const random = context.random.fork('arrivals');
    const bursts = () => makeBursts(params.burst ?? DEFAULTS.burst, context.random.fork('bursts'));
    const input = arrivalsInput({
      shape: shape.right,
      ...targetOf(params),
      bursts: arrivals === 'bursty' ? bursts() : null,
      random: arrivals === 'even' ? null : random,
      from,
      end,
      total: params.total ?? Number.POSITIVE_INFINITY,
    });
    const { resolution } = params;
    return E.right(resolution === null ? input : { ...input, fill: roundAllDown(input.fill, resolution) });
  },
};

const MAX_CURVE_BYTES = 16 * 1024 * 1024;
const EVERY_DAY = [1, 1, 1, 1, 1, 1, 1];
const HOURS = 24;

interface Row {
  readonly at: number;
  readonly factor: number;
}

/**
 * Reads the rows of a table of two columns, first the position and then the factor. Returns an error with line and
 * problem.
 */
const rowsOf = (
  lines: readonly string[],
  positionOf: (text: string) => number | null,
  expected: string,
): E.Either<string, readonly Row[]> => {
  const rows: Row[] = [];
  for (const [index, line] of lines.entries()) {
    if (index === 0 || line.trim() === '') continue;
    const at = (problem: string) => E.left(`${index + 1}: ${problem}`);
    const cells = line.split(',').map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'));
    const [first = '', second = ''] = cells;
    const position = positionOf(first);
    if (cells.length !== 2) return at('a row has two columns. Remove the others.');
    if (position === null) return at(`"${first.slice(0, 60)}" is no ${expected}.`);
    const factor = second === '' ? Number.NaN : Number(second);
    if (!(factor >= 0 && factor <= 1_000_000))
      return at(`"${second.slice(0, 60)}" is no factor from 0 to 1000000.`);
    const before = rows.at(-1);
    if (before !== undefined && position <= before.at)
      return at(`${first} is not after the row before. Sort the rows.`);
    rows.push({ at: position, factor });
  }
  return rows.length === 0 ? E.left('1: no row follows the header. Write at least one.') : E.right(rows);
};

const hourOf = (text: string): number | null => {
  const hour = text === '' ? Number.NaN : Number(text);
  return hour >= 0 && hour < HOURS ? hour : null;
};

/** Reads the curve of a CSV text. Returns an error with line and problem. */
const parseCurve = (text: string, zone: Zone): E.Either<string, RateShape> => {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
  const header = (lines[0] ?? '').toLowerCase().replace(/[\s"]/g, '');
  if (header === 'time,factor') {
    return E.map(polyline)(rowsOf(lines, (cell) => parseIso(cell, zone), 'ISO 8601 date-time'));
  }
  if (header !== 'hour,factor') return E.left('1: the header must be "hour,factor" or "time,factor".');
  return E.chain((rows: readonly Row[]): E.Either<string, RateShape> => {
    const parts = ofHourLine(rows.map(({ at, factor }) => ({ hour: at, factor })));
    if (!(weekMean(parts, EVERY_DAY) > 0)) return E.left('2: all factors are 0. Give an hour a greater one.');
    return E.right(weekly(parts, EVERY_DAY, zone));
  })(rowsOf(lines, hourOf, 'hour from 0 to less than 24'));
};

/** Reads the curve of a file. An error in its text names the file and the line. */
const readCurve = async (
  file: string,
  { zone, clock }: { readonly zone: Zone; readonly clock: Clock },
): Promise<Result<RateShape>> => {
  try {
    const bytes = await readInputFile(file, clock, MAX_CURVE_BYTES);
    if (bytes === null) {
      return E.left(
        failure('plugin_failed', `${file} is larger than ${MAX_CURVE_BYTES} bytes. Give fewer rows.`),
      );
    }
    const parsed = parseCurve(bytes.toString('utf8'), zone);
    return E.mapLeft((problem: string) => failure('plugin_failed', `${file}:${problem}`))(parsed);
  } catch (thrown) {
    if (thrown instanceof Failed) return E.left(thrown.error);
    return E.left(failure('plugin_failed', `${file} cannot be read: ${reasonOf(thrown)}`));
  }
};

/** A part of a day by the wall clock, in microseconds from midnight. */
interface DayPart {
  readonly start: number;
  readonly end: number;
  readonly from: number;
  readonly to: number;
}

const ofHours = (weights: readonly number[]): readonly DayPart[] =>
  weights.map((weight, hour) => ({
    start: hour * MICROS_PER_HOUR,
    end: (hour + 1) * MICROS_PER_HOUR,
    from: weight,
    to: weight,
  }));

/** Straight between hours, over midnight too. Hours ascend, from 0 to less than 24. */
const ofHourLine = (
  rows: readonly { readonly hour: number; readonly factor: number }[],
): readonly DayPart[] => {
  const corners = rows.map(({ hour, factor }) => ({ at: Math.round(hour * MICROS_PER_HOUR), factor }));
  const [first, last] = [corners[0], corners.at(-1)];
  if (first === undefined || last === undefined) return [];
  const night = first.at + MICROS_PER_DAY - last.at;
  const midnight = last.factor + ((first.factor - last.factor) * (MICROS_PER_DAY - last.at)) / night;
  const whole = [
    { at: 0, factor: midnight },
    ...corners.filter(({ at }) => at > 0),
    { at: MICROS_PER_DAY, factor: midnight },
  ];
  return whole.slice(1).map((corner, index) => {
    const before = whole[index] as { readonly at: number; readonly factor: number };
    return { start: before.at, end: corner.at, from: before.factor, to: corner.factor };
  });
};

/** 1970-01-01 was a Thursday; weeks begin on Monday. */
const weekdayOf = (day: number): number => (((day + 3) % 7) + 7) % 7;

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Mean factor of a week of seven days of 24 hours. */
const weekMean = (parts: readonly DayPart[], weekdays: readonly number[]): number =>
  (sum(parts.map(({ start, end, from, to }) => ((from + to) / 2) * (end - start))) / MICROS_PER_DAY) *
  (sum(weekdays) / 7);

/** A zone that knows no next change has none for at least this long. */
const DAYS_WITHOUT_CHANGE = 300;

/** A rate by the wall clock of a zone, with a mean of 1 over a week. */
const weekly = (parts: readonly DayPart[], weekdays: readonly number[], zone: Zone): RateShape => {
  const scale = 1 / weekMean(parts, weekdays);
  let [from, until, offset, change]: [Micros, Micros, number, Micros] = [0, 0, 0, 0];
  return (at) => {
    if (at < from || at >= until) {
      from = at;
      offset = zone.offsetSecondsAt(at) * MICROS_PER_SECOND;
      change = zone.nextTransition(at) ?? NEVER;
      until = Math.min(change, at + DAYS_WITHOUT_CHANGE * MICROS_PER_DAY);
    }
    const local = at + offset;
    const day = Math.floor(local / MICROS_PER_DAY);
    const time = local - day * MICROS_PER_DAY;
    const part = parts.find(({ end }) => time < end) as DayPart;
    const factor = (weekdays[weekdayOf(day)] as number) * scale;
    const slope = (part.to - part.from) / (part.end - part.start);
    const end = Math.min(at + part.end - time, change);
    return {
      end,
      from: (part.from + slope * (time - part.start)) * factor,
      to: (part.from + slope * (time + end - at - part.start)) * factor,
    };
  };
};
