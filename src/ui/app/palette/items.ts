import type { GeneratorPhase } from '../../../domain/generator.js';

export type PaletteAction = 'start' | 'stop' | 'restart';

/** What the palette offers: a page to go to, or an action on a generator. */
export interface PaletteItem {
  readonly id: string;
  readonly label: string;
  /** What kind of thing it is, in words: items of one kind are listed together. */
  readonly kind: PaletteKind;
  readonly does:
    | { readonly type: 'go'; readonly href: string }
    | { readonly type: 'act'; readonly action: PaletteAction; readonly generator: string }
    | { readonly type: 'rate'; readonly generator: string; readonly rate: number };
}

export type PaletteKind =
  | 'Recent'
  | 'Page'
  | 'Generator'
  | 'Action'
  | 'Scenario'
  | 'Incident'
  | 'Workbench'
  | 'Help';

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

export const pageItem = (kind: PaletteKind, label: string, href: string): PaletteItem => ({
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

const RATE =
  /^(?:set\s+)?(?:the\s+)?rate\s+(?:of\s+)?(?<name>.+?)(?:\s+to)?(?:\s+(?<rate>[\d,]+(?:\.\d+)?))?$/i;

/** What "set rate of web to 50" offers for each generator with this in its id; without a number, its form. */
export const rateItems = (query: string, generators: readonly string[]): readonly PaletteItem[] => {
  const { name, rate } = RATE.exec(query.trim())?.groups ?? {};
  if (name === undefined) return [];
  const value = rate === undefined ? null : Number(rate.replaceAll(',', ''));
  return generators
    .filter((id) => id.toLowerCase().includes(name.toLowerCase()))
    .map((generator): PaletteItem => {
      const label = `Set the rate of ${generator}`;
      if (value === null) return pageItem('Action', label, `/r/${encodeURIComponent(generator)}?show=change`);
      return {
        id: `rate ${generator}`,
        label: `${label} to ${value.toLocaleString('en-US')}`,
        kind: 'Action',
        does: { type: 'rate', generator, rate: value },
      };
    });
};

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

interface PaletteGroup {
  readonly kind: PaletteKind;
  readonly items: readonly PaletteItem[];
}

/** The items by kind, the kind of the best item first. */
export const groupedItems = (items: readonly PaletteItem[]): readonly PaletteGroup[] =>
  [...new Set(items.map(({ kind }) => kind))].map((kind) => ({
    kind,
    items: items.filter((item) => item.kind === kind),
  }));

const MAX_RECENT = 6;

/** The last pages, the newest first, after a visit. */
export const afterVisit = (recent: readonly string[], path: string): readonly string[] =>
  [path, ...recent.filter((one) => one !== path)].slice(0, MAX_RECENT);

/** The last pages before the present one that are still offered. */
export const recentItems = (
  items: readonly PaletteItem[],
  recent: readonly string[],
  here: string,
): readonly PaletteItem[] =>
  recent.flatMap((path) => {
    const known = items.find(
      ({ does, kind }) => does.type === 'go' && does.href === path && kind !== 'Action',
    );
    return path === here || known === undefined ? [] : [{ ...known, id: `recent ${path}`, kind: 'Recent' }];
  });
