import * as E from 'fp-ts/lib/Either.js';
import type { Issue } from '../../domain/errors.js';
import { isJsonObject, type Json, type JsonObject } from '../../domain/json.js';
import { LIBRARY_FILE } from '../../domain/library.js';
import { didYouMean } from '../../domain/text/shown.js';
import type { Files } from '../../ports/files.js';
import { parametersOf } from '../library/pack.js';
import { libraryShape } from '../library/shape.js';
import { readDocument } from '../yaml/document.js';
import { MAX_YAML_LENGTH } from '../yaml/source.js';
import type { ConfigReader } from './config.js';
import { destinationTexts } from './destinations.js';

/** Bytes of a script or a `library.yml`; larger ones are not looked at. */
const MAX_BYTES = 1_048_576;

/** Names in a hint. */
const MAX_LISTED = 20;

/** Event plugins that get parameters from the placeholders of their config only. */
const READ_NOTHING: ReadonlySet<string> = new Set(['template', 'replay']);

/** The parameter, and the scenario global, that switches an attack on. */
const ANOMALY = 'anomaly';
const NO_ANOMALY = 'none';

type ReadText = Files['readText'];

/** A config with dotted keys expanded, and where it is. */
export interface GivenTo {
  readonly path: string;
  readonly config: Json;
  readonly readText: ReadText;
}

const memberOf = (value: Json | undefined, key: string): Json | undefined =>
  isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;

/** The path of a file named by a config. */
const besideConfig = (path: string, file: string): string =>
  file.startsWith('/') ? file : `${path.slice(0, path.lastIndexOf('/'))}/${file}`;

/** Names that a pattern finds; null when `word` also stands where the pattern does not match. */
const namesBy = (source: string, word: RegExp, read: RegExp): ReadonlySet<string> | null => {
  const names = [...source.matchAll(read)].map((match) => match[1] ?? match[2] ?? '');
  return [...source.matchAll(word)].length === names.length ? new Set(names) : null;
};

const MEMBER = String.raw`(?:\??\.(?!get\b)([\w$]+)|(?:\?\.)?(?:\[|\.get\()\s*['"]([^'"\\]+)['"])`;

/** `produce({ timestamp, params }) {`, also as an arrow function. */
const PRODUCE = /\bproduce\b\s*(?:=\s*(?:async\s+)?(?:function\b\s*\w*\s*)?)?\(\s*\{([^{}()=.]*)\}\s*\)/;

const javaScriptReads = (source: string): ReadonlySet<string> | null => {
  const declared = PRODUCE.exec(source);
  if (declared === null || /\bparams\s*:|\barguments\b/.test(source)) return null;
  const rest = source.replace(declared[0], '');
  return namesBy(rest, /\bparams\b/g, new RegExp(`\\bparams${MEMBER}`, 'g'));
};

/** `def produce(given):`, which finds parameters in `given['params']`. */
const DEF = /\bdef\s+produce\s*\(\s*(\w+)\s*(?::[^)]*)?\)/;

const pythonReads = (source: string): ReadonlySet<string> | null => {
  const declared = DEF.exec(source);
  if (declared === null) return null;
  const name = declared[1] as string;
  const rest = source.replace(declared[0], '');
  // Each use of the argument takes a member of it by name; those of `params` are the parameters.
  if (
    namesBy(rest, new RegExp(`\\b${name}\\b(?!['"])`, 'g'), new RegExp(`\\b${name}${MEMBER}`, 'g')) === null
  )
    return null;
  const params = `\\b${name}\\s*\\[\\s*['"]params['"]\\s*\\]`;
  return namesBy(rest, /['"]params['"]/g, new RegExp(`${params}${MEMBER}`, 'g'));
};

/** Parameters that a script reads by name; null when it may read any. */
export const scriptReads = (source: string, file: string): ReadonlySet<string> | null => {
  const written = source.replace(/^\s*(?:\/\/|#).*$/gm, '').replace(/\/\*[\s\S]*?\*\//g, '');
  return file.endsWith('.py') ? pythonReads(written) : javaScriptReads(written);
};

/** Parameters that the event plugin of a config reads itself; null when it may read any. */
const eventReads = async ({ config, path, readText }: GivenTo): Promise<ReadonlySet<string> | null> => {
  const event = memberOf(config, 'event');
  const [kind = ''] = isJsonObject(event) ? Object.keys(event) : [];
  if (READ_NOTHING.has(kind)) return new Set();
  const file = kind === 'script' ? memberOf(memberOf(event, kind), 'path') : undefined;
  if (typeof file !== 'string' || file.includes('${')) return null;
  const text = await readText(besideConfig(path, file), MAX_BYTES);
  return E.isRight(text) ? scriptReads(text.right, file) : null;
};

/** Values that `library.yml` beside a config declares, by parameter; empty without that file. */
export const choicesOf = async ({
  path,
  config,
  readText,
}: GivenTo): Promise<ReadonlyMap<string, readonly string[]>> => {
  const file = besideConfig(path, LIBRARY_FILE);
  const text = await readText(file, MAX_BYTES);
  const read = E.isRight(text) ? readDocument(text.right, file, libraryShape) : text;
  if (E.isLeft(read)) return new Map();
  const anomalies = memberOf(read.right.value, 'anomalies');
  const names = isJsonObject(anomalies) ? Object.keys(anomalies) : [];
  const written = memberOf(read.right.value, 'choices');
  const declared = Object.entries(isJsonObject(written) ? written : {}).map(
    ([name, values]) => [name, Array.isArray(values) ? values.map(String) : []] as const,
  );
  const { defaults } = parametersOf(config);
  return new Map(
    [...declared, ...(names.length === 0 ? [] : [[ANOMALY, [NO_ANOMALY, ...names]] as const])]
      .filter(([, values]) => values.length > 0)
      .map(([name, values]) => {
        const usual = defaults.get(name);
        return [name, usual === undefined ? values : [...new Set([...values, String(usual)])]];
      }),
  );
};

const listed = (names: readonly string[]): string =>
  `${names.slice(0, MAX_LISTED).join(', ')}${names.length > MAX_LISTED ? ', ...' : ''}`;

const hintFor = (name: string, known: readonly string[], nothing: string): string =>
  didYouMean(name, known) ?? (known.length === 0 ? nothing : `Known: ${listed(known)}.`);

/** The problem of a value that is none of those declared; null for one of them. */
export const choiceIssue = (
  name: string,
  value: Json,
  choices: ReadonlyMap<string, readonly string[]>,
): Omit<Issue, 'path'> | null => {
  const known = choices.get(name);
  if (known === undefined || value === null || typeof value === 'object' || known.includes(String(value)))
    return null;
  const message = `is no value of '${name}' that this generator has`;
  return { type: 'not_allowed', message, hint: hintFor(String(value), known, '') };
};

/**
 * Problems of parameters given to a config: names that nothing reads, and values that its `library.yml` does not
 * declare. Paths start with `params`.
 */
export const paramIssues = async (given: GivenTo, params: JsonObject): Promise<readonly Issue[]> => {
  const names = Object.keys(params);
  if (names.length === 0) return [];
  const destinations = await destinationTexts(given.config, params, given);
  const { defaults, missing } = parametersOf([given.config, ...destinations]);
  const known = new Set([...defaults.keys(), ...missing]);
  const isUnknown = names.some((name) => !known.has(name));
  const read = isUnknown ? await eventReads(given) : null;
  const all = read === null ? null : [...new Set([...known, ...read])];
  const choices = await choicesOf(given);
  return names.flatMap((name): readonly Issue[] => {
    const path = ['params', name];
    if (!known.has(name) && all?.includes(name) === false) {
      const hint = hintFor(name, all, 'This config reads no parameter.');
      return [{ path, type: 'unknown_key', message: `unknown parameter '${name}'`, hint }];
    }
    const issue = choiceIssue(name, params[name] ?? null, choices);
    return issue === null ? [] : [{ path, ...issue }];
  });
};

/** As `paramIssues`, for a config file that may be absent or invalid: who uses it says so. */
export const paramIssuesAt = async (
  path: string,
  params: JsonObject,
  { readText, value }: { readonly readText: ReadText } & Pick<ConfigReader, 'value'>,
): Promise<readonly Issue[]> => {
  if (Object.keys(params).length === 0) return [];
  const text = await readText(path, MAX_YAML_LENGTH);
  const config = E.isRight(text) ? await value(text.right, path) : text;
  return E.isRight(config) ? paramIssues({ path, config: config.right, readText }, params) : [];
};
