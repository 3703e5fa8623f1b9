/** A pattern as a tree. Flags are resolved: each node knows whether it ignores case. */
export type Node =
  | { readonly kind: 'empty' }
  | { readonly kind: 'char'; readonly code: number; readonly flags: Flags }
  | { readonly kind: 'any'; readonly flags: Flags }
  | {
      readonly kind: 'set';
      readonly items: readonly SetItem[];
      readonly isNegated: boolean;
      readonly flags: Flags;
    }
  | { readonly kind: 'sequence'; readonly parts: readonly Node[] }
  | { readonly kind: 'either'; readonly branches: readonly Node[] }
  | {
      readonly kind: 'repeat';
      readonly body: Node;
      readonly min: number;
      readonly max: number;
      readonly how: 'greedy' | 'lazy' | 'possessive';
    }
  | { readonly kind: 'group'; readonly body: Node; readonly index: number }
  | { readonly kind: 'atomic'; readonly body: Node }
  | {
      readonly kind: 'look';
      readonly body: Node;
      readonly isBehind: boolean;
      readonly isNegated: boolean;
    }
  | { readonly kind: 'assert'; readonly what: Assertion; readonly flags: Flags }
  | { readonly kind: 'reference'; readonly index: number; readonly flags: Flags }
  | { readonly kind: 'condition'; readonly index: number; readonly then: Node; readonly otherwise: Node };

/** `start` and `end` of the text; `lineStart` and `lineEnd`: `^` and `$`. */
export type Assertion = 'start' | 'end' | 'lineStart' | 'lineEnd' | 'boundary' | 'noBoundary';

export interface Flags {
  readonly ignoresCase: boolean;
  readonly isMultiline: boolean;
  readonly dotMatchesAll: boolean;
  readonly isVerbose: boolean;
  readonly isAscii: boolean;
}

export const NO_FLAGS: Flags = {
  ignoresCase: false,
  isMultiline: false,
  dotMatchesAll: false,
  isVerbose: false,
  isAscii: false,
};

/** Worded as in Python's `re`. */
export class PatternError extends Error {
  constructor(
    message: string,
    readonly position: number,
  ) {
    super(`${message} at position ${position}`);
  }
}

export const EMPTY: Node = { kind: 'empty' };

export const sequenceOf = (parts: readonly Node[]): Node =>
  parts.length === 1 ? (parts[0] ?? EMPTY) : parts.length === 0 ? EMPTY : { kind: 'sequence', parts };

/** Returns the fixed width of a node, or null when it is variable or unknown. */
export const widthOf = (node: Node): number | null => {
  switch (node.kind) {
    case 'empty':
    case 'assert':
    case 'look':
      return 0;
    case 'char':
    case 'any':
    case 'set':
      return 1;
    case 'sequence':
      return node.parts.reduce<number | null>((sum, part) => {
        const width = widthOf(part);
        return sum === null || width === null ? null : sum + width;
      }, 0);
    case 'either': {
      const widths = node.branches.map(widthOf);
      const [first = null] = widths;
      return widths.every((width) => width === first) ? first : null;
    }
    case 'repeat': {
      const width = widthOf(node.body);
      return width !== null && node.min === node.max ? width * node.min : null;
    }
    case 'group':
    case 'atomic':
      return widthOf(node.body);
    case 'condition': {
      const width = widthOf(node.then);
      return width === widthOf(node.otherwise) ? width : null;
    }
    case 'reference':
      return null;
  }
};

export const canBeEmpty = (node: Node): boolean => {
  switch (node.kind) {
    case 'char':
    case 'any':
    case 'set':
      return false;
    case 'sequence':
      return node.parts.every(canBeEmpty);
    case 'either':
      return node.branches.some(canBeEmpty);
    case 'repeat':
      return node.min === 0 || canBeEmpty(node.body);
    case 'group':
    case 'atomic':
      return canBeEmpty(node.body);
    default:
      return true;
  }
};

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

export const foldedSet = (code: number, isAscii: boolean): number => {
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
    const fold = foldedSet(code, flags.isAscii);
    if (flags.isAscii) return fold >= 97 && fold <= 122 ? [fold, fold - 32] : [fold];
    return [fold, only(String.fromCodePoint(fold).toUpperCase()) ?? fold];
  };
  return tabled((code) => (plain(code) || others(code).some(plain)) !== isNegated);
};

export class RegexReader {
  at = 0;
  private readonly characters: readonly string[];

  constructor(pattern: string) {
    this.characters = Array.from(pattern);
  }
  get isAtEnd(): boolean {
    return this.at >= this.characters.length;
  }
  peek(offset = 0): string {
    return this.characters[this.at + offset] ?? '';
  }
  next(): string {
    return this.characters[this.at++] ?? '';
  }
  take(text: string): boolean {
    if (this.characters.slice(this.at, this.at + text.length).join('') !== text) return false;
    this.at += text.length;
    return true;
  }
  while(test: RegExp, most = Number.POSITIVE_INFINITY): string {
    let text = '';
    while (text.length < most && !this.isAtEnd && test.test(this.peek())) text += this.next();
    return text;
  }
  upTo(end: string, what: string): string {
    const from = this.at;
    let text = '';
    for (;;) {
      if (this.isAtEnd) throw new PatternError(`missing ${end}, ${what}`, from);
      const character = this.next();
      if (character === end) return text;
      text += character;
    }
  }
}

const CONTROL: Readonly<Record<string, number>> = { a: 7, b: 8, f: 12, n: 10, r: 13, t: 9, v: 11 };
const HEX_DIGITS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };
const HEX = /[0-9a-fA-F]/;
const OCTAL = /[0-7]/;

type Escape =
  | { readonly kind: 'char'; readonly code: number }
  | { readonly kind: 'class'; readonly code: ClassCode }
  | { readonly kind: 'other'; readonly letter: string };

const hex = (reader: RegexReader, letter: string, from: number): Escape => {
  const count = HEX_DIGITS[letter] ?? 0;
  const digits = reader.while(HEX, count);
  const code = Number.parseInt(digits, 16);
  if (digits.length < count) throw new PatternError(`incomplete escape \\${letter}${digits}`, from);
  if (code > 0x10_ffff) throw new PatternError(`bad escape \\${letter}${digits}`, from);
  return { kind: 'char', code };
};

/** Reads an escape after its backslash; `other`: an assertion or a reference. */
export const readEscape = (reader: RegexReader, isInSet: boolean): Escape => {
  const from = reader.at - 1;
  if (reader.isAtEnd) throw new PatternError('bad escape (end of pattern)', from);
  const letter = reader.next();
  if (/[dDsSwW]/.test(letter)) return { kind: 'class', code: letter as ClassCode };
  if (letter in HEX_DIGITS) return hex(reader, letter, from);
  if (letter === '0') return { kind: 'char', code: Number.parseInt(`0${reader.while(OCTAL, 2)}`, 8) };
  if (OCTAL.test(letter) && (isInSet || isLongOctal(reader, letter))) {
    const digits = letter + reader.while(OCTAL, 2);
    const code = Number.parseInt(digits, 8);
    if (code > 0o377) throw new PatternError(`octal escape value \\${digits} outside of range 0-0o377`, from);
    return { kind: 'char', code };
  }
  const control = CONTROL[letter];
  if (control !== undefined && (letter !== 'b' || isInSet)) return { kind: 'char', code: control };
  if (/[A-Za-z0-9]/.test(letter)) {
    if (!isInSet && /[AZbB1-9]/.test(letter)) return { kind: 'other', letter };
    throw new PatternError(`bad escape \\${letter}`, from);
  }
  return { kind: 'char', code: letter.codePointAt(0) ?? 0 };
};

const isLongOctal = (reader: RegexReader, first: string): boolean =>
  /[0-3]/.test(first) && OCTAL.test(reader.peek()) && OCTAL.test(reader.peek(1));
