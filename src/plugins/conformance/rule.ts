import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect, isDeepStrictEqual } from 'node:util';
import * as E from 'fp-ts/lib/Either.js';
import type { Result } from '../../domain/errors.js';
import { DEFAULT_TEMPLATE_LIMITS } from '../../domain/generator.js';
import type { JsonObject } from '../../domain/json.js';
import { seededRandom } from '../../domain/random.js';
import { utc } from '../../domain/time/zone.js';
import type { Clock } from '../../ports/clock.js';
import type { Log } from '../../ports/log.js';
import { decode, showPath } from '../../schema/index.js';
import type { Fields } from '../../schema/shape.js';
import type { PluginOf } from '../declare.js';
import type { Built, Output, PluginContext, PluginKind, PluginSpec, TemplateSurroundings } from '../kit.js';
import { paramsShape } from '../shapes.js';

/** What every plugin of a kind does. `check` throws `Broken`; a text says why there is nothing to check. */
export interface ConformanceRule<S> {
  readonly title: string;
  readonly check: (subject: S) => Promise<string | null>;
}

/** A plugin under test. */
export interface TestSubject<K extends PluginKind = PluginKind> {
  /** Kind and name that it is registered under. */
  readonly kind: K;
  readonly name: string;
  readonly spec: PluginSpec;
  readonly load: () => Promise<PluginOf<Fields>[K]>;
  readonly setUp: SetUp;
  /** Parameters to try. */
  readonly tries: readonly JsonObject[];
  readonly clock: Clock;
}

/** Writes the files that the examples of a plugin name into its folder. */
export type Prepare = (folder: string, params: JsonObject) => void;

/** A destination of an output, for one rule. */
export interface TestDestination {
  /** Parameters of the output. */
  readonly params: JsonObject;
  /** Opens the output where the plugin itself cannot be led to a destination of a test. */
  readonly open?: (params: never, context: PluginContext) => Built<Output>;
  /** Text that arrived; called once the output is closed. */
  readonly arrived: () => string | Promise<string>;
  /** Makes every later write fail. */
  readonly takeAway: () => void | Promise<void>;
  readonly end?: () => void | Promise<void>;
}

/** Starts a destination that may keep files in the folder. */
export type StartDestination = (folder: string) => TestDestination | Promise<TestDestination>;

/** What the conformance rules need to know of a plugin. */
export interface SetUp {
  /** True for an input that waits for requests: it has no scheduled timestamps. */
  readonly isInteractive?: boolean;
  readonly prepare?: Prepare;
  readonly destination?: StartDestination;
}

/** A plugin breaks a rule; the message says how. */
export class Broken extends Error {
  override readonly name = 'Broken';
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** Equal by content. Prototypes do not count: values may come from another realm. */
const isSame = (a: unknown, b: unknown): boolean => {
  if (Object.is(a, b)) return true;
  if (!isObject(a) || !isObject(b) || Array.isArray(a) !== Array.isArray(b)) return false;
  if (a instanceof Map || a instanceof Set || a instanceof RegExp) return isDeepStrictEqual(a, b);
  const keys = (of: Readonly<Record<string, unknown>>): readonly string[] =>
    Object.keys(of).filter((key) => of[key] !== undefined);
  return (
    keys(a).length === keys(b).length &&
    keys(a).every((key) => Object.hasOwn(b, key) && isSame(a[key], b[key]))
  );
};

/** Longer values are cut. */
const MAX_SHOWN = 600;

const shown = (value: unknown): string => {
  const text = inspect(value, { depth: 4, maxArrayLength: 12, maxStringLength: 200, breakLength: 100 });
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}...` : text;
};

/** Position of the first difference of two lists. */
const firstDifference = (one: readonly unknown[], other: readonly unknown[]): number => {
  for (let at = 0; at < Math.min(one.length, other.length); at++) if (!isSame(one[at], other[at])) return at;
  return Math.min(one.length, other.length);
};

const difference = (actual: unknown, expected: unknown): string => {
  if (!Array.isArray(actual) || !Array.isArray(expected))
    return `expected ${shown(expected)}, got ${shown(actual)}`;
  const at = firstDifference(actual, expected);
  const [got, wanted] = [actual, expected].map((list: readonly unknown[]) =>
    at < list.length ? shown(list[at]) : 'nothing',
  );
  return `expected ${wanted} at position ${at}, got ${got} (${expected.length} expected, ${actual.length} given)`;
};

export const mustHold = (condition: boolean, problem: string): void => {
  if (!condition) throw new Broken(problem);
};

export const mustEqual = (what: string, actual: unknown, expected: unknown): void =>
  mustHold(isSame(actual, expected), `${what}: ${difference(actual, expected)}`);

/** The value of a result. */
export const success = <A>(what: string, result: Result<A>): A => {
  if (E.isRight(result)) return result.right;
  throw new Broken(`${what}: ${result.left.code}: ${result.left.message}`);
};

/** In the middle of a year, with room on both sides. */
export const NOW = Date.UTC(2025, 5, 15, 12) * 1000;

const SILENT: Log = { write: () => {}, with: () => SILENT };

export const PLAIN_TEMPLATES: TemplateSurroundings = {
  limits: DEFAULT_TEMPLATE_LIMITS,
  runCommand: null,
  isTraced: false,
};

export const contextIn = (directory: string, clock: Clock): PluginContext => ({
  directory,
  zone: utc,
  clock,
  random: seededRandom(1),
  log: SILENT,
  signal: new AbortController().signal,
});

/** Decoded parameters. */
export const decoded = (spec: PluginSpec, params: JsonObject): Readonly<Record<string, unknown>> => {
  const result = decode(paramsShape(spec), params);
  if (E.isRight(result)) return result.right;
  const problems = result.left.map(({ path, message }) => `${showPath(path)} ${message}`);
  throw new Broken(`${JSON.stringify(params)} does not decode: ${problems.join('; ')}`);
};

/** Runs with a folder of its own and removes it. */
export const inTestFolder = async <A>(work: (folder: string) => Promise<A>): Promise<A> => {
  const folder = fs.mkdtempSync(join(tmpdir(), 'spate-conformance-'));
  try {
    return await work(folder);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
};

/** Calls `work` for all parameters in one folder, after their files are written. */
export const forEachTry = async (
  { tries, setUp }: TestSubject,
  work: (params: JsonObject, folder: string) => Promise<void>,
): Promise<null> =>
  inTestFolder(async (folder) => {
    for (const params of tries) {
      setUp.prepare?.(folder, params);
      await work(params, folder);
    }
    return null;
  });

const DESCRIPTORS = '/proc/self/fd';

/** Targets of the open descriptors of this process; none where the system does not list them. */
export const openDescriptors = (): readonly string[] =>
  (fs.existsSync(DESCRIPTORS) ? fs.readdirSync(DESCRIPTORS) : [])
    .map((fd) => {
      try {
        return fs.readlinkSync(`${DESCRIPTORS}/${fd}`);
      } catch {
        return '';
      }
    })
    .filter((target) => target !== '' && !target.endsWith('/fd'))
    .sort();

/** Descriptors opened since; those that closed meanwhile were not ours. */
export const openedSince = (before: readonly string[]): readonly string[] => {
  const known = [...before];
  return openDescriptors().filter((one) => {
    const index = known.indexOf(one);
    if (index >= 0) known.splice(index, 1);
    return index < 0;
  });
};
