import { failure, type SpateError } from '../../domain/errors.js';

/** What a value is in a unit file; each is read by other rules of systemd. */
export type ValueKind =
  /** A word of a list, in quotes: an argument of ExecStart=, a path of ReadWritePaths=. */
  | 'word'
  /** The program of ExecStart=, in quotes. */
  | 'program'
  /** The rest of a line, without quotes: the path of LoadCredential=. */
  | 'rest';

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u001f\u007f]/;

/** What systemd cannot read at all, however it is written. */
const FLAWS: readonly (readonly [kinds: readonly ValueKind[], breaks: RegExp, message: string])[] = [
  [['word', 'program', 'rest'], CONTROL, 'holds a control character'],
  [['word', 'program', 'rest'], /\p{Surrogate}/u, 'is not well-formed Unicode'],
  [['program'], /["'\\]/, 'holds a quote or a backslash, which systemd takes in no program'],
  [['rest'], /^\s|[\s\\]$/, 'begins or ends with a blank, or ends with a backslash'],
];

/** Why a text cannot stand in a unit file as such a value; `null` when it can. */
export const valueFlaw = (kind: ValueKind, what: string, text: string): SpateError | null => {
  const flaw = FLAWS.find(([kinds, breaks]) => kinds.includes(kind) && breaks.test(text));
  if (flaw === undefined) return null;
  const shown = JSON.stringify(text);
  return failure('invalid', `${what} ${shown} ${flaw[2]}: systemd cannot use it, choose another path`);
};

/** A text as systemd reads it back: `%` begins a specifier, backslash and quote are special in quotes. */
export const written = (kind: ValueKind, text: string): string => {
  const specifiers = text.replaceAll('%', '%%');
  return kind === 'rest' ? specifiers : `"${specifiers.replace(/[\\"]/g, '\\$&')}"`;
};
