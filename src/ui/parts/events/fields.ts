import { hasValue, termFor } from '../../../domain/events/search.js';
import { type Json, parsedJson } from '../../../domain/json.js';

/** The document in an event, or undefined when it is text. */
export const documentOf = (text: string): Json | undefined => {
  const value = parsedJson(text) as Json | undefined;
  return typeof value === 'object' && value !== null ? value : undefined;
};

/** The first value at a path, as the tree of the event names it; undefined if there is none. */
export const fieldAt = (document: Json, path: string): Json | undefined => {
  let found: Json | undefined;
  hasValue(document, path.split('.'), 0, (value) => {
    found = value as Json;
    return true;
  });
  return found;
};

export const fieldText = (value: Json | undefined): string =>
  value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);

export interface FrequentValue {
  readonly text: string;
  readonly count: number;
}

/** The most frequent values of a field among events that have it, most frequent first. */
export const topValues = (
  documents: readonly Json[],
  path: string,
  most: number,
): readonly FrequentValue[] => {
  const counts = new Map<string, number>();
  for (const document of documents) {
    const value = fieldAt(document, path);
    if (value === undefined || (typeof value === 'object' && value !== null)) continue;
    const text = fieldText(value);
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return [...counts]
    .map(([text, count]) => ({ text, count }))
    .toSorted((a, b) => b.count - a.count || a.text.localeCompare(b.text))
    .slice(0, most);
};

/** The search with one more term for a field; a term that says the opposite goes. */
export const withTerm = (find: string, path: string, value: string, isExcluded: boolean): string => {
  const term = termFor(path, value);
  const [added, opposite] = isExcluded ? [`-${term}`, term] : [term, `-${term}`];
  const others = ` ${find} `.replace(` ${opposite} `, ' ').trim();
  return ` ${others} `.includes(` ${added} `) ? others : `${others} ${added}`.trim();
};
