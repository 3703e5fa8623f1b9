import type { ClassCode } from './sets.js';
import { PatternError } from './syntax.js';

export class Reader {
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

export type Escape =
  | { readonly kind: 'char'; readonly code: number }
  | { readonly kind: 'class'; readonly code: ClassCode }
  | { readonly kind: 'other'; readonly letter: string };

const hex = (reader: Reader, letter: string, from: number): Escape => {
  const count = HEX_DIGITS[letter] ?? 0;
  const digits = reader.while(HEX, count);
  const code = Number.parseInt(digits, 16);
  if (digits.length < count) throw new PatternError(`incomplete escape \\${letter}${digits}`, from);
  if (code > 0x10_ffff) throw new PatternError(`bad escape \\${letter}${digits}`, from);
  return { kind: 'char', code };
};

/** Reads an escape after its backslash; `other`: an assertion or a reference. */
export const readEscape = (reader: Reader, isInSet: boolean): Escape => {
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

const isLongOctal = (reader: Reader, first: string): boolean =>
  /[0-3]/.test(first) && OCTAL.test(reader.peek()) && OCTAL.test(reader.peek(1));
