import { isIdentifier, SPACE, stripped } from '../text/characters.js';
import { floatOf, intOf } from '../values/value.js';
import { unescapeLiteral } from './string.js';
import { fail } from './syntaxFault.js';
import type { Token, Whitespace } from './token.js';

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

/** Converts line ends to `\n`; strips one at the end unless kept. */
export const normalised = (source: string, keepTrailingNewline: boolean): string => {
  const text = source.replace(/\r\n?/g, '\n');
  return !keepTrailingNewline && text.endsWith('\n') ? text.slice(0, -1) : text;
};

export const tokenize = (source: string, whitespace: Whitespace): readonly Token[] => {
  const tokens: Token[] = [];
  let at = 0;

  const matchAt = (pattern: RegExp): string | null => {
    pattern.lastIndex = at;
    return pattern.exec(source)?.[0] ?? null;
  };

  /** Text before a tag, trimmed by the tag's sign. */
  const data = (text: string, from: number, sign: string, isVariable: boolean): void => {
    let kept = text;
    if (sign === '-') kept = stripped(text, null, 'right');
    else if (sign !== '+' && whitespace.lstrip_blocks && !isVariable) {
      const line = text.lastIndexOf('\n') + 1;
      const startsLine = line > 0 || from === 0 || source[from - 1] === '\n';
      const blanks = text.slice(line);
      if (startsLine && blanks !== '' && stripped(blanks, null, 'left') === '') kept = text.slice(0, line);
    }
    if (kept !== '') tokens.push({ type: 'data', value: kept, at: from });
  };

  /** Position after a block or comment; skips its newline with `trim_blocks`. */
  const afterEnd = (end: string): void => {
    at += end.length;
    const isPlain = end === '%}' || end === '#}';
    if (whitespace.trim_blocks && isPlain && source[at] === '\n') at++;
  };

  const comment = (): void => {
    END_COMMENT.lastIndex = at + 2;
    const match = END_COMMENT.exec(source);
    if (match === null) return fail('Missing end of comment tag', at);
    at = match.index;
    afterEnd(match[0]);
  };

  const raw = (begin: string): void => {
    const from = at + begin.length;
    END_RAW.lastIndex = from;
    const match = END_RAW.exec(source);
    if (match === null) return fail('Missing end of raw directive', at);
    data(source.slice(from, match.index), from, match[1] ?? '', false);
    at = match.index + match[0].length - (match[2] ?? '').length;
    afterEnd(match[2] ?? '');
  };

  const simple = (): boolean => {
    const start = at;
    const push = (type: string, value: Token['value'], text: string): true => {
      tokens.push({ type, value, at: start });
      at += text.length;
      return true;
    };
    const blank = matchAt(BLANK);
    if (blank !== null) {
      at += blank.length;
      return true;
    }
    const float = matchAt(FLOAT);
    if (float !== null) return push('number', floatOf(Number(float.replaceAll('_', ''))), float);
    const integer = matchAt(INTEGER);
    if (integer !== null) return push('number', intOf(BigInt(integer.replaceAll('_', ''))), integer);
    const name = matchAt(NAME);
    if (name !== null) {
      if (!isIdentifier(name)) return fail('Invalid character in identifier', at);
      return push('name', name, name);
    }
    const text = matchAt(STRING);
    if (text !== null) return push('string', unescapeLiteral(text.slice(1, -1), at), text);
    return false;
  };

  const expression = (kind: 'variable' | 'block', end: RegExp): void => {
    const begin = at - 2;
    const open: string[] = [];
    for (;;) {
      if (at >= source.length) return;
      const ended = open.length === 0 ? matchAt(end) : null;
      if (ended !== null) {
        tokens.push({ type: `${kind}_end`, value: null, at });
        if (kind === 'block') afterEnd(ended);
        else at += ended.length;
        return;
      }
      if (simple()) continue;
      const operator = matchAt(OPERATOR);
      if (operator === null) return fail(`unexpected char ${JSON.stringify(source[at])} at ${at}`, at);
      const closing = CLOSING[operator];
      if (closing !== undefined) open.push(closing);
      else if (operator === '}' || operator === ')' || operator === ']') {
        const expected = open.pop();
        if (expected === undefined) return fail(`unexpected '${operator}'`, at);
        if (expected !== operator) return fail(`unexpected '${operator}', expected '${expected}'`, at);
      }
      tokens.push({ type: operator, value: null, at: at < begin ? begin : at });
      at += operator.length;
    }
  };

  while (at < source.length) {
    TAG.lastIndex = at;
    const match = TAG.exec(source);
    if (match === null) {
      tokens.push({ type: 'data', value: source.slice(at), at });
      break;
    }
    const from = at;
    at = match.index;
    const rawBegin = match[0] === '{%' ? matchAt(RAW) : null;
    const mark = source[at + 2] ?? '';
    const sign = mark === '-' || mark === '+' ? mark : '';
    data(source.slice(from, at), from, sign, match[0] === '{{');
    if (rawBegin !== null) raw(rawBegin);
    else if (match[0] === '{#') comment();
    else {
      const kind = match[0] === '{{' ? 'variable' : 'block';
      tokens.push({ type: `${kind}_begin`, value: null, at });
      at += 2 + sign.length;
      expression(kind, kind === 'variable' ? END_VARIABLE : END_BLOCK);
    }
  }
  tokens.push({ type: 'eof', value: null, at: source.length });
  return tokens;
};
