import * as E from 'fp-ts/lib/Either.js';
import { Failed, failure, type Result, reasonOf } from '../../../domain/errors.js';
import { parseIso } from '../../../domain/time/parseIso.js';
import type { Zone } from '../../../domain/time/zone.js';
import type { Clock } from '../../../ports/clock.js';
import { readInputFile } from '../../shared/inputFile.js';
import { polyline, type RateShape } from './shape.js';
import { ofHourLine, weekly, weekMean } from './week.js';

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
export const parseCurve = (text: string, zone: Zone): E.Either<string, RateShape> => {
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
export const readCurve = async (
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
