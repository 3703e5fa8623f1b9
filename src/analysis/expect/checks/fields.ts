import { pointerReader, valueText } from '../../../domain/json.js';
import { plural, showCount } from '../../../domain/text/shown.js';
import {
  type Checker,
  failed,
  type Offender,
  passed,
  type SeenEvent,
  showCheckedShare,
  showValue,
} from '../checker.js';
import type { ParamsOf } from '../format.js';

/** Values shown beside those expected. */
const MAX_SHOWN = 10;
/** Different values that are counted; more are counted together. */
const MAX_VALUES = 1_000_000;

const noField = (field: string, seen: number) =>
  failed(`none of ${plural(seen, 'event')} has ${field || 'the root'}`);

/** Share of each value within an absolute tolerance. */
export const sharesChecker = ({ field, values, tolerance }: ParamsOf<'shares'>): Checker => {
  const read = pointerReader(field);
  const counts = new Map<string, number>();
  let [seen, total] = [0, 0];
  return {
    see: ({ value }) => {
      seen++;
      const found = read(value);
      if (found === undefined) return;
      total++;
      const name = valueText(found);
      const count = counts.get(name);
      if (count !== undefined || counts.size < MAX_VALUES) counts.set(name, (count ?? 0) + 1);
    },
    end: () => {
      if (total === 0) return noField(field, seen);
      const rows = Object.entries(values).map(([name, expected]) => {
        const count = counts.get(name) ?? 0;
        return { name, expected, count, off: Math.abs(count / total - expected) };
      });
      const wrong = rows.filter(({ off }) => off > tolerance);
      const worst = rows.reduce((most, { off }) => Math.max(most, off), 0);
      const measured = `largest difference ${showCheckedShare(worst)} over ${plural(total, 'event')}`;
      if (wrong.length === 0) return passed(measured);
      const differences = wrong.map(
        ({ name, expected, count }) =>
          `${showValue(name)}: expected ${showCheckedShare(expected)} ± ${showCheckedShare(tolerance)}, measured ${showCheckedShare(count / total)} (${showCount(count)} of ${showCount(total)})`,
      );
      const others = [...counts]
        .filter(([name]) => !Object.hasOwn(values, name))
        .sort(([, a], [, b]) => b - a)
        .slice(0, MAX_SHOWN)
        .map(([name, count]) => `${showValue(name)} ${showCheckedShare(count / total)}`);
      const rest = others.length === 0 ? [] : [`other values: ${others.join(', ')}`];
      return failed(measured, [...differences, ...rest]);
    },
  };
};

/** For each key, a value of the sequence only after all earlier ones. */
export const orderChecker = ({ key, field, sequence }: ParamsOf<'order'>): Checker => {
  const [readKey, readField] = [pointerReader(key), pointerReader(field)];
  const places = new Map(sequence.map((name, place) => [name, place]));
  const seenOf = new Map<string, number>();
  let [broken, inSequence, laterOnes]: [number, number, number] = [0, 0, 0];
  let first: Offender | null = null;
  let difference = '';
  const breach = (event: SeenEvent, id: string, place: number, seen: number): void => {
    broken++;
    if (first !== null) return;
    first = event;
    const missing = sequence.slice(0, place).filter((_, earlier) => (seen & (1 << earlier)) === 0);
    difference = `${showValue(id)}: ${showValue(sequence[place] ?? '')} before ${missing.map(showValue).join(', ')}`;
  };
  return {
    see: (event) => {
      const id = readKey(event.value);
      const value = readField(event.value);
      const place = value === undefined ? undefined : places.get(valueText(value));
      if (id === undefined || place === undefined) return;
      inSequence++;
      const name = valueText(id);
      const seen = seenOf.get(name) ?? 0;
      if (place > 0) laterOnes++;
      const needed = (1 << place) - 1;
      if ((seen & needed) !== needed) breach(event, name, place, seen);
      seenOf.set(name, seen | (1 << place));
    },
    end: () => {
      if (inSequence === 0) return failed(`no event has ${key} and a value of the sequence in ${field}`);
      if (laterOnes === 0) return failed(`no event has a value behind ${showValue(sequence[0] ?? '')}`);
      const measured = `${plural(inSequence, 'event')} of ${plural(seenOf.size, 'key')}`;
      return broken === 0
        ? passed(`${measured} in order`)
        : failed(`${plural(broken, 'event')} out of order among ${measured}`, [difference], first);
    },
  };
};

const rangeText = (min: number | null, max: number | null): string =>
  [min === null ? '' : `at least ${showCount(min)}`, max === null ? '' : `at most ${showCount(max)}`]
    .filter((part) => part !== '')
    .join(', ');

export const distinctChecker = ({ field, min, max }: ParamsOf<'distinct'>): Checker => {
  const read = pointerReader(field);
  const values = new Set<string>();
  let [seen, total] = [0, 0];
  return {
    see: ({ value }) => {
      seen++;
      const found = read(value);
      if (found === undefined) return;
      total++;
      if (values.size <= MAX_VALUES) values.add(valueText(found));
    },
    end: () => {
      if (total === 0) return noField(field, seen);
      const { size } = values;
      const shown = size > MAX_VALUES ? `more than ${showCount(MAX_VALUES)}` : showCount(size);
      const measured = `${shown} different ${size === 1 ? 'value' : 'values'} in ${plural(total, 'event')}`;
      return (min !== null && size < min) || (max !== null && size > max)
        ? failed(measured, [`expected ${rangeText(min, max)}, measured ${shown}`])
        : passed(measured);
    },
  };
};
