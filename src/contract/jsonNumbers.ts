/** A number that JavaScript would change, with its path. */
interface LostNumber {
  readonly path: readonly string[];
  readonly message: string;
}

const [QUOTE, BACKSLASH, COMMA, MINUS, ZERO, NINE] = [...'"\\,-09'].map((one) => one.charCodeAt(0));

/** Digits of integers that are always exact. */
const SAFE_LENGTH = 15;
const BEYOND = 'is too large for a number';
const DIGITS_LOST = 'is an integer with too many digits for a number. Quote it to keep it as text';

/** The error of a number; `null` if it keeps its value. */
const flawOf = (written: string): string | null => {
  const value = Number(written);
  if (!Number.isFinite(value)) return BEYOND;
  if (!/^-?\d+$/.test(written) || Number.isSafeInteger(value) || String(value) === written) return null;
  return BigInt(written) === BigInt(value) ? null : DIGITS_LOST;
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

const isNumberPart = (code: number): boolean =>
  (code >= (ZERO as number) && code <= (NINE as number)) ||
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

const afterSpace = (json: string, from: number): number => {
  let at = from;
  while (/\s/.test(json.charAt(at))) at++;
  return at;
};

/** The first number that would change. Only long numbers and exponents are parsed. */
const firstLost = (json: string): { readonly at: number; readonly message: string } | null => {
  for (let at = 0; at < json.length; ) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) at = afterText(json, at);
    else if (code === MINUS || (code >= (ZERO as number) && code <= (NINE as number))) {
      const end = afterNumber(json, at);
      const written = json.slice(at, end);
      const message = written.length > SAFE_LENGTH || /e/i.test(written) ? flawOf(written) : null;
      if (message !== null) return { at, message };
      at = end;
    } else at++;
  }
  return null;
};

/** Keys and positions around an offset of valid JSON. */
const pathTo = (json: string, offset: number): readonly string[] => {
  const open: { key: string; index: number }[] = [];
  for (let at = 0; at < offset; ) {
    const code = json.charCodeAt(at);
    const inner = open.at(-1);
    if (code === QUOTE) {
      const end = afterText(json, at);
      // The next key replaces a string value that was taken for a key.
      if (inner !== undefined && inner.index < 0 && json[afterSpace(json, end)] === ':')
        inner.key = JSON.parse(json.slice(at, end)) as string;
      at = end;
      continue;
    }
    const character = json[at];
    if (character === '{') open.push({ key: '', index: -1 });
    else if (character === '[') open.push({ key: '', index: 0 });
    else if (character === '}' || character === ']') open.pop();
    else if (code === COMMA && inner !== undefined && inner.index >= 0) inner.index++;
    at++;
  }
  return open.map(({ key, index }) => (index < 0 ? key : String(index)));
};

/** The first number of a valid JSON text with too many digits or beyond the largest number. Takes linear time. */
export const lostNumber = (json: string): LostNumber | null => {
  const found = firstLost(json);
  return found === null ? null : { path: pathTo(json, found.at), message: found.message };
};
