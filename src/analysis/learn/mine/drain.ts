import { type Cut, cutter } from '../cut.js';
import { formParts, type Lexed, lexed, unmasked } from './lex.js';

/**
 * Mines templates of lines with a fixed-depth tree (He, Zhu, Zheng, Lyu: "Drain: An Online Log Parsing Approach with
 * Fixed Depth Tree", ICWS 2017): by number of words, then by the first words, then by the share of equal words.
 */
const LEADING_WORDS = 2;
const SIMILAR = 0.5;
/** Words below one node of the tree; further ones share a branch. */
const MAX_CHILDREN = 100;
/** Templates below one leaf that further texts may join: of free text every line makes one. */
const MAX_LEAF = 200;
/** Longer texts are left whole. */
const MAX_WORDS = 200;

/** Stands for any word. */
const WILD = '\ue010';

export interface LineCluster {
  readonly id: number;
  readonly tokens: string[];
  readonly gaps: readonly string[];
}

export interface Miner {
  readonly learn: (text: string) => void;
  /** The most specific template that fits exactly; null: none does. */
  readonly match: (text: string) => { readonly cluster: LineCluster; readonly lexed: Lexed } | null;
  readonly clusters: () => readonly LineCluster[];
}

const branchOf = (token: string): string => (/[\d\ue000-\ue006]/.test(token) ? WILD : token);

const similarity = (cluster: LineCluster, tokens: readonly string[]): number => {
  let equal = 0;
  for (const [at, token] of tokens.entries()) if (cluster.tokens[at] === token) equal += 1;
  return tokens.length === 0 ? 1 : equal / tokens.length;
};

const fits = (cluster: LineCluster, tokens: readonly string[]): boolean =>
  tokens.every((token, at) => cluster.tokens[at] === token || cluster.tokens[at] === WILD);

const fixedWords = ({ tokens }: LineCluster): number => tokens.filter((token) => token !== WILD).length;

export const makeMiner = (): Miner => {
  const leaves = new Map<string, LineCluster[]>();
  const children = new Map<string, Set<string>>();
  const all: LineCluster[] = [];
  const leafKey = ({ tokens, gaps }: Lexed, isLearning: boolean): string => {
    let key = `${tokens.length}\u0000${gaps.join('\u0000')}`;
    for (const token of tokens.slice(0, LEADING_WORDS)) {
      const known = children.get(key) ?? new Set();
      let branch = branchOf(token);
      if (!known.has(branch) && (known.size >= MAX_CHILDREN || !isLearning)) branch = WILD;
      if (isLearning) children.set(key, known.add(branch));
      key += `\u0001${branch}`;
    }
    return key;
  };
  return {
    learn: (text) => {
      const read = lexed(text);
      if (read === null || read.tokens.length > MAX_WORDS) return;
      const key = leafKey(read, true);
      const leaf = leaves.get(key) ?? [];
      leaves.set(key, leaf);
      let best: LineCluster | null = null;
      let bestShare = SIMILAR;
      for (const cluster of leaf) {
        const share = similarity(cluster, read.tokens);
        if (share >= bestShare && (best === null || share > bestShare)) [best, bestShare] = [cluster, share];
      }
      // A single word has no words in common with another.
      if (best === null || (read.tokens.length === 1 && bestShare < 1)) {
        const made = { id: all.length, tokens: [...read.tokens], gaps: read.gaps };
        if (leaf.length < MAX_LEAF) leaf.push(made);
        all.push(made);
        return;
      }
      for (const [at, token] of read.tokens.entries()) if (best.tokens[at] !== token) best.tokens[at] = WILD;
    },
    match: (text) => {
      const read = lexed(text);
      if (read === null || read.tokens.length > MAX_WORDS) return null;
      const found = (leaves.get(leafKey(read, false)) ?? [])
        .filter((cluster) => fits(cluster, read.tokens))
        .toSorted((a, b) => fixedWords(b) - fixedWords(a) || a.id - b.id)[0];
      return found === undefined ? null : { cluster: found, lexed: read };
    },
    clusters: () => all,
  };
};

/** `port`, `from`: the word before a value names it. */
const nameBefore = (literal: string, fallback: string): string => {
  const word = /([A-Za-z][\w-]{0,30})[^\w]{0,4}$/.exec(literal)?.[1];
  return word === undefined ? fallback : word.toLowerCase().replace(/\W+/g, '_');
};

/** The values of a text that fits a template; names begin with `prefix`. */
export const cutByCluster = (cluster: LineCluster, read: Lexed, prefix: string): Cut => {
  const out = cutter();
  let literal = '';
  const put = (text: string): void => {
    literal += text;
    out.literal(text);
  };
  const value = (kind: string, text: string): void => {
    out.value(`${prefix}.${nameBefore(literal, kind)}`, text);
    literal = '';
  };
  for (const [at, token] of read.tokens.entries()) {
    const entities = read.entities[at] ?? [];
    if (cluster.tokens[at] === WILD) value('word', unmasked(token, entities));
    else {
      const { literals, kinds } = formParts(token);
      for (const [part, text] of literals.entries()) {
        put(text);
        const kind = kinds[part];
        if (kind !== undefined) value(kind, entities[part] ?? '');
      }
    }
    put(read.gaps[at] ?? '');
  }
  return out.done(`${cluster.id}`);
};
