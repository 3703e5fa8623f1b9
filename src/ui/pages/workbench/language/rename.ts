import { languageOf } from '../paths.js';
import { type CodeToken, regionsOf, tokensIn, unquoted } from './cursor.js';
import { type ConfigNames, declaredIn } from './declared.js';
import { localNames } from './locals.js';

/** A file with a sample under its new name. */
export interface RenamedFile {
  readonly path: string;
  readonly text: string;
  /** Places that change. */
  readonly places: number;
}

export interface Renaming {
  readonly files: readonly RenamedFile[];
  /** Places that choose a sample by a computed name, `samples[x]`: nobody knows whether it is this one. */
  readonly computed: readonly { readonly path: string; readonly places: number }[];
}

const IDENTIFIER = /^[A-Za-z_]\w*$/;

/** Returns why a sample cannot have a name. Null when it can. */
export const sampleNameProblem = (declared: ConfigNames, from: string, to: string): string | null => {
  if (to === from) return null;
  if (!IDENTIFIER.test(to))
    return 'Write letters, digits and underscores, with a letter or underscore first.';
  return declared.samples.has(to) ? `There is a sample ${to} already.` : null;
};

interface Use {
  readonly from: number;
  readonly to: number;
  /** Null for a computed name. */
  readonly name: string | null;
}

const sampleAfter = (tokens: readonly CodeToken[], at: number): Use | null => {
  const [sign, name, close] = tokens.slice(at + 1, at + 4);
  if (sign?.text === '.' && name?.kind === 'name') return { from: name.from, to: name.to, name: name.text };
  if (sign?.text !== '[' || name === undefined) return null;
  return name.kind === 'string' && close?.text === ']'
    ? { from: name.from + 1, to: name.to - 1, name: unquoted(name.text) }
    : { from: name.from, to: name.to, name: null };
};

/** The uses of samples in a template. */
const usesIn = (text: string): readonly Use[] => {
  if (localNames(text).some(({ name }) => name === 'samples')) return [];
  return regionsOf(text).flatMap(({ from, to }) => {
    const tokens = tokensIn(text, from, to, 'jinja');
    return tokens.flatMap((token, at) => {
      const isSamples = token.kind === 'name' && token.text === 'samples' && tokens[at - 1]?.text !== '.';
      return (isSamples ? sampleAfter(tokens, at) : null) ?? [];
    });
  });
};

const replaced = (text: string, uses: readonly Use[], to: string): string =>
  [...uses]
    .sort((a, b) => b.from - a.from)
    .reduce((before, use) => before.slice(0, use.from) + to + before.slice(use.to), text);

/** The entry of a sample in the config under another name. Null when it cannot be found. */
const renamedEntry = (text: string, declared: ConfigNames, from: string, to: string): string | null => {
  const { line, column } = declared.locate(['event', 'template', 'samples', from], 'key');
  const lines = text.split('\n');
  const offset = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0) + column - 1;
  // The key may have quotes, or end a dotted one: `samples.users:`.
  const [key] = /^(?:"[^"]*"|'[^']*'|[^\s:]+)/.exec(text.slice(offset)) ?? [];
  const at = key?.lastIndexOf(from) ?? -1;
  if (key === undefined || at === -1) return null;
  const start = offset + at;
  return text.slice(0, start) + to + text.slice(start + from.length);
};

/** Renames a sample in a config and all templates of its directory. Null when the config cannot be changed. */
export const renamedSample = (
  texts: ReadonlyMap<string, string>,
  configPath: string,
  from: string,
  to: string,
): Renaming | null => {
  const config = texts.get(configPath);
  const declared = config === undefined ? null : declaredIn(config, configPath);
  if (config === undefined || declared === null) return null;
  const entry = renamedEntry(config, declared, from, to);
  // What was written must be read back as the same config with another name.
  const again = entry === null ? null : declaredIn(entry, configPath);
  if (entry === null || again?.samples.has(to) !== true || again.samples.has(from)) return null;
  const files: RenamedFile[] = [{ path: configPath, text: entry, places: 1 }];
  const computed: { path: string; places: number }[] = [];
  for (const [path, text] of texts) {
    if (languageOf(path) !== 'jinja') continue;
    const uses = usesIn(text);
    const own = uses.filter(({ name }) => name === from);
    const unknown = uses.filter(({ name }) => name === null);
    if (own.length > 0) files.push({ path, text: replaced(text, own, to), places: own.length });
    if (unknown.length > 0) computed.push({ path, places: unknown.length });
  }
  return { files, computed };
};
