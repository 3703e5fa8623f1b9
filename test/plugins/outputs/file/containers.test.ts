import { once } from 'node:events';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import avsc from 'avsc';
import * as E from 'fp-ts/lib/Either.js';
import { textBatch } from '../../../../src/domain/events/eventBatch.js';
import type { JsonObject } from '../../../../src/domain/json.js';
import { utc } from '../../../../src/domain/time/zone.js';
import { avroPlugin } from '../../../../src/plugins/formatters/avro/plugin.js';
import { filePlugin } from '../../../../src/plugins/outputs/file/plugin.js';
import { fileSpec } from '../../../../src/plugins/outputs/file/spec.js';
import { paramsShape } from '../../../../src/plugins/shapes.js';
import { decode } from '../../../../src/schema/index.js';
import { fakeClock } from '../../../support/clocks/fakeClock.js';
import { right } from '../../../support/either.js';
import { built } from '../../formatters/fields/support.js';
import { never, newFolder, opened, outputContext, removeFolders } from '../support.js';

afterAll(removeFolders);

const CLOCK = fakeClock(Date.parse('2026-11-23T10:00:00Z') * 1_000);
const SET_ASIDE = 'visits.avro.20261123T100000Z';

/** Opens the output, writes a batch for each list of numbers, and closes it. */
const writeAll = async (
  folder: string,
  batches: readonly (readonly number[])[],
  { schema = 'int', ...more }: JsonObject = {},
) => {
  const formatter = await built(avroPlugin, { schema, encoding: 'container', codec: 'deflate' });
  const params = decode(paramsShape(fileSpec), { path: 'visits.avro', separator: '', ...more });
  const { context, lines } = outputContext(folder, CLOCK);
  const output = await opened(filePlugin.open(right(params), { ...context, zone: utc }));
  for (const numbers of batches) {
    const { batch } = formatter.format(textBatch(numbers.map(String)));
    expect(await output.write(batch, never)).toMatchObject({ right: { written: 1, failed: 0 } });
  }
  expect(E.isRight(await output.close())).toBe(true);
  return lines.map(({ message }) => message);
};

const eventsIn = async (folder: string, name = 'visits.avro'): Promise<readonly unknown[]> => {
  const decoder = avsc.createFileDecoder(join(folder, name));
  const found: unknown[] = [];
  decoder.on('data', (value: unknown) => found.push(value));
  await once(decoder, 'end');
  return found;
};

test('writes of several runs are one file', async () => {
  const folder = newFolder();
  expect(await writeAll(folder, [[1, 2], [3]])).toEqual([]);
  expect(await writeAll(folder, [[4], [5, 6]])).toEqual([]);
  expect(fs.readdirSync(folder)).toEqual(['visits.avro']);
  expect(await eventsIn(folder)).toEqual([1, 2, 3, 4, 5, 6]);
});

test('each file of a rotation is whole', async () => {
  const folder = newFolder();
  await writeAll(folder, [[1, 2], [3], [4, 5]], { rotate_size: 0.000_15 });
  const files = fs.readdirSync(folder).sort();
  expect(files.length).toBeGreaterThan(1);
  const all = await Promise.all(files.map((name) => eventsIn(folder, name)));
  expect(all.flat().sort()).toEqual([1, 2, 3, 4, 5]);
  for (const events of all) expect(events.length).toBeGreaterThan(0);
});

test.each<[string, (file: string) => void]>([
  ['a write that a crash interrupted', (file) => fs.truncateSync(file, fs.statSync(file).size - 3)],
  ['a header that a crash interrupted', (file) => fs.truncateSync(file, 10)],
  ['text', (file) => fs.writeFileSync(file, 'not Avro at all, but longer than the header of it\n'.repeat(9))],
])('a file with %s is set aside', async (_, spoil) => {
  const folder = newFolder();
  await writeAll(folder, [[1, 2]]);
  spoil(join(folder, 'visits.avro'));
  const before = fs.readFileSync(join(folder, 'visits.avro'));
  expect(await writeAll(folder, [[3], [4]])).toEqual([
    'the file has another schema, or a write was interrupted; it is set aside',
  ]);
  expect(await eventsIn(folder)).toEqual([3, 4]);
  expect(fs.readFileSync(join(folder, SET_ASIDE))).toEqual(before);
});

test('a file of another schema is set aside', async () => {
  const folder = newFolder();
  await writeAll(folder, [[1, 2]]);
  await writeAll(folder, [[3]], { schema: 'long' });
  expect(await eventsIn(folder)).toEqual([3]);
  expect(await eventsIn(folder, SET_ASIDE)).toEqual([1, 2]);
});

test('a file that cannot be set aside fails each write, and stays as it is', async () => {
  const folder = newFolder();
  // The name of the file set aside is too long.
  const path = 'v'.repeat(245);
  await writeAll(folder, [[1, 2]], { path });
  fs.truncateSync(join(folder, path), 10);
  const formatter = await built(avroPlugin, { schema: 'int', encoding: 'container' });
  const params = right(decode(paramsShape(fileSpec), { path, separator: '' }));
  const output = await opened(
    filePlugin.open(params, { ...outputContext(folder, CLOCK).context, zone: utc }),
  );
  const { batch } = formatter.format(textBatch(['3']));
  for (let attempt = 0; attempt < 2; attempt++) {
    expect(await output.write(batch, never)).toMatchObject({ left: { code: 'unwritable' } });
  }
  await output.close();
  expect(fs.statSync(join(folder, path)).size).toBe(10);
});
