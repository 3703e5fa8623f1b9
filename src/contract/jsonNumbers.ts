/** What JavaScript would lose of a JSON text: digits of a number, or the first of two equal keys. */
interface JsonLoss {
  readonly path: readonly string[];
  readonly type: 'out_of_range' | 'conflict';
  readonly message: string;
}

const [QUOTE, BACKSLASH, MINUS, ZERO, NINE] = [...'"\\-09'].map((one) => one.charCodeAt(0));

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

/** The offset behind a string that starts at `from`. */
const afterText = (json: string, from: number): number => {
  let at = from + 1;
  while (at < json.length) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    at += code === BACKSLASH ? 2 : 1;
  }
  return at;
};

const isDigit = (code: number): boolean => code >= (ZERO as number) && code <= (NINE as number);

const isNumberPart = (code: number): boolean =>
  isDigit(code) ||
  code === MINUS ||
  // + . e E
  code === 0x2b ||
  code === 0x2e ||
  code === 0x65 ||
  code === 0x45;

const afterNumber = (json: string, from: number): number => {
  let at = from + 1;
  while (at < json.length && isNumberPart(json.charCodeAt(at))) at++;
  return at;
};

/** An open object with its keys, or an open list with the index of its item. */
interface Level {
  readonly keys: Set<string> | null;
  key: string;
  index: number;
  /** Whether the next string is a key. */
  awaitsKey: boolean;
}

const pathOf = (open: readonly Level[]): readonly string[] =>
  open.map(({ keys, key, index }) => (keys === null ? String(index) : key));

/** Notes a key; false if the object has it already. */
const addKey = (level: Level, quoted: string): boolean => {
  const key = quoted.includes('\\') ? (JSON.parse(quoted) as string) : quoted.slice(1, -1);
  level.key = key;
  level.awaitsKey = false;
  const { size } = level.keys ?? new Set();
  return level.keys?.add(key).size !== size;
};

/** Follows a bracket or comma. */
const step = (open: Level[], character: string | undefined): void => {
  const inner = open.at(-1);
  if (character === '{') open.push({ keys: new Set(), key: '', index: -1, awaitsKey: true });
  else if (character === '[') open.push({ keys: null, key: '', index: 0, awaitsKey: false });
  else if (character === '}' || character === ']') open.pop();
  else if (character === ',' && inner !== undefined) {
    inner.index++;
    inner.awaitsKey = inner.keys !== null;
  }
};

/**
 * The first loss of a valid JSON text: a number with too many digits, beyond the largest or below the smallest
 * number, or a key that an object has twice. Takes linear time: only long numbers and exponents are parsed.
 */
export const lossOf = (json: string): JsonLoss | null => {
  const open: Level[] = [];
  for (let at = 0; at < json.length; ) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) {
      const end = afterText(json, at);
      const level = open.at(-1);
      if (level?.awaitsKey === true && !addKey(level, json.slice(at, end)))
        return { path: pathOf(open), type: 'conflict', message: 'is there twice. Remove one of the two' };
      at = end;
    } else if (code === MINUS || isDigit(code)) {
      const end = afterNumber(json, at);
      const written = json.slice(at, end);
      const message = written.length > SAFE_LENGTH || /e/i.test(written) ? flawOf(written) : null;
      if (message !== null) return { path: pathOf(open), type: 'out_of_range', message };
      at = end;
    } else step(open, json[at++]);
  }
  return null;
};
