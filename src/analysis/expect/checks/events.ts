import { createHash } from 'node:crypto';
import { plural, showCount } from '../../../domain/text/shown.js';
import { type Checker, excerpt, failed, type Offender, passed, type SeenEvent } from '../checker.js';
import type { ParamsOf } from '../format.js';

/** Returns why a JSON value breaks a schema, or null when it does not. */
export type SchemaProblem = (value: unknown) => string | null;

/** Counts events with a problem and keeps the first. */
const problemCounter = (problemOf: (event: SeenEvent) => string | null, ok: string, bad: string): Checker => {
  let [seen, broken] = [0, 0];
  let first: Offender | null = null;
  let difference = '';
  return {
    see: (event) => {
      seen++;
      const problem = problemOf(event);
      if (problem === null) return;
      broken++;
      if (first !== null) return;
      first = event;
      difference = problem;
    },
    end: () => {
      const all = plural(seen, 'event');
      if (seen === 0) return failed('no event');
      return broken === 0
        ? passed(`${all} ${ok}`)
        : failed(`${showCount(broken)} of ${all} ${bad}`, difference === '' ? [] : [difference], first);
    },
  };
};

export const schemaChecker = (problemOf: SchemaProblem): Checker =>
  problemCounter(
    ({ value }) => (value === undefined ? 'the event is not JSON' : problemOf(value)),
    'valid',
    'not valid',
  );

export const patternChecker = (pattern: ParamsOf<'pattern'>): Checker => {
  const expression = new RegExp(pattern, 'u');
  return problemCounter(({ text }) => (expression.test(text) ? null : ''), 'match', 'do not match');
};

const FIRST_CAPACITY = 4_096;

/** Bytes of the events as written, without line ends. */
export const sizeChecker = ({ min, max, median }: ParamsOf<'size'>): Checker => {
  let sizes = new Uint32Array(FIRST_CAPACITY);
  let [count, outside] = [0, 0];
  let first: Offender | null = null;
  const medianOf = (): number => {
    const sorted = sizes.subarray(0, count).sort();
    const middle = count >> 1;
    const [low = 0, high = 0] = [sorted[count % 2 === 0 ? middle - 1 : middle], sorted[middle]];
    return (low + high) / 2;
  };
  return {
    see: (event) => {
      const bytes = Buffer.byteLength(event.text);
      if (count === sizes.length) {
        const more = new Uint32Array(count * 2);
        more.set(sizes);
        sizes = more;
      }
      sizes[count++] = bytes;
      if ((min === null || bytes >= min) && (max === null || bytes <= max)) return;
      outside++;
      first ??= event;
    },
    end: () => {
      if (count === 0) return failed('no event');
      const middle = medianOf();
      const [low, high] = [sizes[0] ?? 0, sizes[count - 1] ?? 0];
      const measured = `${showCount(low)} to ${showCount(high)} bytes, median ${showCount(Math.round(middle))}`;
      const [from = 0, to = Number.POSITIVE_INFINITY] = median ?? [];
      const differences = [
        ...(min !== null && low < min
          ? [`smallest: expected at least ${showCount(min)} bytes, measured ${showCount(low)}`]
          : []),
        ...(max !== null && high > max
          ? [`largest: expected at most ${showCount(max)} bytes, measured ${showCount(high)}`]
          : []),
        ...(outside > 0 ? [`${plural(outside, 'event')} of ${showCount(count)} outside of the range`] : []),
        ...(middle < from || middle > to
          ? [
              `median: expected ${showCount(from)} to ${showCount(to)} bytes, measured ${showCount(Math.round(middle))}`,
            ]
          : []),
      ];
      return differences.length === 0 ? passed(measured) : failed(measured, differences, first);
    },
  };
};

/** SHA-256 of the events as written, each with a line feed: that of the file that `spate generate` writes. */
export const fingerprinter = (): { readonly see: (text: string) => void; readonly digest: () => string } => {
  const hash = createHash('sha256');
  return { see: (text) => void hash.update(text).update('\n'), digest: () => hash.digest('hex') };
};

export const fingerprintVerdict = (expected: string, measured: string) =>
  expected === measured
    ? passed(excerpt(measured))
    : failed('the events differ', [`expected ${expected}`, `measured ${measured}`]);
