/** A part of a help page: the text below a heading, or a row of a table. */
export interface HelpSection {
  /** Name of the page. */
  readonly page: string;
  /** Anchor on the page; `''`: its beginning. */
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

export interface SearchIndex {
  readonly sections: readonly HelpSection[];
  /** Weights by word, then by number of the section. */
  readonly words: ReadonlyMap<string, ReadonlyMap<number, number>>;
}

const TITLE_WEIGHT = 8;
const PAGE_WEIGHT = 4;
/** More repetitions of a word say no more. */
const MAX_TEXT_WEIGHT = 3;
const PREFIX_SHARE = 0.5;
const SNIPPET_BEFORE = 60;
const SNIPPET_LENGTH = 200;

/** Words in lower case; a name with underscores or hyphens is one, and so is each of its parts. */
export const searchWordsOf = (text: string): readonly string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}]+(?:[_-][\p{L}\p{N}]+)*/gu) ?? []).flatMap((word) => {
    const parts = word.split(/[_-]/);
    return parts.length === 1 ? parts : [word, ...parts];
  });

/** `titleOf` gives the title of a page. */
export const makeIndex = (
  sections: readonly HelpSection[],
  titleOf: (page: string) => string,
): SearchIndex => {
  const words = new Map<string, Map<number, number>>();
  const add = (text: string, section: number, weight: number, limit: number): void => {
    for (const word of searchWordsOf(text)) {
      const weights = words.get(word) ?? new Map<number, number>();
      words.set(word, weights.set(section, Math.min(limit, (weights.get(section) ?? 0) + weight)));
    }
  };
  for (const [number, { page, id, title, text }] of sections.entries()) {
    add(text, number, 1, MAX_TEXT_WEIGHT);
    add(titleOf(page), number, PAGE_WEIGHT, Number.POSITIVE_INFINITY);
    add(id === '' ? titleOf(page) : title, number, TITLE_WEIGHT, Number.POSITIVE_INFINITY);
  }
  return { sections, words };
};

/** Weights of the sections for one word of a query: rare words say more, beginnings of words less. */
const weightsOf = ({ sections, words }: SearchIndex, wanted: string): ReadonlyMap<number, number> => {
  const best = new Map<number, number>();
  for (const [word, weights] of words) {
    if (!word.startsWith(wanted)) continue;
    const rarity = Math.log(1 + sections.length / weights.size) * (word === wanted ? 1 : PREFIX_SHARE);
    for (const [section, weight] of weights)
      best.set(section, Math.max(best.get(section) ?? 0, weight * rarity));
  }
  return best;
};

/** Words of questions that say nothing about what is looked for. */
const EMPTY_WORDS: ReadonlySet<string> = new Set(
  'a an and are at can could do does for from get has have how i in into is it its make me my of on or should so spate that the there this to use using was what when where which why will with you your'.split(
    ' ',
  ),
);

/** The words of a query that say something, in lower case; all of them if none does. */
export const wantedWords = (query: string): readonly string[] => {
  const words = [...new Set(searchWordsOf(query))];
  const telling = words.filter((word) => !EMPTY_WORDS.has(word));
  return telling.length === 0 ? words : telling;
};

/** The sections with most of the words of a query, best first. */
export const search = (index: SearchIndex, query: string, limit: number): readonly HelpSection[] => {
  const found = new Map<number, { readonly hits: number; readonly score: number }>();
  for (const word of wantedWords(query)) {
    for (const [section, weight] of weightsOf(index, word)) {
      const { hits, score } = found.get(section) ?? { hits: 0, score: 0 };
      found.set(section, { hits: hits + 1, score: score + weight });
    }
  }
  const most = Math.max(0, ...[...found.values()].map(({ hits }) => hits));
  return [...found]
    .filter(([, { hits }]) => hits === most)
    .sort(([a, one], [b, other]) => other.score - one.score || a - b)
    .slice(0, limit)
    .flatMap(([section]) => index.sections[section] ?? []);
};

/** The text of a section near the first word of a query. */
export const snippetOf = ({ text }: HelpSection, query: string): string => {
  const lower = text.toLowerCase();
  const found = wantedWords(query)
    .map((word) => lower.indexOf(word))
    .filter((at) => at !== -1);
  const from = Math.max(0, Math.min(...found, lower.length) - SNIPPET_BEFORE);
  const start = found.length === 0 || from === 0 ? 0 : text.indexOf(' ', from) + 1;
  const limit = start + SNIPPET_LENGTH;
  const space = text.lastIndexOf(' ', limit);
  const end = limit < text.length && space > start ? space : limit;
  return `${start > 0 ? '… ' : ''}${text.slice(start, end).trim()}${end < text.length ? ' …' : ''}`;
};
