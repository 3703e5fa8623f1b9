import { plural, showCount } from '../../../domain/text/shown.js';
import { MICROS_PER_SECOND, type Micros } from '../../../domain/time/micros.js';
import type { Zone } from '../../../domain/time/zone.js';
import { type CheckVerdict, failed, passed, showCheckedShare } from '../checker.js';
import type { ParamsOf } from '../format.js';

const MICROS_PER_HOUR = 3_600 * MICROS_PER_SECOND;
/** Hours of a long range that are shown. */
const MAX_SHOWN = 10;

export interface RateCounter {
  readonly see: (micros: Float64Array, length: number) => void;
  readonly end: () => CheckVerdict;
}

/** Counts timestamps by hour from `from`; an hour has the number of its beginning in the time zone. */
export const rateCounter = (
  { hours, per_hour, tolerance }: ParamsOf<'rate'>,
  from: Micros,
  zone: Zone,
): RateCounter => {
  const counts = new Float64Array(hours);
  const hourAt = (index: number): number => {
    const at = from + index * MICROS_PER_HOUR;
    const local = at / MICROS_PER_SECOND + zone.offsetSecondsAt(at);
    return Math.floor((((local % 86_400) + 86_400) % 86_400) / 3_600);
  };
  const rowsOf = (name: string, expected: number) =>
    Array.from(counts, (count, index) => ({ index, count }))
      .filter(({ index }) => hourAt(index) === Number(name))
      .map(({ index, count }) => ({
        index,
        name,
        count,
        expected,
        off:
          expected === 0
            ? count === 0
              ? 0
              : Number.POSITIVE_INFINITY
            : Math.abs(count - expected) / expected,
      }));
  return {
    see: (micros, length) => {
      for (let at = 0; at < length; at++) {
        const index = Math.floor(((micros[at] as number) - from) / MICROS_PER_HOUR);
        if (index >= 0 && index < hours) counts[index] = (counts[index] ?? 0) + 1;
      }
    },
    end: () => {
      const expected = Object.entries(per_hour);
      const absent = expected.filter(([name, count]) => rowsOf(name, count).length === 0);
      if (absent.length > 0) {
        const names = absent.map(([name]) => name).join(', ');
        return failed(`hour ${names} is outside of the range`);
      }
      const rows = expected.flatMap(([name, count]) => rowsOf(name, count));
      const wrong = rows.filter(({ off }) => off > tolerance);
      const total = counts.reduce((sum, count) => sum + count, 0);
      const measured = `${plural(total, 'timestamp')} in ${plural(hours, 'hour')}`;
      if (wrong.length === 0) return passed(measured);
      const shown = wrong
        .slice(0, MAX_SHOWN)
        .map(
          ({ name, index, count, expected: wanted }) =>
            `hour ${name}${hours > 24 ? ` of day ${Math.floor(index / 24) + 1}` : ''}: expected ${showCount(wanted)} ± ${showCheckedShare(tolerance * 100)} %, measured ${showCount(count)}`,
        );
      const rest = wrong.length > MAX_SHOWN ? [`and ${plural(wrong.length - MAX_SHOWN, 'more hour')}`] : [];
      return failed(measured, [...shown, ...rest]);
    },
  };
};
