/** Reads unfinished template and script texts: in which call, after which names a position is. */

/** How a text is read: a template has tags, a script is code all over. */
export type Dialect = 'jinja' | 'script';

export interface CodeToken {
  readonly kind: 'name' | 'string' | 'number' | 'sign';
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** The code of a tag, between its signs. */
export interface Region {
  readonly kind: 'expression' | 'statement';
  readonly from: number;
  readonly to: number;
}

const TOKEN =
  /\s+|(?<string>'(?:\\.|[^'\\\n])*'?|"(?:\\.|[^"\\\n])*"?)|(?<number>\d[\d_]*(?:\.\d+)?)|(?<name>[\p{L}_$][\p{L}\p{N}_$]*)|(?<comment>\/\/.*|\/\*[\s\S]*?(?:\*\/|$))|(?<sign>=>|\?\.|[^\s])/uy;

/** The tokens of a part of a text. Comments of scripts are left out. */
export const tokensIn = (text: string, from: number, to: number, dialect: Dialect): readonly CodeToken[] => {
  const tokens: CodeToken[] = [];
  const part = text.slice(0, to);
  TOKEN.lastIndex = from;
  while (TOKEN.lastIndex < to) {
    const at = TOKEN.lastIndex;
    const groups = TOKEN.exec(part)?.groups;
    if (groups === undefined) break;
    if (groups['comment'] !== undefined && dialect === 'script') continue;
    // A template has no comments like these: its first sign is one by itself.
    if (groups['comment'] !== undefined) TOKEN.lastIndex = at + 1;
    const kind = (['string', 'number', 'name'] as const).find((one) => groups[one] !== undefined) ?? 'sign';
    const written = part.slice(at, TOKEN.lastIndex);
    if (written.trim() !== '') tokens.push({ kind, text: written, from: at, to: TOKEN.lastIndex });
  }
  return tokens;
};

const ENDS = { '{{': '}}', '{%': '%}', '{#': '#}' } as const;

/** Where a tag ends that begins at a position, without a look into its strings. Null when it has no end. */
const endOfTag = (text: string, from: number, end: string): number | null => {
  let quote = '';
  for (let at = from; at < text.length; at += 1) {
    const sign = text.charAt(at);
    if (quote !== '') {
      if (sign === '\\') at += 1;
      else if (sign === quote || sign === '\n') quote = '';
    } else if (text.startsWith(end, at)) return at;
    else if (end !== '#}' && (sign === '"' || sign === "'")) quote = sign;
  }
  return null;
};

const RAW = /^\{%[-+]?\s*raw\s*[-+]?%\}/;
const END_RAW = /\{%[-+]?\s*endraw\s*[-+]?%\}/g;

/** The tags of a template, in order. The last one may have no end yet. */
export const regionsOf = (text: string): readonly Region[] => {
  const regions: Region[] = [];
  for (let start = text.indexOf('{'); start !== -1; ) {
    const open = text.slice(start, start + 2);
    if (open !== '{{' && open !== '{%' && open !== '{#') {
      start = text.indexOf('{', start + 1);
      continue;
    }
    const from = start + (/[-+]/.test(text.charAt(start + 2)) ? 3 : 2);
    const to = endOfTag(text, from, ENDS[open]) ?? text.length;
    if (open !== '{#') regions.push({ kind: open === '{{' ? 'expression' : 'statement', from, to });
    END_RAW.lastIndex = to + 2;
    const isRaw = open === '{%' && RAW.test(text.slice(start, to + 2));
    start = text.indexOf('{', isRaw ? (END_RAW.exec(text)?.index ?? text.length) : to + 2);
  }
  return regions;
};

/** Returns the tag around a position, or null when there is only text. */
export const regionAt = (text: string, at: number): Region | null =>
  regionsOf(text).find(({ from, to }) => from <= at && at <= to) ?? null;

/** A part of an expression such as `samples.users.pick().name`. */
export type NameStep =
  | { readonly kind: 'name'; readonly name: string; readonly from: number; readonly to: number }
  /** A call, or an item by an index. */
  | { readonly kind: 'call' | 'item' };

const CLOSERS: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

const openerOf = (tokens: readonly CodeToken[], closer: number): number => {
  let depth = 0;
  for (let at = closer; at >= 0; at -= 1) {
    const { kind, text } = tokens[at] as CodeToken;
    if (kind !== 'sign') continue;
    if (CLOSERS[text] !== undefined) depth += 1;
    else if (text === '(' || text === '[' || text === '{') depth -= 1;
    if (depth === 0) return at;
  }
  return -1;
};

/** Words of expressions that are no names. */
const WORDS = new Set(['in', 'is', 'not', 'and', 'or', 'if', 'else']);

const isPrimaryEnd = (token: CodeToken | undefined): boolean =>
  token !== undefined &&
  ((token.kind === 'name' && !WORDS.has(token.text)) ||
    token.kind === 'string' ||
    token.text === ')' ||
    token.text === ']');

export const unquoted = (text: string): string =>
  text.replace(/^['"]/, '').replace(/['"]$/, '').replaceAll(/\\(.)/g, '$1');

/** An expression that ends with a token, and its first token. Null when it begins with something other than a name. */
export const chainTo = (
  tokens: readonly CodeToken[],
  end: number,
): { readonly steps: readonly NameStep[]; readonly first: number } | null => {
  const steps: NameStep[] = [];
  let at = end;
  for (;;) {
    const token = tokens[at];
    if (token === undefined) return null;
    if (token.kind === 'name') {
      steps.unshift({ kind: 'name', name: token.text, from: token.from, to: token.to });
      const before = tokens[at - 1]?.text;
      if (before !== '.' && before !== '?.') return before === '|' ? null : { steps, first: at };
      at -= 2;
      continue;
    }
    if (token.text !== ')' && token.text !== ']') return null;
    const open = openerOf(tokens, at);
    if (open < 1 || !isPrimaryEnd(tokens[open - 1])) return null;
    const key = tokens[open + 1];
    if (token.text === ']' && open === at - 2 && key?.kind === 'string')
      steps.unshift({ kind: 'name', name: unquoted(key.text), from: key.from + 1, to: key.to - 1 });
    else steps.unshift({ kind: token.text === ')' ? 'call' : 'item' });
    at = open - 1;
  }
};

/** What a word is in its place. `tag`: the first word of a statement. */
export type WordPlace = 'name' | 'member' | 'filter' | 'test' | 'tag';

const placeOf = (tokens: readonly CodeToken[], at: number, region: Region | null): WordPlace => {
  const before = tokens[at - 1];
  if (before === undefined) return region?.kind === 'statement' ? 'tag' : 'name';
  if (before.text === '.' || before.text === '?.') return 'member';
  if (region === null) return 'name';
  if (before.text === '|') return 'filter';
  const isNot = before.text === 'not' && tokens[at - 2]?.text === 'is';
  return before.text === 'is' || isNot ? 'test' : 'name';
};

/** A word that is being written, and what is before it. */
export interface Typed {
  readonly place: WordPlace;
  /** Expression before the dot of a member; null for other places, and when it is no chain of names. */
  readonly owner: readonly NameStep[] | null;
  readonly word: string;
  readonly from: number;
  /** A key in brackets, `samples['us`, is written in quotes. */
  readonly isKey: boolean;
}

const partOf = (text: string, at: number, dialect: Dialect): Region | null | undefined => {
  if (dialect === 'script') return null;
  return regionAt(text, at) ?? undefined;
};

/** Returns the word that ends at a position. Null where no name can be. */
export const typedAt = (text: string, at: number, dialect: Dialect): Typed | null => {
  const region = partOf(text.slice(0, at), at, dialect);
  if (region === undefined) return null;
  const tokens = tokensIn(text, region?.from ?? 0, at, dialect);
  const last = tokens.at(-1);
  const isOpen =
    last?.kind === 'string' && last.to === at && (last.text.length === 1 || !/(['"])$/.test(last.text));
  if (isOpen && tokens.at(-2)?.text === '[' && isPrimaryEnd(tokens.at(-3))) {
    const owner = chainTo(tokens, tokens.length - 3)?.steps ?? null;
    return { place: 'member', owner, word: last.text.slice(1), from: last.from + 1, isKey: true };
  }
  if (isOpen || (last?.kind === 'number' && last.to === at)) return null;
  const isWord = last?.kind === 'name' && last.to === at;
  const index = isWord ? tokens.length - 1 : tokens.length;
  const place = placeOf(tokens, index, region);
  const owner = place === 'member' ? (chainTo(tokens, index - 2)?.steps ?? null) : null;
  return { place, owner, word: isWord ? last.text : '', from: isWord ? last.from : at, isKey: false };
};

/** The call around a position: of a name or member, a filter or a test. */
export interface OpenCall {
  readonly place: WordPlace;
  readonly steps: readonly NameStep[];
  /** Offset of the opening parenthesis. */
  readonly open: number;
  readonly argument: number;
  /** Name of the argument, `n=`. Null when it has none. */
  readonly keyword: string | null;
}

/** Returns the innermost call that is open at a position. */
export const callAt = (text: string, at: number, dialect: Dialect): OpenCall | null => {
  const region = partOf(text.slice(0, at), at, dialect);
  if (region === undefined) return null;
  const tokens = tokensIn(text, region?.from ?? 0, at, dialect);
  let [argument, begin] = [0, tokens.length];
  for (let index = tokens.length - 1; index >= 0; index -= 1) {
    const { kind, text: sign, from, to } = tokens[index] as CodeToken;
    if (kind === 'string' && to === at && index === tokens.length - 1) continue;
    if (kind !== 'sign') continue;
    if (CLOSERS[sign] !== undefined) {
      index = openerOf(tokens, index);
      if (index < 0) return null;
    } else if (sign === ',') {
      if (argument === 0) begin = index + 1;
      argument += 1;
    } else if (sign === '[' || sign === '{') {
      // The item or value is a part of an argument of the call around it.
      argument = 0;
      begin = tokens.length;
    } else if (sign === '(') {
      const callee = chainTo(tokens, index - 1) ?? filterAt(tokens, index - 1);
      if (callee === null || !isPrimaryEnd(tokens[index - 1])) {
        argument = 0;
        begin = tokens.length;
        continue;
      }
      const first = tokens[argument === 0 ? index + 1 : begin];
      const isNamed = first?.kind === 'name' && tokens[tokens.indexOf(first) + 1]?.text === '=';
      const place = callee.steps.length > 1 ? 'member' : placeOf(tokens, callee.first, region);
      return { place, steps: callee.steps, open: from, argument, keyword: isNamed ? first.text : null };
    }
  }
  return null;
};

const filterAt = (tokens: readonly CodeToken[], at: number) => {
  const token = tokens[at];
  if (token?.kind !== 'name' || tokens[at - 1]?.text !== '|') return null;
  const { text: name, from, to } = token;
  return { steps: [{ kind: 'name' as const, name, from, to }], first: at };
};

/** A whole word under a position, with what is before it. */
export interface WordAt {
  readonly place: WordPlace;
  /** The expression up to and with the word; only the word when nothing is known before it. */
  readonly steps: readonly NameStep[];
  readonly word: string;
  readonly from: number;
  readonly to: number;
}

/** Returns the name under a position, also one in quotes in brackets. */
export const wordAt = (text: string, at: number, dialect: Dialect): WordAt | null => {
  const region = partOf(text, at, dialect);
  if (region === undefined) return null;
  const tokens = tokensIn(text, region?.from ?? 0, region?.to ?? text.length, dialect);
  const index = tokens.findIndex(
    ({ kind, from, to }) => (kind === 'name' || kind === 'string') && from <= at && at <= to,
  );
  const token = tokens[index];
  if (token === undefined) return null;
  if (token.kind === 'string') {
    const isKey = tokens[index - 1]?.text === '[' && tokens[index + 1]?.text === ']';
    const found = isKey ? chainTo(tokens, index + 1) : null;
    if (found === null || found.steps.length < 2) return null;
    const [from, to] = [token.from + 1, token.to - 1];
    return { place: 'member', steps: found.steps, word: unquoted(token.text), from, to };
  }
  const place = placeOf(tokens, index, region);
  const { text: word, from, to } = token;
  const alone: readonly NameStep[] = [{ kind: 'name', name: word, from, to }];
  const steps = place === 'member' || place === 'name' ? chainTo(tokens, index)?.steps : alone;
  return steps === undefined ? null : { place, steps, word, from, to };
};
