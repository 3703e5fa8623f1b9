import { type CodeToken, chainTo, type NameStep, regionsOf, tokensIn, unquoted } from './cursor.js';

/** A name that a template gives a value. */
export interface LocalName {
  readonly kind: 'set' | 'for' | 'macro' | 'import' | 'argument' | 'block';
  readonly name: string;
  /** Offset of the name. */
  readonly from: number;
  /** Where it gets its value from: of `set`, or what `for` walks over. Null when it is no chain of names. */
  readonly value: readonly NameStep[] | null;
  /** Parameters of a macro, in parentheses. */
  readonly params?: string;
  /** File of an import; and the name there, when a single one is imported. */
  readonly file?: string;
  readonly imported?: string;
}

/** A file that a template names: `{% include 'a.jinja' %}`. */
export interface FileName {
  readonly file: string;
  readonly from: number;
  readonly to: number;
}

const ASSIGNED_TO = new Set(['for', 'set']);

/** What ends the expression that a loop walks over. */
const LOOP_ENDS = new Set(['if', 'recursive']);

/** The expression from a token on, when it is nothing but a chain of names: `samples.users.pick()`. */
const chainOf = (tokens: readonly CodeToken[], from: number): readonly NameStep[] | null => {
  const rest = tokens.slice(from);
  const cut = rest.findIndex(({ text }) => LOOP_ENDS.has(text));
  // The minus or plus of `-%}` is no part of it.
  const isTrimmed = /^[-+]$/.test(rest.at(-1)?.text ?? '');
  const length = cut === -1 ? rest.length - (isTrimmed ? 1 : 0) : cut;
  const found = chainTo(tokens, from + length - 1);
  return found?.first === from ? found.steps : null;
};

const namesIn = (tokens: readonly CodeToken[]): readonly CodeToken[] =>
  tokens.filter(({ kind }) => kind === 'name');

const macroNames = (text: string, tokens: readonly CodeToken[]): readonly LocalName[] => {
  const [, name, open] = tokens;
  if (name?.kind !== 'name' || open?.text !== '(') return [];
  const close = tokens.findLast(({ text: sign }) => sign === ')');
  const params = text.slice(open.from, close?.to ?? tokens.at(-1)?.to ?? open.to).replaceAll(/\s+/g, ' ');
  let depth = 0;
  const args = tokens.slice(2).flatMap((token, index, all): readonly LocalName[] => {
    if ('([{'.includes(token.text)) depth += 1;
    else if (')]}'.includes(token.text)) depth -= 1;
    const before = all[index - 1]?.text;
    const isParameter = depth === 1 && token.kind === 'name' && (before === '(' || before === ',');
    return isParameter ? [{ kind: 'argument', name: token.text, from: token.from, value: null }] : [];
  });
  return [{ kind: 'macro', name: name.text, from: name.from, value: null, params }, ...args];
};

const importNames = (tokens: readonly CodeToken[]): readonly LocalName[] => {
  const [word, file] = tokens;
  if (file?.kind !== 'string') return [];
  const path = unquoted(file.text);
  if (word?.text === 'import') {
    const name = tokens[3];
    return tokens[2]?.text === 'as' && name !== undefined
      ? [{ kind: 'import', name: name.text, from: name.from, value: null, file: path }]
      : [];
  }
  return tokens.slice(3).flatMap((token, index, all): readonly LocalName[] => {
    if (token.kind !== 'name' || ['as', 'with', 'without', 'context'].includes(token.text)) return [];
    if (all[index + 1]?.text === 'as') return [];
    const imported = all[index - 1]?.text === 'as' ? (all[index - 2]?.text ?? token.text) : token.text;
    return [{ kind: 'import', name: token.text, from: token.from, value: null, file: path, imported }];
  });
};

const statementNames = (text: string, tokens: readonly CodeToken[]): readonly LocalName[] => {
  const [word, first] = tokens;
  if (word === undefined) return [];
  if (word.text === 'macro') return macroNames(text, tokens);
  if (word.text === 'from' || word.text === 'import') return importNames(tokens);
  if (word.text === 'block' && first?.kind === 'name')
    return [{ kind: 'block', name: first.text, from: first.from, value: null }];
  if (!ASSIGNED_TO.has(word.text)) return [];
  const sign = tokens.findIndex(({ text: one }) => one === (word.text === 'for' ? 'in' : '='));
  const targets = namesIn(tokens.slice(1, sign === -1 ? 2 : sign));
  const value = sign === -1 || targets.length > 1 ? null : chainOf(tokens, sign + 1);
  return targets.map(({ text: name, from }) => ({
    kind: word.text === 'for' ? 'for' : 'set',
    name,
    from,
    value,
  }));
};

const statementsIn = (text: string): readonly (readonly CodeToken[])[] =>
  regionsOf(text)
    .filter(({ kind }) => kind === 'statement')
    .map(({ from, to }) => tokensIn(text, from, to, 'jinja'));

/** The names that a template sets, loops over, defines as macros or imports, in order. */
export const localNames = (text: string): readonly LocalName[] =>
  statementsIn(text).flatMap((tokens) => statementNames(text, tokens));

const LOADERS = new Set(['include', 'import', 'extends', 'from']);

/** The files that a template loads, as it names them. */
export const filesNamed = (text: string): readonly FileName[] =>
  statementsIn(text).flatMap(([word, ...rest]) =>
    word === undefined || !LOADERS.has(word.text)
      ? []
      : rest
          .filter(({ kind }) => kind === 'string')
          .map(({ text: written, from, to }) => ({ file: unquoted(written), from, to })),
  );
