import { walkJson } from '../domain/jsonWalk.js';

/** What JavaScript would lose of a JSON text: digits of a number, or the first of two equal keys. */
interface JsonLoss {
  readonly path: readonly string[];
  readonly type: 'out_of_range' | 'conflict';
  readonly message: string;
}

/** Numbers with so few characters keep their value, unless they have an exponent. */
const SAFE_LENGTH = 15;
/** Significant digits that tell any two numbers apart. Programs print so many, and the last may differ. */
const PRINTED_DIGITS = 17;
/** Significant digits that `toPrecision` prints at most. */
const MAX_PRECISION = 100;
/** Smaller numbers have fewer digits. */
const SMALLEST_NORMAL = 2 ** -1022;

const BEYOND = 'is too large for a number';
const TOO_SMALL = 'is too small for a number: it would become 0';
const DIGITS_LOST = 'has too many digits for a number. Quote it to keep it as text';

/** Significant digits: those of 0.00120 are 12. */
const digitsOf = (written: string): string =>
  written.replace(/e.*$/i, '').replace(/[-.]/g, '').replace(/^0+/, '').replace(/0+$/, '');

/** The error of a number; null when it keeps its value, or prints as it was written. */
const flawOf = (written: string): string | null => {
  const value = Number(written);
  if (!Number.isFinite(value)) return BEYOND;
  const whole = /^(-?\d+)(?:\.0+)?$/.exec(written)?.[1];
  if (whole !== undefined) {
    if (Number.isSafeInteger(value) || String(value) === whole) return null;
    return BigInt(whole) === BigInt(value) ? null : DIGITS_LOST;
  }
  const digits = digitsOf(written);
  if (value === 0) return digits === '' ? null : TOO_SMALL;
  if (digits.length <= PRINTED_DIGITS && Math.abs(value) >= SMALLEST_NORMAL) return null;
  if (digits.length > MAX_PRECISION) return DIGITS_LOST;
  return digitsOf(value.toPrecision(digits.length)) === digits ? null : DIGITS_LOST;
};

/** An open object with its keys, or an open list with the index of its item. */
interface Level {
  readonly keys: Set<string> | null;
  key: string;
  index: number;
}

const pathOf = (open: readonly Level[]): readonly string[] =>
  open.map(({ keys, key, index }) => (keys === null ? String(index) : key));

/**
 * The first loss of a valid JSON text: a number with too many digits, beyond the largest or below the smallest
 * number, or a key that an object has twice. Takes linear time: only long numbers and exponents are parsed.
 */
export const lossOf = (json: string): JsonLoss | null => {
  const open: Level[] = [];
  let loss: JsonLoss | null = null;
  const note = (type: JsonLoss['type'], message: string): void => {
    loss ??= { path: pathOf(open), type, message };
  };
  const count = (): void => {
    const inner = open.at(-1);
    if (inner?.keys === null) inner.index++;
  };
  walkJson(json, {
    name: (key) => {
      const inner = open.at(-1) as Level;
      const { size } = inner.keys as Set<string>;
      inner.key = key;
      if (inner.keys?.add(key).size === size) note('conflict', 'is there twice. Remove one of the two');
    },
    scalar: (type, written) => {
      count();
      if (type !== 'number' && type !== 'integer') return;
      const message = written.length > SAFE_LENGTH || /e/i.test(written) ? flawOf(written) : null;
      if (message !== null) note('out_of_range', message);
    },
    open: (isArray) => {
      count();
      open.push({ keys: isArray ? null : new Set(), key: '', index: -1 });
    },
    close: () => open.pop(),
  });
  return loss;
};
