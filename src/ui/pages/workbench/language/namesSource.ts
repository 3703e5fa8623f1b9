import { NO_ANSWER } from '../../../api/errors.js';
import { languageOf, pathFrom } from '../paths.js';
import { type ConfigNames, declaredIn, sampleColumns } from './declared.js';
import { filesNamed, localNames } from './locals.js';
import type { FileNames } from './names.js';
import type { LanguageReference } from './reference.js';

/** Address of the file that the build makes of the docs. */
const FILES = import.meta.glob<string>('../../../../../dist/help/language.json', {
  query: '?url',
  import: 'default',
  eager: true,
});

const loadReference = async (): Promise<LanguageReference> => {
  const [url] = Object.values(FILES);
  if (url === undefined) throw new Error('The editor has no reference.');
  const response = await fetch(url).catch(() => null);
  if (response?.ok !== true) throw NO_ANSWER;
  return (await response.json()) as LanguageReference;
};

const EMPTY: LanguageReference = { members: {}, filters: [], tests: [], script: {}, kinds: {} };

let reference: Promise<LanguageReference> | null = null;

/** The reference; empty without a connection, then it is loaded again the next time. */
const referenceOnce = async (): Promise<LanguageReference> => {
  reference ??= loadReference();
  return reference.catch(() => {
    reference = null;
    return EMPTY;
  });
};

/** A generator directory as its editor sees it. */
export interface Directory {
  readonly configPath: string;
  /** Text of the config with its unsaved changes. Null when it is not read yet. */
  readonly configText: string | null;
  readonly paths: readonly string[];
  /** The text of a file with its unsaved changes. Null when it is not there or not text. */
  readonly read: (path: string) => Promise<string | null>;
}

/** The config that was read last, and what it declared when it could be read the last time, by page. */
const lastDeclared = new WeakMap<
  Directory['read'],
  { readonly text: string; readonly names: ConfigNames | null }
>();

/** Read once for each text: somebody who writes a template asks with every letter. */
const declaredNow = ({ configText: text, configPath, read }: Directory): ConfigNames | null => {
  const last = lastDeclared.get(read);
  if (text === null || text === last?.text) return last?.names ?? null;
  const names = declaredIn(text, configPath) ?? last?.names ?? null;
  lastDeclared.set(read, { text, names });
  return names;
};

/** Returns what can be named in a file with a text; reads the files of samples and imports that it names. */
export const namesOf = async (directory: Directory, file: string, text: string): Promise<FileNames> => {
  const { configPath, paths, read } = directory;
  const isScript = languageOf(file) === 'script';
  const declared = declaredNow(directory);
  const samples = [...(declared?.samples.values() ?? [])].filter(({ name }) => text.includes(name));
  const imports = isScript ? [] : filesNamed(text).flatMap((one) => pathFrom(configPath, one.file) ?? []);
  const needed = [...samples.flatMap((one) => one.file ?? []), ...imports].filter((one) =>
    paths.includes(one),
  );
  const texts = new Map(
    await Promise.all([...new Set(needed)].map(async (path) => [path, await read(path)] as const)),
  );
  const textAt = (path: string | null): string | null => (path === null ? null : (texts.get(path) ?? null));
  return {
    dialect: isScript ? 'script' : 'jinja',
    reference: await referenceOnce(),
    file,
    configPath,
    paths,
    declared,
    locals: isScript || file === configPath ? [] : localNames(text),
    sampleColumns: (sample) => sampleColumns(sample, textAt(sample.file)),
    exportsOf: (written) => localNames(textAt(pathFrom(configPath, written)) ?? ''),
  };
};
