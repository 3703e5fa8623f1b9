import * as E from 'fp-ts/lib/Either.js';
import type { Issue, Result } from '../../domain/errors.js';
import { isJsonObject, type Json } from '../../domain/json.js';
import { GENERATOR_FILE, type LibraryItem, README_FILE } from '../../domain/library.js';
import { placeholdersIn, wholePlaceholder } from '../../domain/placeholder.js';
import { literalPattern } from '../../domain/text/pattern.js';
import { decode } from '../../schema/index.js';
import { fallbackValue } from '../generator/substitute.js';
import { invalid } from '../report.js';
import { locateIssues, parseYaml, type YamlSource } from '../yaml/source.js';
import { type LibraryDocument, libraryShape } from './shape.js';

/** A text and its name in errors. */
export interface NamedText {
  readonly file: string;
  readonly text: string;
}

const memberOf = (value: Json | undefined, key: string): Json | undefined =>
  isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;

const templatesOf = (config: Json): number => {
  const templates = memberOf(memberOf(memberOf(config, 'event'), 'template'), 'templates');
  return Array.isArray(templates) ? templates.length : 0;
};

/** Differences between the parameters of both files. */
const disagreements = ({ parameters, choices }: LibraryDocument, config: Json): readonly Issue[] => {
  const { defaults, missing, ambiguous } = parametersOf(config);
  const at = (name: string, type: string, message: string, hint: string): Issue => ({
    path: ['parameters', name],
    type,
    message,
    hint,
  });
  const known = new Set([...defaults.keys(), ...missing]);
  return [
    ...[...known]
      .filter((name) => !Object.hasOwn(parameters, name))
      .map((name) => at(name, 'missing', 'has no help', 'generator.yml uses it; describe it in one line.')),
    ...[...missing].map((name) =>
      at(
        name,
        'missing',
        'has no default',
        `Write \${params.${name}:-value} wherever generator.yml uses it.`,
      ),
    ),
    ...[...ambiguous].map((name) =>
      at(name, 'conflict', 'has several defaults', 'Write the same one everywhere in generator.yml.'),
    ),
    ...Object.keys(parameters)
      .filter((name) => !known.has(name))
      .map((name) =>
        at(name, 'unknown_key', 'is not used by generator.yml', `Add \${params.${name}:-value} there.`),
      ),
    ...Object.entries(choices).flatMap(([name, values]): readonly Issue[] => {
      const path = ['choices', name];
      if (!known.has(name))
        return [{ path, type: 'unknown_key', message: 'is no parameter of generator.yml' }];
      const isListed = values.includes(String(defaults.get(name)));
      return isListed ? [] : [{ path, type: 'not_allowed', message: 'lacks the default of generator.yml' }];
    }),
  ];
};

const readSource = (source: YamlSource): Result<LibraryDocument> =>
  E.mapLeft((issues: readonly Issue[]) => invalid(source.file, locateIssues(source, issues)))(
    decode(libraryShape, source.value),
  );

/** Checks a `library.yml` on its own. Returns an error with every problem by line and column. */
export const readLibraryText = ({ text, file }: NamedText): Result<LibraryDocument> =>
  E.flatMap(readSource)(parseYaml(text, file));

/**
 * Reads a library generator from its two files. Returns an error when one of them is not YAML, when `library.yml`
 * breaks its declaration, or when the parameters of both differ.
 */
export const readPack = (
  name: string,
  { library, generator }: { readonly library: NamedText; readonly generator: NamedText },
): Result<LibraryItem> => {
  const source = parseYaml(library.text, library.file);
  if (E.isLeft(source)) return source;
  const document = readSource(source.right);
  if (E.isLeft(document)) return document;
  const config = parseYaml(generator.text, generator.file);
  if (E.isLeft(config)) return config;
  const issues = disagreements(document.right, config.right.value);
  if (issues.length > 0) return E.left(invalid(library.file, locateIssues(source.right, issues)));
  const { defaults } = parametersOf(config.right.value);
  const { parameters, anomalies, choices: _choices, indicators: _indicators, ...rest } = document.right;
  return E.right({
    name,
    ...rest,
    templates: templatesOf(config.right.value),
    parameters: [...defaults].map(([parameter, fallback]) => ({
      name: parameter,
      default: fallback,
      help: parameters[parameter] ?? '',
    })),
    anomalies: Object.entries(anomalies).map(([anomaly, help]) => ({ name: anomaly, help })),
  });
};

/** What a copy changes in its texts. */
interface Renaming {
  /** Name in the library. */
  readonly from: string;
  readonly name: string;
  /** Path of the copy in commands. */
  readonly shown: string;
  readonly config_filename: string;
  /** Returns the new target of a relative path that leads out of the generator, or null when nothing is there. */
  readonly moved: (target: string) => string | null;
}

const SCHEMA_LINE = /^(# yaml-language-server: \$schema=)(\S+)[ \t]*(?:\r?\n|$)/m;

const isOutside = (target: string): boolean => target.startsWith('../');

const withSchema = (text: string, { moved }: Renaming): string =>
  text.replace(SCHEMA_LINE, (line: string, start: string, target: string) => {
    if (!isOutside(target)) return line;
    const found = moved(target);
    return found === null ? '' : `${start}${found}\n`;
  });

/** Links keep their target; the name changes elsewhere, `generators/NAME` becomes the path of the copy. */
const renamed = (text: string, { from, name, shown, moved }: Renaming): string => {
  const link = '\\]\\(([^)\\s#]+)([^)]*)\\)';
  const path = `(?<![\\w/.-])generators/${literalPattern(from)}(?![\\w-])`;
  const plain = `(?<![\\w-])${literalPattern(from)}(?![\\w-])`;
  return text.replaceAll(
    new RegExp(`${link}|(${path})|(${plain})`, 'g'),
    (whole: string, target: string | undefined, rest: string | undefined, found: string | undefined) => {
      if (target === undefined) return found === undefined ? name : shown;
      return isOutside(target) ? `](${moved(target) ?? target}${rest ?? ''})` : whole;
    },
  );
};

/** Path and text of a file in the copy. The README tells the new name, schema lines lead to the schema. */
export const copiedText = (
  path: string,
  text: string,
  renaming: Renaming,
): { readonly path: string; readonly text: string } => {
  if (path === README_FILE) return { path, text: renamed(text, renaming) };
  if (path === GENERATOR_FILE) return { path: renaming.config_filename, text: withSchema(text, renaming) };
  return { path, text };
};

/** Placeholders of a generator config by name. */
interface ConfigParameters {
  /** Each with the fallback of its first use. */
  readonly defaults: ReadonlyMap<string, Json>;
  /** Without a fallback in at least one location. */
  readonly missing: ReadonlySet<string>;
  /** With several fallbacks. */
  readonly ambiguous: ReadonlySet<string>;
}

const textsOf = (value: Json): readonly string[] => {
  if (typeof value === 'string') return value.includes('${') ? [value] : [];
  if (Array.isArray(value)) return (value as readonly Json[]).flatMap(textsOf);
  return isJsonObject(value) ? Object.values(value).flatMap(textsOf) : [];
};

/** The parameters of a config: its placeholders `${params.name:-default}`, in order. */
export const parametersOf = (config: Json): ConfigParameters => {
  const fallbacks = new Map<string, string>();
  const defaults = new Map<string, Json>();
  const [missing, ambiguous] = [new Set<string>(), new Set<string>()];
  for (const text of textsOf(config)) {
    const isWhole = wholePlaceholder(text) !== null;
    for (const { source, name, fallback } of placeholdersIn(text)) {
      if (source !== 'params') continue;
      if (fallback === null) missing.add(name);
      else if (!fallbacks.has(name)) {
        fallbacks.set(name, fallback);
        defaults.set(name, isWhole ? fallbackValue(fallback) : fallback);
      } else if (fallbacks.get(name) !== fallback) ambiguous.add(name);
    }
  }
  return { defaults, missing, ambiguous };
};
