import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { systemClock } from '../../../../../../src/adapters/systemClock.js';
import type { Result } from '../../../../../../src/domain/errors.js';
import type { Json } from '../../../../../../src/domain/json.js';
import type { Random } from '../../../../../../src/domain/random.js';
import { seededRandom } from '../../../../../../src/domain/random.js';
import {
  loadSamples,
  samplesObject,
} from '../../../../../../src/plugins/events/template/context/samples/load.js';
import type { Sample } from '../../../../../../src/plugins/events/template/context/samples/sample.js';
import { samplesField } from '../../../../../../src/plugins/events/template/context/samples/shape.js';
import { decode, record } from '../../../../../../src/schema/index.js';
import type { Value } from '../../../../../../src/template/index.js';
import { errorOf, rendered } from '../../../../../template/engine.js';

/** A folder for data files, removed after the tests. */
export const directory = mkdtempSync(join(tmpdir(), 'spate-samples-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

let files = 0;

/** Returns the unique name of the file. */
export const fileWith = async (content: string | Buffer, extension: string): Promise<string> => {
  const name = `data ${++files}.${extension}`;
  const path = join(directory, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
  return name;
};

export const shape = record({ samples: samplesField });

/** Decodes and loads samples as the plugin does. */
export const load = async (
  samples: Readonly<Record<string, Json>>,
  random: Random = seededRandom(1),
): Promise<Result<ReadonlyMap<string, Sample>>> => {
  const decoded = decode(shape, { samples });
  if (E.isLeft(decoded)) throw new Error(JSON.stringify(decoded.left));
  return loadSamples(decoded.right.samples, { directory, clock: systemClock, random });
};

/** Names of a render with these samples. */
export const namesWith = async (
  samples: Readonly<Record<string, Json>>,
  random: Random = seededRandom(1),
): Promise<ReadonlyMap<string, Value>> => {
  const loaded = await load(samples, random);
  if (E.isLeft(loaded)) throw new Error(loaded.left.message);
  return new Map<string, Value>([['samples', samplesObject(loaded.right)]]);
};

/** Names of a render with one sample `x` of items. */
export const itemsNames = (source: Json, random: Random = seededRandom(1)) =>
  namesWith({ x: { type: 'items', source } }, random);

/** Names of a render with one sample `x` of a CSV file. */
export const csvNames = async (text: string | Buffer, options: Readonly<Record<string, Json>> = {}) =>
  namesWith({ x: { type: 'csv', source: await fileWith(text, 'csv'), ...options } });

/** Names of a render with one sample `x` of a JSON file. */
export const jsonNames = async (text: string | Buffer) =>
  namesWith({ x: { type: 'json', source: await fileWith(text, 'json') } });

/** The load error of one sample `x`, without the full path. */
export const loadError = async (config: Json): Promise<string> => {
  const loaded = await load({ x: config });
  if (E.isRight(loaded)) throw new Error('loads');
  return loaded.left.message.replace(/ \((?:looked for|in) .*\)$/, '');
};

/** A text rendered with these names, and the error of one that fails. */
export const show = (names: ReadonlyMap<string, Value>, text: string): string => rendered(text, names);
export const failureOf = (names: ReadonlyMap<string, Value>, text: string): string =>
  errorOf(text, names).reason;

/** Rows that most tests use, as sample `x`. */
export const USERS = [
  { name: 'ann', age: 30, weight: 1, roles: ['a'] },
  { name: 'bob', age: 25, weight: 0, roles: [] },
  { name: 'cid', age: 30, weight: 3, roles: ['a', 'b'] },
];

export const users = () => itemsNames(USERS);
export const tricky = () =>
  itemsNames([
    { count: 1, index: 'i', pick: 'p', columns: 'c', where: 'w', size: 's', 'two words': 't' },
    { count: 2, index: 'j', pick: 'q', columns: 'd', where: 'v', size: 'S', 'two words': 'u' },
  ]);
