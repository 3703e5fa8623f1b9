import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { DEFAULT_TEMPLATE_LIMITS } from '../../domain/generator.js';
import type { JsonObject } from '../../domain/json.js';
import { seededRandom } from '../../domain/random.js';
import { utc } from '../../domain/time/zone.js';
import type { Clock } from '../../ports/clock.js';
import type { Log } from '../../ports/log.js';
import { decode, showPath } from '../../schema/index.js';
import type { Fields } from '../../schema/shape.js';
import type { PluginOf } from '../declare.js';
import type { PluginContext, PluginKind, PluginSpec, TemplateSurroundings } from '../kit.js';
import { paramsShape } from '../paramsShape.js';
import { Broken } from './rule.js';
import type { SetUp } from './setUp.js';

/** A plugin under test. */
export interface Subject<K extends PluginKind = PluginKind> {
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
export const inFolder = async <A>(work: (folder: string) => Promise<A>): Promise<A> => {
  const folder = fs.mkdtempSync(join(tmpdir(), 'spate-conformance-'));
  try {
    return await work(folder);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
};

/** Calls `work` for all parameters in one folder, after their files are written. */
export const forEachTry = async (
  { tries, setUp }: Subject,
  work: (params: JsonObject, folder: string) => Promise<void>,
): Promise<null> =>
  inFolder(async (folder) => {
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
