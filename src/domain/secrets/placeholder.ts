/**
 * The grammar of placeholders, in one place: `${params.name}` and `${secrets.name}` with blanks
 * allowed directly inside the braces, a fallback after `:-` (`${params.port:-8123}`), and `$${...}`
 * for a literal `${...}`. A name is everything up to `:-` or the brace that is neither blank nor brace;
 * a dot is part of it. Anything else between `${` and `}` is no placeholder and stays as it is.
 */

export type PlaceholderSource = 'params' | 'secrets';

export interface Placeholder {
  readonly source: PlaceholderSource;
  readonly name: string;
  /** Text after `:-` without blanks around it; `null` when the form has no fallback. */
  readonly fallback: string | null;
}

/**
 * One placeholder, not escaped and nothing around it, as a regex source that JSON Schema can use too.
 * No part can match an opening brace, so that a search stays linear on any text.
 */
const BODY = '\\{[ \\t]*(params|secrets)\\.((?:(?!:-)[^\\s{}])+)(?::-([^{}]*)|[ \\t]*)\\}';

/** Regex source (ECMA 262, as JSON Schema wants it) of a text that holds a placeholder anywhere. */
export const PLACEHOLDER_PATTERN = `(^|[^$])\\$${BODY}`;

const ANY = new RegExp(`(\\$?)\\$${BODY}`, 'g');
const LIVE = new RegExp(PLACEHOLDER_PATTERN);
const WHOLE = new RegExp(`^\\s*\\$${BODY}\\s*$`);

const placeholderOf = (source: string, name: string, fallback: string | undefined): Placeholder => ({
  source: source === 'secrets' ? 'secrets' : 'params',
  name,
  fallback: fallback === undefined ? null : fallback.trim(),
});

/** True when the text holds a placeholder that is not escaped. */
export const hasPlaceholder = (text: string): boolean => text.includes('${') && LIVE.test(text);

/** The placeholder that is the whole text (blanks around it do not count): its value keeps its type. */
export const wholePlaceholder = (text: string): Placeholder | null => {
  const match = WHOLE.exec(text);
  return match === null ? null : placeholderOf(match[1] ?? '', match[2] ?? '', match[3]);
};

/** All placeholders of the text in order, escaped ones left out. */
export const placeholdersIn = (text: string): readonly Placeholder[] =>
  [...text.matchAll(ANY)]
    .filter((match) => match[1] === '')
    .map((match) => placeholderOf(match[2] ?? '', match[3] ?? '', match[4]));

/** The text with each placeholder replaced by what `substitute` answers and each escape undone. */
export const replacePlaceholders = (text: string, substitute: (placeholder: Placeholder) => string): string =>
  text.replace(ANY, (whole: string, guard: string, source: string, name: string, fallback?: string) =>
    guard === '' ? substitute(placeholderOf(source, name, fallback)) : whole.slice(1),
  );
