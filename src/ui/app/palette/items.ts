import type { GeneratorPhase } from '../../../domain/generator.js';

export type PaletteAction = 'start' | 'stop' | 'restart';

/** What the palette offers: a page to go to, or an action on a generator. */
export interface PaletteItem {
  readonly id: string;
  readonly label: string;
  /** What kind of thing it is, in words. */
  readonly kind: string;
  readonly does:
    | { readonly type: 'go'; readonly href: string }
    | { readonly type: 'act'; readonly action: PaletteAction; readonly generator: string };
}

const ACTIONS_OF: Readonly<Record<GeneratorPhase, readonly PaletteAction[]>> = {
  idle: ['start'],
  loading: ['stop'],
  running: ['stop', 'restart'],
  draining: [],
  backing_off: ['stop', 'restart'],
  finished: ['start'],
  failed: ['start'],
  stopped: ['start'],
};

const WORDS: Readonly<Record<PaletteAction, string>> = { start: 'Start', stop: 'Stop', restart: 'Restart' };

export const pageItem = (kind: string, label: string, href: string): PaletteItem => ({
  id: `${kind} ${href}`,
  label,
  kind,
  does: { type: 'go', href },
});

/** The page of a generator, and what can be done to it in its phase. */
export const generatorItems = (generator: string, phase: GeneratorPhase): readonly PaletteItem[] => [
  pageItem('Generator', generator, `/r/${encodeURIComponent(generator)}`),
  ...ACTIONS_OF[phase].map(
    (action): PaletteItem => ({
      id: `${action} ${generator}`,
      label: `${WORDS[action]} ${generator}`,
      kind: 'Action',
      does: { type: 'act', action, generator },
    }),
  ),
];

/** Smaller is better: the label begins with the query, a word of it does, or it has the words somewhere. */
const rankOf = ({ label }: PaletteItem, query: string): number => {
  const text = label.toLowerCase();
  if (text.startsWith(query)) return 0;
  return text.split(/[^\p{L}\p{N}]+/u).some((word) => word !== '' && word.startsWith(query)) ? 1 : 2;
};

/** The items that have all words of a query in label or kind, best first, equal ones in their order. */
export const matchingItems = (
  items: readonly PaletteItem[],
  query: string,
  limit: number,
): readonly PaletteItem[] => {
  const wanted = query.trim().toLowerCase();
  const words = wanted.split(/\s+/);
  return items
    .filter(({ label, kind }) => {
      const text = `${label} ${kind}`.toLowerCase();
      return words.every((word) => text.includes(word));
    })
    .map((item) => ({ item, rank: rankOf(item, wanted) }))
    .sort((a, b) => a.rank - b.rank)
    .slice(0, limit)
    .map(({ item }) => item);
};
