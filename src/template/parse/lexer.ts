import { isIdentifier, SPACE, stripped } from '../text/characters.js';
import { floatOf, intOf } from '../values/value.js';
import { fail, type Token, type Whitespace } from './cursor.js';

const sticky = (source: string): RegExp => new RegExp(source, 'uy');

const TAG = /\{\{|\{%|\{#/g;
const RAW = sticky(`\\{%([-+]?)[${SPACE}]*raw[${SPACE}]*(-%\\}[${SPACE}]*|%\\})`);
const END_RAW = new RegExp(`\\{%([-+]?)[${SPACE}]*endraw[${SPACE}]*(\\+%\\}|-%\\}[${SPACE}]*|%\\})`, 'gu');
const END_COMMENT = new RegExp(`\\+#\\}|-#\\}[${SPACE}]*|#\\}`, 'gu');
const END_BLOCK = sticky(`\\+%\\}|-%\\}[${SPACE}]*|%\\}`);
const END_VARIABLE = sticky(`-\\}\\}[${SPACE}]*|\\}\\}`);

const BLANK = sticky(`[${SPACE}]+`);
const FLOAT = sticky(
  '(?<!\\.)(?:\\d+_)*\\d+(?:(?:\\.(?:\\d+_)*\\d+)?[eE][+\\-]?(?:\\d+_)*\\d+|\\.(?:\\d+_)*\\d+)',
);
const INTEGER = sticky(
  '0[bB](?:_?[01])+|0[oO](?:_?[0-7])+|0[xX](?:_?[0-9a-fA-F])+|[1-9](?:_?\\d)*|0(?:_?0)*',
);
const NAME = sticky('[\\p{L}\\p{N}\\p{Pc}\\p{M}]+');
const STRING = sticky(`'[^'\\\\]*(?:\\\\[^][^'\\\\]*)*'|"[^"\\\\]*(?:\\\\[^][^"\\\\]*)*"`);
const OPERATOR = sticky('\\/\\/|\\*\\*|==|!=|>=|<=|[+\\-/*%~\\[\\](){}><=.:|,;]');

const CLOSING: Readonly<Record<string, string>> = { '{': '}', '(': ')', '[': ']' };

/** Converts line ends to `\n`; strips one at the end unless trimmed. */
export const normalised = (source: string, keepTrailingNewline: boolean): string => {
  const text = source.replace(/\r\n?/g, '\n');
  return !keepTrailingNewline && text.endsWith('\n') ? text.slice(0, -1) : text;
};

class Lexer {
  private readonly tokens: Token[] = [];
  private at = 0;

  constructor(
    private readonly source: string,
    private readonly whitespace: Whitespace,
  ) {}

  private matchAt(pattern: RegExp): string | null {
    pattern.lastIndex = this.at;
    return pattern.exec(this.source)?.[0] ?? null;
  }

  /** Text before a tag, trimmed by the tag's sign. */
  private addText(text: string, from: number, sign: string, isVariable: boolean): void {
    let trimmed = text;
    if (sign === '-') trimmed = stripped(text, null, 'right');
    else if (sign !== '+' && this.whitespace.lstrip_blocks && !isVariable) {
      const line = text.lastIndexOf('\n') + 1;
      const startsLine = line > 0 || from === 0 || this.source[from - 1] === '\n';
      const blanks = text.slice(line);
      if (startsLine && blanks !== '' && stripped(blanks, null, 'left') === '') trimmed = text.slice(0, line);
    }
    if (trimmed !== '') this.tokens.push({ type: 'data', value: trimmed, at: from });
  }

  /** Position after a block or comment; skips its newline with `trim_blocks`. */
  private afterEnd(end: string): void {
    this.at += end.length;
    const isPlain = end === '%}' || end === '#}';
    if (this.whitespace.trim_blocks && isPlain && this.source[this.at] === '\n') this.at++;
  }

  private skipComment(): void {
    END_COMMENT.lastIndex = this.at + 2;
    const match = END_COMMENT.exec(this.source);
    if (match === null) return fail('Missing end of comment tag', this.at);
    this.at = match.index;
    this.afterEnd(match[0]);
  }

  private readRaw(begin: string): void {
    const from = this.at + begin.length;
    END_RAW.lastIndex = from;
    const match = END_RAW.exec(this.source);
    if (match === null) return fail('Missing end of raw directive', this.at);
    this.addText(this.source.slice(from, match.index), from, match[1] ?? '', false);
    this.at = match.index + match[0].length - (match[2] ?? '').length;
    this.afterEnd(match[2] ?? '');
  }

  private readValue(): boolean {
    const start = this.at;
    const push = (type: string, value: Token['value'], text: string): true => {
      this.tokens.push({ type, value, at: start });
      this.at += text.length;
      return true;
    };
    const blank = this.matchAt(BLANK);
    if (blank !== null) {
      this.at += blank.length;
      return true;
    }
    const float = this.matchAt(FLOAT);
    if (float !== null) return push('number', floatOf(Number(float.replaceAll('_', ''))), float);
    const integer = this.matchAt(INTEGER);
    if (integer !== null) return push('number', intOf(BigInt(integer.replaceAll('_', ''))), integer);
    const name = this.matchAt(NAME);
    if (name !== null) {
      if (!isIdentifier(name)) return fail('Invalid character in identifier', this.at);
      return push('name', name, name);
    }
    const text = this.matchAt(STRING);
    if (text !== null) return push('string', unescapeLiteral(text.slice(1, -1), this.at), text);
    return false;
  }

  private readTag(kind: 'variable' | 'block', end: RegExp): void {
    const begin = this.at - 2;
    const open: string[] = [];
    for (;;) {
      if (this.at >= this.source.length) return;
      const ended = open.length === 0 ? this.matchAt(end) : null;
      if (ended !== null) {
        this.tokens.push({ type: `${kind}_end`, value: null, at: this.at });
        if (kind === 'block') this.afterEnd(ended);
        else this.at += ended.length;
        return;
      }
      if (this.readValue()) continue;
      const operator = this.matchAt(OPERATOR);
      if (operator === null)
        return fail(`unexpected char ${JSON.stringify(this.source[this.at])} at ${this.at}`, this.at);
      const closing = CLOSING[operator];
      if (closing !== undefined) open.push(closing);
      else if (operator === '}' || operator === ')' || operator === ']') {
        const expected = open.pop();
        if (expected === undefined) return fail(`unexpected '${operator}'`, this.at);
        if (expected !== operator) return fail(`unexpected '${operator}', expected '${expected}'`, this.at);
      }
      this.tokens.push({ type: operator, value: null, at: this.at < begin ? begin : this.at });
      this.at += operator.length;
    }
  }

  run(): readonly Token[] {
    while (this.at < this.source.length) {
      TAG.lastIndex = this.at;
      const match = TAG.exec(this.source);
      if (match === null) {
        this.tokens.push({ type: 'data', value: this.source.slice(this.at), at: this.at });
        break;
      }
      const from = this.at;
      this.at = match.index;
      const rawBegin = match[0] === '{%' ? this.matchAt(RAW) : null;
      const mark = this.source[this.at + 2] ?? '';
      const sign = mark === '-' || mark === '+' ? mark : '';
      this.addText(this.source.slice(from, this.at), from, sign, match[0] === '{{');
      if (rawBegin !== null) this.readRaw(rawBegin);
      else if (match[0] === '{#') this.skipComment();
      else {
        const kind = match[0] === '{{' ? 'variable' : 'block';
        this.tokens.push({ type: `${kind}_begin`, value: null, at: this.at });
        this.at += 2 + sign.length;
        this.readTag(kind, kind === 'variable' ? END_VARIABLE : END_BLOCK);
      }
    }
    this.tokens.push({ type: 'eof', value: null, at: this.source.length });
    return this.tokens;
  }
}

export const tokenize = (source: string, whitespace: Whitespace): readonly Token[] =>
  new Lexer(source, whitespace).run();

const NAMED: Readonly<Record<string, string>> = {
  '\\': '\\',
  "'": "'",
  '"': '"',
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\n': '',
};

const HEX: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

/** Decodes a literal without its quotes; keeps unknown escapes. */
const unescapeLiteral = (source: string, at: number): string => {
  if (!source.includes('\\')) return source;
  return source.replace(
    /\\(?:([0-7]{1,3})|([xuU])([0-9a-fA-F]*)|(N)(?:\{[^}]*\})?|([\s\S]))/g,
    (whole: string, octal?: string, kind?: string, digits?: string, named?: string, other?: string) => {
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
      if (named !== undefined) return fail('named characters (\\N{...}) are not supported in strings', at);
      if (kind !== undefined) {
        const size = HEX[kind] ?? 0;
        const used = (digits ?? '').slice(0, size);
        if (used.length < size) return fail(`truncated \\${kind}${'X'.repeat(size)} escape`, at);
        const code = Number.parseInt(used, 16);
        if (code > 0x10_ffff) return fail('illegal Unicode character', at);
        return String.fromCodePoint(code) + (digits ?? '').slice(size);
      }
      return NAMED[other ?? ''] ?? whole;
    },
  );
};
