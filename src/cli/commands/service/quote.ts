import { failure, type SpateError } from '../../../domain/errors.js';

export type ValueKind =
  /** Quoted word of a list: an argument of ExecStart=, a path of ReadWritePaths=. */
  | 'word'
  /** Quoted program of ExecStart=. */
  | 'program'
  /** Unquoted rest of a line: the path of LoadCredential=. */
  | 'rest';

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u001f\u007f]/;

/** Values that systemd cannot read in any quoting. */
const FLAWS: readonly (readonly [kinds: readonly ValueKind[], breaks: RegExp, message: string])[] = [
  [['word', 'program', 'rest'], CONTROL, 'holds a control character'],
  [['word', 'program', 'rest'], /\p{Surrogate}/u, 'is not well-formed Unicode'],
  [['program'], /["'\\]/, 'holds a quote or a backslash, which systemd allows in no program path'],
  [['rest'], /^\s|[\s\\]$/, 'begins or ends with whitespace, or ends with a backslash'],
];

/** Returns why systemd cannot read a value, or null when the value is valid. */
export const valueFlaw = (kind: ValueKind, what: string, text: string): SpateError | null => {
  const flaw = FLAWS.find(([kinds, breaks]) => kinds.includes(kind) && breaks.test(text));
  if (flaw === undefined) return null;
  const shown = JSON.stringify(text);
  return failure('invalid', `${what} ${shown} ${flaw[2]}. Choose a path that systemd can read.`);
};

/** Quotes a value: `%` starts a specifier, backslash and quote are special in quotes. */
export const written = (kind: ValueKind, text: string): string => {
  const specifiers = text.replaceAll('%', '%%');
  return kind === 'rest' ? specifiers : `"${specifiers.replace(/[\\"]/g, '\\$&')}"`;
};
