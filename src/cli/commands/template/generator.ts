import { realpath } from 'node:fs/promises';
import { basename, dirname, join, posix } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { nodeFiles } from '../../../adapters/files/files.js';
import { isBelow } from '../../../adapters/files/folder.js';
import { checkGeneratorText, MAX_CONFIG_BYTES } from '../../../config/generator/config.js';
import { readDocument } from '../../../config/yaml/document.js';
import type { YamlSource } from '../../../config/yaml/source.js';
import type { SpateError } from '../../../domain/errors.js';
import { isJsonObject, type Json } from '../../../domain/json.js';
import { plural } from '../../../domain/text/shown.js';
import { installed } from '../../../plugins/installed.js';
import {
  type CheckOptions,
  type CheckResult,
  type ConfigTemplates,
  Fault,
  inspectTemplates,
  isOutsideName,
  MAX_TEMPLATE_BYTES,
  type TemplateFinding,
  templatesNamedIn,
  templatesOfConfig,
} from '../../../template/index.js';
import type { Io } from '../../terminal/io.js';
import { type FileFinding, findingPath, messageOf } from './findings.js';

/** Result for a generator, or for a template alone. */
export interface Checked {
  readonly findings: readonly FileFinding[];
  /** Absolute paths of the templates read. */
  readonly reached: ReadonlySet<string>;
  /** Number of checked templates, including inline ones. */
  readonly templates: number;
  /** True if the generator's use of every template is known. */
  readonly isComplete: boolean;
}

/** Top-level keys that only generator configs have; dotted keys by their first part. */
const isGenerator = (path: string, value: Json): boolean =>
  /^generator\.ya?ml$/.test(basename(path)) ||
  (isJsonObject(value) && Object.keys(value).some((key) => /^(?:event|output)(?:\.|$)/.test(key)));

/** Line within a multi-line inline template. */
const withinText = ({ location }: TemplateFinding, text: string | null): string =>
  location !== null && text?.trimEnd().includes('\n') === true
    ? `in line ${location.line} of the template: `
    : '';

interface Located {
  /** Absolute folder of the generator. */
  readonly folder: string;
  readonly cwd: string;
  readonly config: { readonly file: string; readonly source: YamlSource } | null;
  readonly roots: ConfigTemplates['roots'];
}

const inFile = (finding: TemplateFinding, { folder, cwd, config, roots }: Located): FileFinding => {
  const { severity, code, location, path, shown } = finding;
  if (path === null || config === null) {
    const file = findingPath(join(folder, location?.template ?? ''), cwd);
    return {
      file,
      line: location?.line ?? null,
      column: location?.column ?? null,
      severity,
      code,
      message: messageOf(finding),
      shown,
    };
  }
  const at = config.source.locate(path);
  const inline = roots.find((root) => root.path?.join('\0') === path.join('\0'))?.text ?? null;
  const message = `${withinText(finding, inline)}${messageOf(finding)}`;
  return { file: findingPath(config.file, cwd), ...at, severity, code, message, shown };
};

const resultOf = (result: CheckResult, located: Located): Checked => ({
  findings: result.findings.map((finding) => inFile(finding, located)),
  reached: new Set(result.reached.map((name) => join(located.folder, name))),
  templates: result.reached.length + located.roots.filter(({ text }) => text !== null).length,
  isComplete: result.isComplete,
});

const inspect = async (
  located: Located,
  more: Omit<ConfigTemplates, 'roots'> & Pick<CheckOptions, 'columns'>,
): Promise<Checked> => {
  const { folder, roots } = located;
  const names = roots.flatMap(({ name, text }) => (text === null ? [name] : []));
  const texts = roots.flatMap(({ text }) => (text === null ? [] : [text]));
  const load = await readSources(folder, names, texts);
  return resultOf(inspectTemplates({ ...more, roots, load }), located);
};

/** Points to `spate validate` for problems of the config itself. */
const invalidConfig = (text: string, file: string, program: string): readonly FileFinding[] => {
  const checked = checkGeneratorText(text, file, installed().shapes.generator);
  if (E.isRight(checked)) return [];
  const count = checked.left.issues?.length ?? 1;
  const message = `the config itself has ${plural(count, 'problem')}, so its generator does not start. Run ${program} validate ${file}.`;
  return [
    { file, line: null, column: null, severity: 'warning', code: 'invalid_config', message, shown: '' },
  ];
};

/** Checks the templates of a config. Null when it is no generator config, an error when it is unreadable. */
export const checkGenerator = async (
  path: string,
  { cwd, program }: Pick<Io, 'cwd' | 'program'>,
  columns?: CheckOptions['columns'],
): Promise<E.Either<SpateError, Checked | null>> => {
  const text = await nodeFiles.readText(path, MAX_CONFIG_BYTES);
  if (E.isLeft(text)) return text;
  const document = readDocument(text.right, findingPath(path, cwd), installed().shapes.generator);
  if (E.isLeft(document)) return document;
  const { source, value } = document.right;
  if (!isGenerator(path, value)) return E.right(null);
  const { roots, ...more } = templatesOfConfig(value);
  const located = { folder: dirname(path), cwd, config: { file: path, source }, roots };
  const checked = await inspect(located, columns === undefined ? more : { ...more, columns });
  const findings = [...invalidConfig(text.right, findingPath(path, cwd), program), ...checked.findings];
  return E.right({ ...checked, findings });
};

/** Checks a template without a generator; names resolve from `folder`. */
export const checkAlone = (name: string, folder: string, cwd: string): Promise<Checked> => {
  const roots = [{ name, text: null, renderer: 'anyone', vars: null, path: null }] as const;
  return inspect({ folder, cwd, config: null, roots }, { params: null, samples: null });
};

/** Limit of lookups per check. */
const MAX_LOOKUPS = 5_000;

/** A text, nothing, or why it cannot be read. */
type Found = { readonly text: string } | { readonly problem: string } | null;

const read = async (root: string, name: string): Promise<Found> => {
  if (isOutsideName(name)) return null;
  const path = await realpath(join(root, name)).catch(() => null);
  if (path === null || !isBelow(root, path)) return null;
  const text = await nodeFiles.readText(path, MAX_TEMPLATE_BYTES);
  if (E.isRight(text)) return { text: text.right };
  return text.left.code === 'not_found' ? null : { problem: text.left.message };
};

/** Loader of templates read in advance. */
type Sources = (name: string) => string | null;

/**
 * Reads templates below a folder and, recursively, those they load by literal names. `texts`: inline templates.
 * Links must not lead out of the folder. The loader throws a `Fault` for unreadable templates.
 */
const readSources = async (
  folder: string,
  names: readonly string[],
  texts: readonly string[],
): Promise<Sources> => {
  const root = await realpath(folder).catch(() => folder);
  const found = new Map<string, Found>();
  const wanted = new Set([...names, ...texts.flatMap(templatesNamedIn)]);
  // The set grows while iterating.
  for (const name of wanted) {
    if (found.size >= MAX_LOOKUPS) break;
    const one = await read(root, name);
    found.set(name, one);
    if (one === null || !('text' in one)) continue;
    const beside = posix.dirname(name);
    for (const named of templatesNamedIn(one.text)) {
      wanted.add(named);
      // Lets the check suggest a path relative to the template.
      if (beside !== '.') wanted.add(`${beside}/${named}`);
    }
  }
  return (name) => {
    const one = found.get(name) ?? null;
    if (one === null) return null;
    if ('problem' in one) throw new Fault('OSError', one.problem);
    return one.text;
  };
};
