export { right } from '../support/either.js';

import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { systemClock } from '../../src/adapters/systemClock.js';
import type { JsonObject } from '../../src/domain/json.js';
import { seededRandom } from '../../src/domain/random/seededRandom.js';
import { utc } from '../../src/domain/time/zone.js';
import type { Built, Output, PluginContext, PluginKind, PluginSpec } from '../../src/plugins/kit.js';
import { paramsShape } from '../../src/plugins/paramsShape.js';
import { registry } from '../../src/plugins/registry.js';
import { PLUGIN_SPECS } from '../../src/plugins/specs.js';
import { decode, decodeStored, readBack } from '../../src/schema/index.js';
import { memoryLog } from '../support/logs.js';

/** Writes the files that the examples of a plugin name into its folder. */
export type Prepare = (folder: string, params: JsonObject) => void;

/** A destination of an output, for one test. */
export interface Destination {
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
export type StartDestination = (folder: string) => Destination | Promise<Destination>;

interface SetUp {
  /** Of an input that waits for requests: it has no scheduled timestamps. */
  readonly isInteractive?: boolean;
  readonly prepare?: Prepare;
  readonly destination?: StartDestination;
}

/** `test/plugins/<kind>s/<name>/conformance.ts` of a plugin, if there is one. */
export const setUpOf = async (kind: PluginKind, name: string): Promise<SetUp> => {
  const path = `../plugins/${kind}s/${name}/conformance`;
  const exists = fs.existsSync(join(import.meta.dirname, `${path}.ts`));
  return exists ? ((await import(`${path}.js`)) as SetUp) : {};
};

/** Name and declaration of every plugin of a kind. */
export const rowsOf = (kind: PluginKind): readonly (readonly [name: string, spec: PluginSpec])[] =>
  Object.entries(PLUGIN_SPECS[kind]);

/** Decoded parameters. */
export const decoded = (spec: PluginSpec, params: JsonObject): Readonly<Record<string, unknown>> => {
  const result = decode(paramsShape(spec), params);
  if (E.isLeft(result)) throw new Error(`${spec.name} does not decode: ${JSON.stringify(result.left)}`);
  return result.right;
};

/** In the middle of a year, with room on both sides. */
export const NOW = Date.UTC(2025, 5, 15, 12) * 1000;

export const contextIn = (directory: string, seed = 1): PluginContext => ({
  directory,
  zone: utc,
  clock: systemClock,
  random: seededRandom(seed),
  log: memoryLog().log,
  signal: new AbortController().signal,
});

/** Runs with a folder of its own and removes it. */
export const inFolder = async (work: (folder: string) => Promise<void>): Promise<void> => {
  const folder = fs.mkdtempSync(join(tmpdir(), 'spate-conformance-'));
  try {
    await work(folder);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
};

/** Targets of the open descriptors of this process. */
export const openDescriptors = (): readonly string[] =>
  fs
    .readdirSync('/proc/self/fd')
    .map((fd) => {
      try {
        return fs.readlinkSync(`/proc/self/fd/${fd}`);
      } catch {
        return '';
      }
    })
    .filter((target) => target !== '' && !target.endsWith('/fd'))
    .sort();

/** Tests of a declaration, for every kind. */
export const declarationTests = (kind: PluginKind, name: string, spec: PluginSpec): void => {
  const shape = paramsShape(spec);

  test('is the row that its name says, with a summary and an example', async () => {
    expect({ kind: spec.kind, name: spec.name }).toEqual({ kind, name });
    expect(spec.summary).toMatch(/^[A-Z].*\.$/s);
    expect(spec.examples.length).toBeGreaterThan(0);
    expect((await registry[kind](name)).spec).toMatchObject({ kind, name });
  });

  test('its examples decode, and read back they decode to the same', () => {
    for (const { params } of spec.examples) {
      const first = decoded(spec, params);
      const shown = shape.codec.encode(first as never);
      expect(decode(shape, shown)).toEqual(E.right(first));
      const back = readBack(shape, params);
      expect(readBack(shape, shown)).toEqual(back);
      expect(decodeStored(shape, back)).toEqual(E.right(back));
    }
  });

  test('an unknown key and a wrong value are errors at their place', () => {
    const [example] = spec.examples;
    const params = example?.params ?? {};
    const pathsOf = (given: JsonObject): readonly unknown[] => {
      const result = decode(shape, given);
      return E.isLeft(result) ? result.left.map(({ path }) => path[0]) : [];
    };
    expect(pathsOf({ ...params, no_such_option: 1 })).toEqual(['no_such_option']);
    for (const [field, { free }] of Object.entries(spec.fields)) {
      if (free !== true) expect(pathsOf({ ...params, [field]: { nonsense: [] } })).toContain(field);
    }
  });
};
