import type { Json } from '../../../domain/json.js';
import type { AnswerOf } from '../../api/routes.js';

export type ShownExample = AnswerOf<'listLibrary'>[number];
export type Parameter = ShownExample['parameters'][number];

export interface LibraryView {
  readonly filter: string;
  /** Category of the items. Empty for all. */
  readonly category: string;
}

const textOf = ({ name, category, summary, anomalies, detections }: ShownExample): string =>
  [name, category, summary, ...anomalies.flatMap((one) => [one.name, one.help]), ...detections]
    .join(' ')
    .toLowerCase();

/** The items of a view: every word of the filter is in the name, the summary, an attack or a detection. */
export const shownItems = (
  items: readonly ShownExample[],
  { filter, category }: LibraryView,
): readonly ShownExample[] => {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  return items.filter((item) => {
    if (category !== '' && item.category !== category) return false;
    const text = textOf(item);
    return words.every((word) => text.includes(word));
  });
};

export const categoriesOf = (items: readonly ShownExample[]): readonly string[] =>
  [...new Set(items.map(({ category }) => category))].sort();

/** The first example event of a README: the first block of code below the heading `Example`. */
export const exampleOf = (readme: string): string | null => {
  const section = /^## Example\n([\s\S]*?)(?=^## |$(?![\s\S]))/m.exec(readme)?.[1] ?? '';
  return /^```\w*\n([\s\S]*?)\n```/m.exec(section)?.[1] ?? null;
};

/** JSON with an indent; other events unchanged. */
export const prettyEvent = (event: string): string => {
  try {
    return JSON.stringify(JSON.parse(event), null, 2);
  } catch {
    return event;
  }
};

/** A default as people read it. */
export const shownDefault = (value: Json): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

/** What a user typed for a parameter, in the type of its default. */
const typedValue = (typed: string, fallback: Json): Json => {
  if (typeof fallback === 'string') return typed;
  try {
    return JSON.parse(typed) as Json;
  } catch {
    return typed;
  }
};

/** Parameters that differ from their defaults. */
export const exampleParamsOf = (
  parameters: readonly Parameter[],
  typed: Readonly<Record<string, string>>,
): Readonly<Record<string, Json>> =>
  Object.fromEntries(
    parameters.flatMap(({ name, default: fallback }): readonly (readonly [string, Json])[] => {
      const text = typed[name] ?? '';
      return text === '' ? [] : [[name, typedValue(text, fallback)]];
    }),
  );

/** `1.2 KB`. */
export const exampleBytes = (bytes: number): string =>
  bytes < 1_000 ? `${bytes} bytes` : `${(bytes / 1_000).toFixed(1)} KB`;
