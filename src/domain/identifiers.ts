/** A flaw of a name: a stable kind, and a sentence part without the name. */
export interface NameFlaw {
  readonly type: string;
  readonly message: string;
}

/** Longest path segment of common file systems, in bytes of UTF-8. */
export const MAX_SEGMENT_BYTES = 255;
/** Longest id of a generator and longest name of a scenario, in characters. */
export const MAX_ID_LENGTH = 128;

type NameRule = readonly [breaks: (name: string) => boolean, type: string, message: string];

const check =
  (rules: readonly NameRule[]) =>
  (name: string): NameFlaw | null => {
    const broken = rules.find(([breaks]) => breaks(name));
    return broken === undefined ? null : { type: broken[1], message: broken[2] };
  };

/** C0 and C1, with which terminals are driven, and the separators of lines and paragraphs. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the search is for them
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

export const hasControlCharacter = (name: string): boolean => CONTROL.test(name);

/** Marks, embeddings, overrides and isolates: they change the order in which the rest of a name is shown. */
const DIRECTION = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

export const NO_DIRECTION = 'must not hold characters that change the direction of text, such as U+202E';

/** With such a character, `b<U+202E>cod.exe` is shown as `bexe.doc`. */
export const hasDirectionCharacter = (name: string): boolean => DIRECTION.test(name);

/** A lone surrogate has no UTF-8 form. */
export const isWellFormed = (name: string): boolean => !/\p{Surrogate}/u.test(name);

export const isLongerThan = (name: string, bytes: number): boolean =>
  new TextEncoder().encode(name).length > bytes;

/** One path segment: no separators, no control or direction characters, no leading dot. */
const SEGMENT_RULES: readonly NameRule[] = [
  [(name) => /[/\\]/.test(name), 'not_allowed', 'must be one path segment, without slash or backslash'],
  [hasControlCharacter, 'not_allowed', 'must not hold control characters'],
  [hasDirectionCharacter, 'not_allowed', NO_DIRECTION],
  [(name) => name.startsWith('.'), 'not_allowed', 'must not begin with a dot'],
  [(name) => !isWellFormed(name), 'not_allowed', 'must be well-formed Unicode'],
];

/** Name of a generator directory: one path segment, at most 255 bytes. */
export const checkDirectoryName = check([
  [(name) => name === '', 'too_short', 'must not be empty'],
  ...SEGMENT_RULES,
  [
    (name) => isLongerThan(name, MAX_SEGMENT_BYTES),
    'too_long',
    `must not be longer than ${MAX_SEGMENT_BYTES} bytes`,
  ],
]);

/** Id of a generator, part of file names: ASCII letters, digits, `.`, `_`, `-`, no leading dot, 1..128 characters. */
export const checkGeneratorId = check([
  [(id) => id === '', 'too_short', 'must not be empty'],
  [
    (id) => !/^[A-Za-z0-9._-]*$/.test(id),
    'not_allowed',
    "must consist of letters, digits, '.', '_' and '-' (ASCII)",
  ],
  [(id) => id.startsWith('.'), 'not_allowed', 'must not begin with a dot'],
  [(id) => id.length > MAX_ID_LENGTH, 'too_long', `must not be longer than ${MAX_ID_LENGTH} characters`],
]);

/** Longest name of a destination, in characters. */
export const MAX_DESTINATION_NAME = 60;

/** Name of a destination, part of a file name: as the id of a generator, but shorter. */
export const checkDestinationName = (name: string): NameFlaw | null =>
  name.length > MAX_DESTINATION_NAME
    ? { type: 'too_long', message: `must not be longer than ${MAX_DESTINATION_NAME} characters` }
    : checkGeneratorId(name);

/** As that of a destination: it is a file, too. */
export const checkWorldName = checkDestinationName;

/** Name of a scenario: one path segment, 1..128 characters, not blank. */
export const checkScenarioName = check([
  [(name) => name.trim() === '', 'too_short', 'must not be empty'],
  ...SEGMENT_RULES,
  [(name) => name.length > MAX_ID_LENGTH, 'too_long', `must not be longer than ${MAX_ID_LENGTH} characters`],
]);
