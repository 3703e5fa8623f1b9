import { raise } from '../../errors.js';
import { checkLength } from '../../limits.js';
import { charactersOf } from '../../text/pieces.js';
import { isInt, TemplateObject, typeName, type Value } from '../value.js';

export class PySlice extends TemplateObject {
  /** False if a bound is no int. Computed once: most slices are constants. */
  readonly isValid: boolean;

  constructor(
    readonly start: Value,
    readonly stop: Value,
    readonly step: Value,
  ) {
    super();
    this.isValid = [start, stop, step].every((each) => each === null || asIndex(each) !== undefined);
  }
  get typeName(): string {
    return 'slice';
  }
}

/** Clamped to the safe range; `undefined` for other types. */
export const asIndex = (value: Value): number | undefined => {
  if (typeof value === 'boolean') return Number(value);
  if (!isInt(value)) return undefined;
  if (typeof value === 'number') return value;
  return value > 0n ? Number.MAX_SAFE_INTEGER : Number.MIN_SAFE_INTEGER;
};

export const asRepeat = (value: Value): number | undefined =>
  typeof value === 'bigint' && BigInt.asIntN(64, value) !== value
    ? raise('OverflowError', "cannot fit 'int' into an index-sized integer")
    : asIndex(value);

export const needIndex = (value: Value): number =>
  asIndex(value) ?? raise('TypeError', `'${typeName(value)}' object cannot be interpreted as an integer`);

/** Returns the position that an index stands for, or null when the key is no index or out of range. */
export const subscriptIndexOf = (key: Value, length: number): number | null => {
  const index = asIndex(key);
  if (index === undefined) return null;
  const at = index < 0 ? index + length : index;
  return at >= 0 && at < length ? at : null;
};

const bound = (value: Value, length: number, step: number, whenNone: number): number => {
  if (value === null) return whenNone;
  const index = asIndex(value);
  if (index === undefined) {
    return raise('TypeError', 'slice indices must be integers or None or have an __index__ method');
  }
  const [low, high] = step > 0 ? [0, length] : [-1, length - 1];
  const at = index < 0 ? index + length : index;
  return Math.min(Math.max(at, low), high);
};

export interface SliceSpan {
  readonly start: number;
  readonly stop: number;
  readonly step: number;
  readonly count: number;
}

export const spanOf = (slice: PySlice, length: number): SliceSpan => {
  const step = slice.step === null ? 1 : asIndex(slice.step);
  if (step === undefined) {
    return raise('TypeError', 'slice indices must be integers or None or have an __index__ method');
  }
  if (step === 0) return raise('ValueError', 'slice step cannot be zero');
  const start = bound(slice.start, length, step, step > 0 ? 0 : length - 1);
  const stop = bound(slice.stop, length, step, step > 0 ? length : -1);
  return { start, stop, step, count: Math.max(0, Math.ceil((stop - start) / step)) };
};

export const sliceItems = <T>(items: readonly T[], slice: PySlice): T[] => {
  const { start, step, count } = spanOf(slice, items.length);
  if (step === 1) return items.slice(start, start + count);
  return Array.from({ length: count }, (_, i) => items[start + i * step] as T);
};

export const textItem = (text: string, key: Value): string | undefined => {
  const characters = charactersOf(text);
  if (key instanceof PySlice) {
    if (typeof characters !== 'string') return sliceItems(characters, key).join('');
    const isPlain = key.step === null || key.step === 1;
    const start = key.start === null ? 0 : asIndex(key.start);
    const stop = key.stop === null ? characters.length : asIndex(key.stop);
    if (isPlain && start !== undefined && stop !== undefined) return characters.slice(start, stop);
    return sliceItems(Array.from(characters), key).join('');
  }
  const index = subscriptIndexOf(key, characters.length);
  return index === null ? undefined : characters[index];
};

export const repeatText = (text: string, count: Value): string | undefined => {
  const times = asRepeat(count);
  if (times === undefined) return undefined;
  if (times <= 0 || text === '') return '';
  checkLength(text.length * times);
  return text.repeat(times);
};
