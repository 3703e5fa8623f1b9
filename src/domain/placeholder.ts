/**
 * Placeholders: `${params.name}` and `${secrets.name}`, blanks allowed inside the braces, a fallback after `:-`
 * (`${params.port:-8123}`), `$${...}` for a literal `${...}`. A name has no blanks or braces, dots belong to it. Other
 * text in `${...}` is unchanged.
 */

export type PlaceholderSource = 'params' | 'secrets';

export interface Placeholder {
  readonly source: PlaceholderSource;
  readonly name: string;
  /** Trimmed text after `:-`. Null when there is no fallback. */
  readonly fallback: string | null;
}

/** Regex source of one placeholder, valid in JSON Schema too. No part matches an opening brace: a search stays linear. */
const BODY = '\\{[ \\t]*(params|secrets)\\.((?:(?!:-)[^\\s{}])+)(?::-([^{}]*)|[ \\t]*)\\}';

/** Regex source (ECMA 262, for JSON Schema) of a text with a placeholder. */
export const PLACEHOLDER_PATTERN = `(^|[^$])\\$${BODY}`;

const ANY = new RegExp(`(\\$?)\\$${BODY}`, 'g');
const LIVE = new RegExp(PLACEHOLDER_PATTERN);
const WHOLE = new RegExp(`^\\s*\\$${BODY}\\s*$`);

const placeholderOf = (source: string, name: string, fallback: string | undefined): Placeholder => ({
  source: source === 'secrets' ? 'secrets' : 'params',
  name,
  fallback: fallback === undefined ? null : fallback.trim(),
});

/** Whether the text has an unescaped placeholder. */
export const hasPlaceholder = (text: string): boolean => text.includes('${') && LIVE.test(text);

/** The placeholder, if the trimmed text is one: its value keeps its type. */
export const wholePlaceholder = (text: string): Placeholder | null => {
  const match = WHOLE.exec(text);
  return match === null ? null : placeholderOf(match[1] ?? '', match[2] ?? '', match[3]);
};

/** All unescaped placeholders, in order. */
export const placeholdersIn = (text: string): readonly Placeholder[] =>
  [...text.matchAll(ANY)]
    .filter((match) => match[1] === '')
    .map((match) => placeholderOf(match[2] ?? '', match[3] ?? '', match[4]));

/** Replaces each placeholder and undoes each escape. */
export const replacePlaceholders = (text: string, substitute: (placeholder: Placeholder) => string): string =>
  text.replace(ANY, (whole: string, guard: string, source: string, name: string, fallback?: string) =>
    guard === '' ? substitute(placeholderOf(source, name, fallback)) : whole.slice(1),
  );
