import * as E from 'fp-ts/lib/Either.js';
import { isLinear } from './linear.js';

/**
 * A timestamp pattern in Python or JavaScript syntax, translated so that no part matches a line end. So a search in
 * many lines from the start of one (with multiline `^` and `$`) finds what a search in that line finds, and never
 * runs through the whole text.
 */
export interface TimestampPattern {
  readonly line: RegExp;
  /** For many ASCII lines without CR; set `lastIndex` to the start of a line. */
  readonly lines: RegExp;
  readonly group: number;
  /**
   * Number of the capture group before the timestamp in the match; its length gives the start of the timestamp. 0 when
   * the timestamp starts the match. Null when only `match.indices` gives the start.
   */
  readonly prefix: number | null;
  /**
   * V8 matches it in linear time, in UTF-16 units: texts with surrogates need `timestampSpan`. Others may backtrack
   * without end.
   */
  readonly isLinear: boolean;
}

const TIMESTAMP_GROUP = 'timestamp';

interface Piece {
  readonly text: string;
  readonly end: number;
}

interface Translation {
  readonly pieces: string[];
  readonly flags: Set<string>;
  groups: number;
  depth: number;
  hasAlternative: boolean;
  /** Highest backreference; 0: none. */
  highestReference: number;
  /** The timestamp group: its number, first piece, and whether it is outside of other groups. */
  found: { readonly group: number; readonly piece: number; readonly isTop: boolean } | null;
  /** The piece that closes a top-level timestamp group. */
  endPiece: number | null;
}

/** Python syntax without an equivalent in JavaScript, by its start. */
const INEXPRESSIBLE: readonly (readonly [RegExp, string])[] = [
  [/^\(\?>/, 'atomic groups `(?>...)`'],
  [/^\(\?\(/, 'conditional groups `(?(...)...)`'],
  [/^\(\?(?:[a-zA-Z]+|[a-zA-Z]*-[a-zA-Z]+):/, 'flags for a part of the pattern `(?i:...)`'],
  [/^(?:[*+?]|\{\d*,?\d*\})\+/, 'possessive quantifiers such as `a++`'],
  [/^\\N\{/, 'characters by name `\\N{...}`'],
];

class Untranslatable extends Error {}

const reject = (sentence: string): never => {
  throw new Untranslatable(sentence);
};

/** Escapes in a form that never matches a line end, and those spelled differently in JavaScript. */
const ESCAPES: Readonly<Record<string, string>> = {
  s: '[^\\S\\n]',
  D: '[^\\d\\n]',
  W: '[^\\w\\n]',
  A: '^',
  Z: '$',
  a: '\\x07',
};

const NEVER_LINE_END = '(?!\\n)';

const takesLineEnd = (piece: string): boolean => new RegExp(`^(?:${piece})$`, 'u').test('\n');

const LONG_ESCAPE =
  /^\\(?:x[\da-fA-F]{2}|u[\da-fA-F]{4}|u\{[\da-fA-F]+\}|U[\da-fA-F]{8}|c[a-zA-Z]|[pP]\{[^}]*\}|0[0-7]{0,2})/;

/**
 * An escape for a character or set, inside a class or not. The `u` flag makes characters beyond U+FFFF single, as in
 * Python.
 */
const memberAt = (source: string, at: number): Piece => {
  const long = LONG_ESCAPE.exec(source.slice(at, at + 64))?.[0];
  if (long !== undefined) {
    const end = at + long.length;
    if (long[1] === 'U') return { text: `\\u{${long.slice(2)}}`, end };
    if (long[1] !== '0') return { text: long, end };
    return { text: `\\x${Number.parseInt(long.slice(1), 8).toString(16).padStart(2, '0')}`, end };
  }
  const next = source[at + 1] as string;
  const end = at + 2;
  if (next === 'a') return { text: '\\x07', end };
  if (/[dDwWsSbBtnrfv]|[\\^$.*+?()[\]{}|/-]/.test(next)) return { text: `\\${next}`, end };
  if (/[a-zA-Z0-9]/.test(next)) return reject(`the escape \`\\${next}\` is unknown`);
  return { text: next, end };
};

const escapeAt = (source: string, at: number, state: Translation): Piece => {
  const next = source[at + 1];
  if (next === undefined) return reject('it ends with a single backslash');
  const known = ESCAPES[next];
  if (known !== undefined) return { text: known, end: at + 2 };
  if (next === '-') return { text: '-', end: at + 2 };
  const reference = /^\\(?:k<[^>]*>|[1-9]\d?)/.exec(source.slice(at, at + 64))?.[0];
  if (reference !== undefined) {
    if (reference[1] !== 'k') {
      state.highestReference = Math.max(state.highestReference, Number(reference.slice(1)));
    }
    return { text: reference, end: at + reference.length };
  }
  if (next === 'b' || next === 'B') return { text: `\\${next}`, end: at + 2 };
  const { text, end } = memberAt(source, at);
  return { text: takesLineEnd(text) ? `(?:${NEVER_LINE_END}${text})` : text, end };
};

/** The class at `at`; a `]` right after the start is a member, as in Python. */
const classAt = (source: string, at: number): Piece => {
  const isNegated = source[at + 1] === '^';
  const first = at + (isNegated ? 2 : 1);
  let members = '';
  let end = first;
  while (source[end] !== ']' || end === first) {
    const character = source[end];
    if (character === undefined) return reject('a `[` has no `]` (write `\\[` for the character)');
    // Escape a leading `-`: a prefix must not make it a range.
    const isPlain = character !== '\\' && !(end === first && (character === ']' || character === '-'));
    if (character === '\\' && source[end + 1] === undefined) return reject('it ends with a single backslash');
    const piece =
      character === '\\'
        ? memberAt(source, end)
        : { text: isPlain ? character : `\\${character}`, end: end + 1 };
    members += piece.text;
    end = piece.end;
  }
  if (isNegated) return { text: `[^\\n${members}]`, end: end + 1 };
  const text = `[${members}]`;
  return { text: takesLineEnd(text) ? `(?:${NEVER_LINE_END}${text})` : text, end: end + 1 };
};

/** A quantifier, or plain braces. Python reads `{,n}` as `{0,n}`. */
const braceAt = (source: string, at: number): Piece => {
  const quantifier = /^\{(\d*)(,?)(\d*)\}/.exec(source.slice(at, at + 32));
  if (quantifier === null || quantifier[0] === '{}') return { text: '\\{', end: at + 1 };
  const [whole, from, comma, to] = quantifier;
  return { text: `{${from === '' ? '0' : from}${comma}${to}}`, end: at + whole.length };
};

const groupAt = (source: string, at: number, state: Translation): Piece => {
  const rest = source.slice(at);
  const named = /^\(\?P?<(?![=!])([^>]*)>/.exec(rest);
  if (named !== null) {
    state.groups++;
    if (named[1] === TIMESTAMP_GROUP && state.found === null) {
      state.found = { group: state.groups, piece: state.pieces.length, isTop: state.depth === 0 };
    }
    state.depth++;
    return { text: `(?<${named[1]}>`, end: at + named[0].length };
  }
  const reference = /^\(\?P=([^)]*)\)/.exec(rest);
  if (reference !== null) return { text: `\\k<${reference[1]}>`, end: at + reference[0].length };
  const comment = /^\(\?#[^)]*\)/.exec(rest);
  if (comment !== null) return { text: '', end: at + comment[0].length };
  const flags = /^\(\?([a-zA-Z]+)\)/.exec(rest);
  if (flags !== null) return { text: flagsPiece(flags[1] ?? '', at, state), end: at + flags[0].length };
  state.depth++;
  const special = /^\(\?(?::|=|!|<=|<!)/.exec(rest);
  if (special !== null) return { text: special[0], end: at + special[0].length };
  if (rest.startsWith('(?')) return reject(`\`${rest.slice(0, 4)}\` is not a known kind of group`);
  state.groups++;
  return { text: '(', end: at + 1 };
};

/** `(?i)` and other flags, only at the start. `m` and `s` change nothing within a line. */
const flagsPiece = (flags: string, at: number, state: Translation): string => {
  if (at !== 0) return reject('flags such as `(?i)` must be at its start');
  for (const flag of flags) {
    if (flag === 'i') state.flags.add('i');
    else if (!'msau'.includes(flag)) return reject(`the flag \`${flag}\` is unknown`);
  }
  return '';
};

const pieceAt = (source: string, at: number, state: Translation): Piece => {
  const rest = source.slice(at, at + 24);
  for (const [start, what] of INEXPRESSIBLE) if (start.test(rest)) return reject(`${what} are not supported`);
  const character = source[at] as string;
  switch (character) {
    case '\\':
      return escapeAt(source, at, state);
    case '[':
      return classAt(source, at);
    case '(':
      return groupAt(source, at, state);
    case ')':
      state.depth--;
      if (state.found?.isTop && state.depth === 0) state.endPiece ??= state.pieces.length;
      return { text: ')', end: at + 1 };
    case '|':
      if (state.depth === 0) state.hasAlternative = true;
      return { text: '|', end: at + 1 };
    case '.':
      return { text: '[^\\n]', end: at + 1 };
    case '\n':
      return { text: `(?:${NEVER_LINE_END}\\n)`, end: at + 1 };
    case '{':
      return braceAt(source, at);
    case '}':
    case ']':
      return { text: `\\${character}`, end: at + 1 };
    default:
      return { text: character, end: at + 1 };
  }
};

const translate = (source: string): Translation => {
  const state: Translation = {
    pieces: [],
    flags: new Set(),
    groups: 0,
    depth: 0,
    hasAlternative: false,
    highestReference: 0,
    found: null,
    endPiece: null,
  };
  for (let at = 0; at < source.length; ) {
    const piece = pieceAt(source, at, state);
    state.pieces.push(piece.text);
    at = piece.end;
  }
  return state;
};

/** Whether the part before the timestamp can be captured: `indices` are five times slower. */
const canCapturePrefix = (state: Translation): boolean => {
  if (state.found === null || !state.found.isTop || state.endPiece === null) return false;
  const after = state.pieces.slice(state.endPiece + 1).find((piece) => piece !== '') ?? '';
  return !state.hasAlternative && state.highestReference === 0 && !/^[*+{]/.test(after);
};

/** Unnamed groups: V8 makes an object of named ones for every match. */
const withoutNames = (pieces: readonly string[]): readonly string[] =>
  pieces.some((piece) => piece.startsWith('\\k<'))
    ? pieces
    : pieces.map((piece) => (/^\(\?<[^=!]/.test(piece) ? '(' : piece));

const compiled = (state: Translation): TimestampPattern => {
  const { group, piece } = state.found ?? reject(`it has no group named \`${TIMESTAMP_GROUP}\``);
  const unicode = ['u', ...state.flags].join('');
  // Compile the plain translation first, for errors about the source.
  new RegExp(state.pieces.join(''), unicode);
  const pieces = withoutNames(state.pieces);
  const hasPrefix = canCapturePrefix(state);
  const linear = hasPrefix && state.flags.size === 0 && isLinear(pieces);
  const make = (source: string, at: number, prefix: number | null): TimestampPattern => {
    const flags = linear ? '' : unicode + (prefix === null ? 'd' : '');
    return {
      line: new RegExp(source, flags),
      lines: new RegExp(source, `${flags}gm`),
      group: at,
      prefix,
      isLinear: linear,
    };
  };
  if (!hasPrefix) return make(pieces.join(''), group, null);
  const before = pieces.slice(0, piece).join('');
  if (before === '') return make(pieces.join(''), group, 0);
  return make(`(${before})${pieces.slice(piece).join('')}`, group + 1, 1);
};

/**
 * Compiles a timestamp pattern. `(?P<name>...)` equals `(?<name>...)`; `\d` and `\w` mean ASCII. The error is one
 * sentence with problem and remedy.
 */
export const compilePattern = (source: string): E.Either<string, TimestampPattern> => {
  try {
    const state = translate(source);
    if (state.found === null) {
      return E.left(
        `has no group named '${TIMESTAMP_GROUP}'. Put (?P<${TIMESTAMP_GROUP}>...) around the part to replace.`,
      );
    }
    if (state.highestReference > state.groups) {
      return E.left(`refers to group ${state.highestReference}, but has only ${state.groups}`);
    }
    return E.right(compiled(state));
  } catch (thrown) {
    if (thrown instanceof Untranslatable)
      return E.left(`is not a usable regular expression: ${thrown.message}`);
    if (thrown instanceof SyntaxError)
      return E.left(`is not a valid regular expression: ${syntaxReason(thrown)}`);
    throw thrown;
  }
};

/** V8 writes `Invalid regular expression: /source/flags: reason`; the source may contain anything. */
const syntaxReason = (error: SyntaxError): string =>
  error.message.slice(error.message.lastIndexOf(': ') + 2).toLowerCase();
