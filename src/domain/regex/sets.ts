/** Test of a character: a code point or UTF-16 unit. */
export type CharTest = (code: number) => boolean;

export type SetItem =
  | { readonly kind: 'range'; readonly from: number; readonly to: number }
  | { readonly kind: 'class'; readonly code: ClassCode };

export type ClassCode = 'd' | 'D' | 's' | 'S' | 'w' | 'W';

const SPACE = '\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';

const UNICODE: Readonly<Record<'d' | 's' | 'w', RegExp>> = {
  d: /\p{Nd}/u,
  s: new RegExp(`[${SPACE}]`, 'u'),
  w: /[\p{L}\p{N}_]/u,
};
const ASCII: Readonly<Record<'d' | 's' | 'w', RegExp>> = { d: /[0-9]/, s: /[\t-\r ]/, w: /[0-9A-Za-z_]/ };

const ASCII_SIZE = 128;

const tabled = (test: CharTest): CharTest => {
  const table = Uint8Array.from({ length: ASCII_SIZE }, (_, code) => Number(test(code)));
  return (code) => (code < ASCII_SIZE ? table[code] === 1 : test(code));
};

const classOf = (code: ClassCode, isAscii: boolean): CharTest => {
  const name = code.toLowerCase() as 'd' | 's' | 'w';
  const pattern = isAscii ? ASCII[name] : UNICODE[name];
  const isIn = code === name;
  return tabled((each) => pattern.test(String.fromCodePoint(each)) === isIn);
};

const KNOWN = new Map<string, CharTest>();

export const classTest = (code: ClassCode, isAscii: boolean): CharTest => {
  const key = `${code}${isAscii}`;
  const known = KNOWN.get(key) ?? classOf(code, isAscii);
  KNOWN.set(key, known);
  return known;
};

const only = (text: string): number | undefined => {
  const code = text.codePointAt(0);
  return code !== undefined && text.length === (code > 0xffff ? 2 : 1) ? code : undefined;
};

export const folded = (code: number, isAscii: boolean): number => {
  if (code < ASCII_SIZE) return code >= 65 && code <= 90 ? code + 32 : code;
  if (isAscii) return code;
  const character = String.fromCodePoint(code);
  return only(character.toUpperCase().toLowerCase()) ?? only(character.toLowerCase()) ?? code;
};

export const setTest = (
  items: readonly SetItem[],
  isNegated: boolean,
  flags: { readonly isAscii: boolean; readonly ignoresCase: boolean },
): CharTest => {
  const tests = items.map(
    (item): CharTest =>
      item.kind === 'class'
        ? classTest(item.code, flags.isAscii)
        : (code) => code >= item.from && code <= item.to,
  );
  const plain: CharTest = (code) => tests.some((test) => test(code));
  if (!flags.ignoresCase) return tabled((code) => plain(code) !== isNegated);
  const others = (code: number): readonly number[] => {
    const fold = folded(code, flags.isAscii);
    if (flags.isAscii) return fold >= 97 && fold <= 122 ? [fold, fold - 32] : [fold];
    return [fold, only(String.fromCodePoint(fold).toUpperCase()) ?? fold];
  };
  return tabled((code) => (plain(code) || others(code).some(plain)) !== isNegated);
};
