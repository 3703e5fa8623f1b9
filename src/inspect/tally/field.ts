import { TOP_VALUES } from '../limits.js';
import { FIELD_TYPES, type FieldReport, type FieldType, type TopValue } from '../report.js';
import { hashOf } from './hash.js';
import { rangeTally } from './range.js';
import { type CharBudget, type CountedValue, valueCounts } from './valueCounts.js';

/** First character of a key: type of the value. A capital letter marks a cut value. */
const MARKS = 'zbinsao';
const HASH_CHARS = 16;

const hex8 = (value: number): string => value.toString(16).padStart(8, '0');

const topValue = ({ key, count, is_exact }: CountedValue, values: number): TopValue => {
  const mark = key.slice(0, 1);
  const isCut = mark !== mark.toLowerCase();
  return {
    value: key.slice(1, isCut ? -HASH_CHARS : undefined),
    type: FIELD_TYPES[MARKS.indexOf(mark.toLowerCase())] as FieldType,
    count,
    share: count / values,
    is_exact,
    is_cut: isCut,
  };
};

export interface FieldTally {
  /** `text`: the value as in the event, a string decoded. `event`: its number. */
  readonly addScalar: (type: FieldType, text: string, event: number) => void;
  /** An array or an object that counts as a value. */
  readonly addContainer: (type: 'array' | 'object', items: number, event: number) => void;
  readonly isPartlyCounted: () => boolean;
  readonly hasCutValues: () => boolean;
  readonly report: (path: string, events: number) => FieldReport;
}

export const fieldTally = (
  { max_values, max_shown_chars }: { readonly max_values: number; readonly max_shown_chars: number },
  budget: CharBudget,
): FieldTally => {
  const counts = valueCounts(max_values, budget);
  const types = new Map<FieldType, number>();
  const numbers = rangeTally();
  const lengths = rangeTally();
  const items = rangeTally();
  let values = 0;
  let events = 0;
  let lastEvent = -1;
  let outOfRange = 0;
  let hasCut = false;

  const see = (type: FieldType, event: number): void => {
    values++;
    if (event !== lastEvent) {
      events++;
      lastEvent = event;
    }
    types.set(type, (types.get(type) ?? 0) + 1);
  };

  /** The sum makes a text of its own: a slice would keep the whole event in memory. */
  const keyOf = (type: FieldType, text: string): string => {
    const mark = MARKS[FIELD_TYPES.indexOf(type)] as string;
    if (text.length <= max_shown_chars) return mark + text;
    hasCut = true;
    const { high, low } = hashOf(text);
    return mark.toUpperCase() + text.slice(0, max_shown_chars) + hex8(high) + hex8(low);
  };

  const addNumber = (text: string): void => {
    const value = Number(text);
    if (Number.isFinite(value)) numbers.add(value);
    else outOfRange++;
  };

  return {
    addScalar: (type, text, event) => {
      see(type, event);
      if (type === 'string') lengths.add(text.length);
      else if (type === 'integer' || type === 'number') addNumber(text);
      counts.add(keyOf(type, text));
    },
    addContainer: (type, size, event) => {
      see(type, event);
      if (type === 'array') items.add(size);
    },
    isPartlyCounted: () => !counts.distinct().is_exact,
    hasCutValues: () => hasCut,
    report: (path, all) => ({
      path,
      events,
      share: all === 0 ? 0 : events / all,
      values,
      types: Object.fromEntries(
        FIELD_TYPES.flatMap((type) => {
          const count = types.get(type);
          return count === undefined ? [] : [[type, count]];
        }),
      ),
      distinct: counts.distinct(),
      top: counts.top(TOP_VALUES).map((counted) => topValue(counted, values)),
      entropy_bits: counts.entropyBits(),
      numbers: numbers.range(),
      out_of_range: outOfRange,
      length: lengths.range(),
      items: items.range(),
    }),
  };
};
