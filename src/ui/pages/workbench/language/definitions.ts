import { pathFrom } from '../paths.js';
import { type NameStep, wordAt } from './cursor.js';
import { filesNamed } from './locals.js';
import { aliasesOfFile, type FileNames } from './names.js';

/** Where a name comes from: a line of a file, counted from 1. */
export interface Place {
  readonly path: string;
  readonly line: number;
  readonly column: number;
}

const EVENT = ['event', 'template'] as const;

/** Line and column of an offset, both counted from 1. */
const positionOf = (text: string, offset: number) => {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
};

const inConfig = ({ declared, configPath }: FileNames, path: readonly (string | number)[]): Place | null =>
  declared === null ? null : { path: configPath, ...declared.locate(path, 'key') };

const fileAt = ({ configPath, paths }: FileNames, written: string): Place | null => {
  const path = pathFrom(configPath, written);
  return path !== null && paths.includes(path) ? { path, line: 1, column: 1 } : null;
};

/** A macro or name of another template; `textOf` gives what is known of its text. */
const inFile = (names: FileNames, file: string, name: string, textOf: (path: string) => string | null) => {
  const top = fileAt(names, file);
  if (top === null) return null;
  const found = names.exportsOf(file).find((one) => one.name === name);
  const text = textOf(top.path);
  return found === undefined || text === null ? top : { ...top, ...positionOf(text, found.from) };
};

const declaredPlace = (names: FileNames, root: string, name: string): Place | null => {
  const { declared } = names;
  if (root === 'samples')
    return declared?.samples.has(name) === true ? inConfig(names, [...EVENT, 'samples', name]) : null;
  if (root === 'params')
    return declared !== null && Object.hasOwn(declared.params, name)
      ? inConfig(names, [...EVENT, 'params', name])
      : null;
  if (root !== 'vars') return null;
  const alias = aliasesOfFile(names).find(({ vars }) => Object.hasOwn(vars, name));
  return alias === undefined ? null : inConfig(names, [...alias.path, 'vars', name]);
};

const namesOf = (steps: readonly NameStep[]): readonly string[] =>
  steps.map((step) => (step.kind === 'name' ? step.name : ''));

/** Returns where the name under a position of a template comes from. Null when that is nowhere in the directory. */
export const definitionAt = (
  names: FileNames,
  text: string,
  at: number,
  textOf: (path: string) => string | null,
): Place | null => {
  const file = filesNamed(text).find(({ from, to }) => from <= at && at <= to);
  if (file !== undefined) return fileAt(names, file.file);
  const found = wordAt(text, at, names.dialect);
  if (found === null || (found.place !== 'name' && found.place !== 'member')) return null;
  const [root = '', member, more] = namesOf(found.steps);
  // The word as a whole is a local name; the last one before it counts, else the first after it.
  const ofRoot = names.locals.filter((one) => one.name === root && one.kind !== 'block');
  const local = ofRoot.findLast(({ from }) => from <= at) ?? ofRoot[0];
  if (member === undefined) {
    if (local === undefined) return null;
    if (local.imported !== undefined && local.file !== undefined)
      return inFile(names, local.file, local.imported, textOf);
    return { path: names.file, ...positionOf(text, local.from) };
  }
  if (local?.kind === 'import' && local.file !== undefined)
    return more === undefined ? inFile(names, local.file, member, textOf) : null;
  return local === undefined && more === undefined ? declaredPlace(names, root, member) : null;
};

/** The word of a YAML text around a position, without its quotes. */
export const yamlWordAt = (text: string, at: number) => {
  const isInside = (index: number): boolean => /[^\s'"{}[\],:#]/.test(text.charAt(index));
  let [from, to] = [at, at];
  while (from > 0 && isInside(from - 1)) from -= 1;
  while (to < text.length && isInside(to)) to += 1;
  return from === to ? null : { word: text.slice(from, to), from, to };
};

/** Returns the sample whose entry in the config is under a position. Null elsewhere. */
const sampleKeyAt = (names: FileNames, text: string, at: number): string | null => {
  const word = yamlWordAt(text, at);
  if (word === null || names.declared === null) return null;
  const { line, column } = positionOf(text, word.from);
  for (const name of names.declared.samples.keys()) {
    const place = names.declared.locate([...EVENT, 'samples', name], 'key');
    const isQuoted = /['"]/.test(text.charAt(word.from - 1));
    if (place.line === line && column - (isQuoted ? 1 : 0) === place.column) return name;
  }
  return null;
};

/** Returns the file that the word under a position of the config names, or that of its sample. */
export const configDefinitionAt = (names: FileNames, text: string, at: number): Place | null => {
  const sample = names.declared?.samples.get(sampleKeyAt(names, text, at) ?? '');
  if (sample !== undefined) {
    const { file } = sample;
    return file !== null && names.paths.includes(file) ? { path: file, line: 1, column: 1 } : null;
  }
  const word = yamlWordAt(text, at);
  return word === null ? null : fileAt(names, word.word);
};

/** Returns the sample under a position of a file. Null when there is none. */
export const sampleAt = (names: FileNames, text: string, at: number): string | null => {
  if (names.file === names.configPath) return sampleKeyAt(names, text, at);
  const found = wordAt(text, at, names.dialect);
  const [root, sample, ...more] = found?.steps ?? [];
  if (root?.kind !== 'name' || root.name !== 'samples' || sample?.kind !== 'name' || more.length > 0)
    return null;
  if (names.dialect !== 'jinja' || names.locals.some(({ name }) => name === 'samples')) return null;
  return names.declared?.samples.has(sample.name) === true ? sample.name : null;
};
