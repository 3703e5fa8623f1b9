import { createHash } from 'node:crypto';
import * as E from 'fp-ts/lib/Either.js';
import type { Json } from '../../src/domain/json.js';
import { seededRandom } from '../../src/domain/random.js';
import {
  dateTimeAt,
  type Environment,
  type EnvironmentOptions,
  fromJson,
  makeEnvironment,
  makeModules,
  type TemplateError,
  type Value,
  zoneValue,
} from '../../src/template/index.js';
import { PySet } from '../../src/template/values/types/set.js';
import type { OracleCase, Outcome } from './oracle.js';

const USERS: Json = [
  { name: 'ann', age: 30, tags: ['x', 'y'] },
  { name: 'Bob', age: 25, tags: [] },
  { name: 'cid', age: 30, tags: ['z'] },
];

const BERLIN = zoneValue('Europe/Berlin');
if (BERLIN === null) throw new Error('no zone Europe/Berlin');

const MODULES = makeModules({
  random: () => seededRandom(1),
  now: () => 1_800_000_000_000_000,
  digest: (algorithm, bytes) => createHash(algorithm).update(bytes).digest(),
});

/** The names `oracle.py` gives its templates, new for each case. */
export const oracleNames = (): ReadonlyMap<string, Value> =>
  new Map<string, Value>([
    ...MODULES,
    ['BERLIN', BERLIN],
    ['ts', dateTimeAt(Date.parse('2026-11-21T08:05:07.123Z') * 1_000 + 456, BERLIN)],
    ['users', fromJson(USERS)],
    ['a_set', new PySet([1])],
    ['nothing', null],
  ]);

const failed = ({ kind, reason, locations }: TemplateError): Outcome => ({
  error: kind,
  message: reason,
  line: locations[0]?.line ?? null,
});

const NO_FILES = {};
const environments = new Map<object, Map<string, Environment>>();

/** Cases with the same files and options share an environment: creating one takes milliseconds. */
const environmentOf = ({ files = NO_FILES, options = {} }: OracleCase): Environment => {
  const byOptions = environments.get(files) ?? new Map<string, Environment>();
  environments.set(files, byOptions);
  const key = JSON.stringify(options);
  const sources: Readonly<Record<string, string>> = files;
  const environment =
    byOptions.get(key) ??
    makeEnvironment({
      loader: (name) => sources[name] ?? null,
      random: seededRandom(1),
      whitespace: options,
    });
  byOptions.set(key, environment);
  return environment;
};

export const renderCase = (given: OracleCase): Outcome => {
  const template = environmentOf(given).fromText('main', given.text);
  if (E.isLeft(template)) return failed(template.left);
  const text = template.right.render({ variables: oracleNames() });
  return E.isLeft(text) ? failed(text.left) : { ok: text.right };
};

export const rendered = (
  text: string,
  variables: ReadonlyMap<string, Value> = new Map(),
  options: Partial<EnvironmentOptions> = {},
): string => {
  const template = loaded(text, options);
  if (E.isLeft(template)) throw new Error(template.left.message);
  const result = template.right.render({ variables });
  if (E.isLeft(result)) throw new Error(result.left.message);
  return result.right;
};

export const loaded = (text: string, options: Partial<EnvironmentOptions> = {}) =>
  makeEnvironment({ loader: () => null, random: seededRandom(1), ...options }).fromText('main.jinja', text);

export const errorOf = (
  text: string,
  variables: ReadonlyMap<string, Value> = new Map(),
  options: Partial<EnvironmentOptions> = {},
): TemplateError => {
  const template = loaded(text, options);
  if (E.isLeft(template)) throw new Error(`does not load: ${template.left.message}`);
  const result = template.right.render({ variables });
  if (E.isRight(result)) throw new Error(`renders: ${result.right}`);
  return result.left;
};

export const loadErrorOf = (text: string, options: Partial<EnvironmentOptions> = {}): TemplateError => {
  const template = loaded(text, options);
  if (E.isRight(template)) throw new Error('loads');
  return template.left;
};
