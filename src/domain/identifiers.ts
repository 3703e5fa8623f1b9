/** Names that become file names, log lines and parts of URLs: one rule each, checked at every door. */

/** What is wrong with a name: a stable kind and a sentence part without the name itself. */
export interface NameFlaw {
  readonly type: string;
  readonly message: string;
}

/** Longest name of a file or folder in bytes of UTF-8: what file systems allow for one path segment. */
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

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u001f\u007f]/;

/** True for control characters of ASCII, NUL among them. */
export const hasControlCharacter = (name: string): boolean => CONTROL.test(name);

/** A lone surrogate has no UTF-8 form, so that no file can have the name. */
export const isWellFormed = (name: string): boolean => !/\p{Surrogate}/u.test(name);

/** True when a text takes more bytes of UTF-8. */
export const isLongerThan = (name: string, bytes: number): boolean =>
  new TextEncoder().encode(name).length > bytes;

/** One plain path segment: no separators of any system, no control characters, no leading dot (nor `.` and `..`). */
const SEGMENT_RULES: readonly NameRule[] = [
  [(name) => /[/\\]/.test(name), 'not_allowed', 'must be one path segment, without slash or backslash'],
  [hasControlCharacter, 'not_allowed', 'must not hold control characters'],
  [(name) => name.startsWith('.'), 'not_allowed', 'must not begin with a dot'],
  [(name) => !isWellFormed(name), 'not_allowed', 'must be well-formed Unicode'],
];

/**
 * A generator directory: one plain path segment, at most 255 bytes. Look-alike characters are just names.
 */
export const checkDirectoryName = check([
  [(name) => name === '', 'too_short', 'must not be empty'],
  ...SEGMENT_RULES,
  [
    (name) => isLongerThan(name, MAX_SEGMENT_BYTES),
    'too_long',
    `must not be longer than ${MAX_SEGMENT_BYTES} bytes`,
  ],
]);

/**
 * The id of a generator names its log file and its folder of state: letters, digits, `.`, `_` and `-`
 * of ASCII, not beginning with a dot, 1..128 characters.
 */
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

/**
 * The name of a scenario: one plain path segment as a directory name is, so that the API can address it;
 * 1..128 characters, not only blanks.
 */
export const checkScenarioName = check([
  [(name) => name.trim() === '', 'too_short', 'must not be empty'],
  ...SEGMENT_RULES,
  [(name) => name.length > MAX_ID_LENGTH, 'too_long', `must not be longer than ${MAX_ID_LENGTH} characters`],
]);
