import * as fs from 'node:fs';
import { join } from 'node:path';
import * as zlib from 'node:zlib';
import { afterAll, describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { textBatch } from '../../../../src/domain/events/eventBatch.js';
import { zoneOf } from '../../../../src/domain/time/zone.js';
import { filePlugin } from '../../../../src/plugins/outputs/file/plugin.js';
import { fileSpec } from '../../../../src/plugins/outputs/file/spec.js';
import { decode, record } from '../../../../src/schema/index.js';
import { type FakeClock, fakeClock } from '../../../support/clocks/fakeClock.js';
import { never, newFolder, opened, outputContext, removeFolders } from '../support.js';

afterAll(removeFolders);

const NOON = Date.parse('2026-11-23T10:59:59Z') * 1_000;

const setUp = async (
  given: Record<string, unknown>,
  directory = newFolder(),
  clock: FakeClock = fakeClock(NOON),
) => {
  const decoded = decode(record(fileSpec.fields, { rules: fileSpec.rules ?? [] }), {
    path: 'out.log',
    ...given,
  });
  if (E.isLeft(decoded)) throw new Error(decoded.left.map(({ message }) => message).join('; '));
  const { context, lines } = outputContext(directory, clock);
  const zone = zoneOf('Asia/Kolkata');
  const output = await opened(filePlugin.open(decoded.right, { ...context, zone } as never));
  const write = async (...texts: readonly string[]) => {
    const written = await output.write(textBatch(texts), never);
    if (E.isLeft(written)) throw new Error(written.left.message);
    return written.right;
  };
  return { output, write, clock, lines, directory };
};

/** Names and texts of the files in a folder; compressed ones are read. */
const filesIn = (directory: string): Record<string, string> =>
  Object.fromEntries(
    fs.readdirSync(directory).map((name) => {
      const bytes = fs.readFileSync(join(directory, name));
      return [name, (name.endsWith('.gz') ? zlib.gunzipSync(bytes) : bytes).toString('utf8')];
    }),
  );

describe('a file that is full', () => {
  test('by size gets its own name before the write that does not fit; batches stay whole', async () => {
    const { output, write, directory, clock } = await setUp({ rotate_size: 10 / 1_000_000 });
    await write('one', 'two');
    await write('three');
    await write('four', 'five', 'six');
    await clock.advanceMs(1_000);
    await write('7');
    await output.close();
    expect(filesIn(directory)).toEqual({
      'out.log.20261123T105959Z': 'one\ntwo\n',
      'out.log.20261123T105959Z-2': 'three\n',
      'out.log.20261123T110000Z': 'four\nfive\nsix\n',
      'out.log': '7\n',
    });
  });

  test('by the hour or day of the zone of the generator: 18:30 UTC is midnight in Kolkata', async () => {
    const clock = fakeClock(Date.parse('2026-11-23T18:29:59Z') * 1_000);
    const { output, write, directory } = await setUp({ rotate_every: 'day' }, newFolder(), clock);
    await write('monday');
    await clock.advanceMs(1_000);
    await write('tuesday');
    await write('tuesday too');
    await output.close();
    expect(filesIn(directory)).toEqual({
      'out.log.20261123T183000Z': 'monday\n',
      'out.log': 'tuesday\ntuesday too\n',
    });
  });

  test('of an earlier run is full by the time of its last write; an empty one is not', async () => {
    const directory = newFolder();
    fs.writeFileSync(join(directory, 'out.log'), 'old\n');
    fs.utimesSync(join(directory, 'out.log'), 1_700_000_000, 1_700_000_000);
    const { output, write, clock } = await setUp({ rotate_every: 'hour' }, directory);
    await write('new');
    await output.close();
    expect(Object.values(filesIn(directory)).toSorted()).toEqual(['new\n', 'old\n']);
    const empty = await setUp({ rotate_every: 'hour' }, newFolder(), clock);
    await clock.advanceMs(7_200_000);
    await empty.write('first');
    await empty.output.close();
    expect(filesIn(empty.directory)).toEqual({ 'out.log': 'first\n' });
  });

  test('is compressed, and the oldest are removed; those of other names stay', async () => {
    const folder = newFolder();
    fs.writeFileSync(join(folder, 'out.log.bak'), 'mine');
    fs.writeFileSync(join(folder, 'out.log.20200101T000000Z'), 'of an earlier run');
    const params = { rotate_size: 1 / 1_000_000, rotate_keep: 2, rotate_compression: 'gzip' };
    const { output, write, directory, clock } = await setUp(params, folder);
    for (const text of ['a', 'b', 'c', 'd']) {
      await write(text);
      await clock.advanceMs(1_000);
      while (
        fs.readdirSync(directory).some((name) => name.startsWith('out.log.2') && !name.endsWith('Z.gz'))
      ) {
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
    await output.close();
    expect(filesIn(directory)).toEqual({
      'out.log': 'd\n',
      'out.log.20261123T110001Z.gz': 'b\n',
      'out.log.20261123T110002Z.gz': 'c\n',
      'out.log.bak': 'mine',
    });
  });

  test('is compressed with zstd by a Node that has it; another one says what it needs', async () => {
    const unpack = Reflect.get(zlib, 'zstdDecompressSync') as ((bytes: Uint8Array) => Buffer) | undefined;
    const making = setUp({ rotate_size: 1 / 1_000_000, rotate_compression: 'zstd' });
    if (unpack === undefined) {
      await expect(making).rejects.toThrow(/rotate_compression zstd needs Node\.js 22\.15 .*gzip/);
      return;
    }
    const { output, write, directory } = await making;
    await write('a'.repeat(1_000));
    await write('b');
    const full = join(directory, 'out.log.20261123T105959Z');
    while (fs.existsSync(full)) await new Promise((resolve) => setImmediate(resolve));
    await output.close();
    expect(unpack(fs.readFileSync(`${full}.zst`)).toString()).toBe(`${'a'.repeat(1_000)}\n`);
  });

  test('that cannot be renamed grows on, and the log says why', async () => {
    const { output, write, directory, lines, clock } = await setUp({ rotate_size: 1 / 1_000_000 });
    await write('a');
    fs.rmSync(directory, { recursive: true });
    expect(await write('b')).toEqual({ written: 1, failed: 0, bytes: 2 });
    expect(lines.map(({ message }) => message)).toContain('a full file grows on');
    await clock.advanceMs(2_000);
    await output.close();
  });
});

describe('rotate_keep_size', () => {
  /** Writes a text a second, each into a file of its own, and tidies up after each. */
  const fileEach = async (given: Record<string, unknown>, texts: readonly string[]) => {
    const { output, write, directory, clock } = await setUp({ rotate_size: 1 / 1_000_000, ...given });
    for (const text of texts) {
      await write(text);
      await clock.advanceMs(1_000);
    }
    await output.close();
    return directory;
  };

  test('removes the oldest full files, until all together are small enough', async () => {
    const directory = await fileEach({ rotate_keep_size: 12 / 1_000_000 }, [
      'large, large',
      'b',
      '1234567',
      'd',
      'e',
    ]);
    expect(filesIn(directory)).toEqual({
      'out.log': 'e\n',
      'out.log.20261123T110002Z': '1234567\n',
      'out.log.20261123T110003Z': 'd\n',
      'out.log.20261123T110001Z': 'b\n',
    });
  });

  test('counts full files as they are after compression', async () => {
    const given = { rotate_keep_size: 100 / 1_000_000, rotate_compression: 'gzip' };
    const directory = await fileEach(given, ['a'.repeat(1_000), 'b'.repeat(1_000), 'c']);
    expect(fs.readdirSync(directory).toSorted()).toEqual([
      'out.log',
      'out.log.20261123T110000Z.gz',
      'out.log.20261123T110001Z.gz',
    ]);
  });

  test('below rotate_size is refused, as no full file would stay', async () => {
    const making = setUp({ rotate_size: 2, rotate_keep_size: 1 });
    await expect(making).rejects.toThrow('is less than `rotate_size`');
  });
});

test.each([{ rotate_keep: 3 }, { rotate_keep_size: 3 }])('%j alone is refused', async (given) => {
  await expect(setUp(given)).rejects.toThrow('needs `rotate_size` or `rotate_every`');
});

describe('fsync', () => {
  test.each([0, 1])(
    'with an interval of %d s every event is written, and the file ends synced',
    async (fsync_interval) => {
      const { output, write, directory, clock, lines } = await setUp({ fsync_interval });
      await write('a');
      await clock.advanceMs(1_500);
      await write('b');
      expect(E.isRight(await output.flush())).toBe(true);
      await output.close();
      expect(filesIn(directory)).toEqual({ 'out.log': 'a\nb\n' });
      expect(lines.filter(({ level }) => level === 'error')).toEqual([]);
    },
  );
});
