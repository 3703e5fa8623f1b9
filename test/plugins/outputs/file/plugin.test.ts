import * as fs from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { systemClock } from '../../../../src/adapters/systemClock.js';
import { textBatch } from '../../../../src/domain/events/eventBatch.js';
import { filePlugin } from '../../../../src/plugins/outputs/file/plugin.js';
import { fileFields } from '../../../../src/plugins/outputs/file/spec.js';
import { decode, record } from '../../../../src/schema/index.js';
import { fakeClock } from '../../../support/clocks/fakeClock.js';
import { newPipe } from '../../../support/pipe.js';
import { linesOf, never, newFolder, numbered, opened, outputContext, removeFolders } from '../support.js';

afterAll(removeFolders);

const openFile = (directory: string, given: Record<string, unknown>, clock = fakeClock()) => {
  const decoded = decode(record(fileFields), { path: 'out.log', ...given });
  if (E.isLeft(decoded)) throw new Error(JSON.stringify(decoded.left));
  const { context, lines } = outputContext(directory, clock);
  return { built: filePlugin.open(decoded.right, context), lines, clock };
};

const setUp = async (given: Record<string, unknown> = {}, directory = newFolder()) => {
  const { built, lines, clock } = openFile(directory, given);
  const output = await opened(built);
  const path = join(directory, String(given['path'] ?? 'out.log'));
  const write = (...texts: readonly string[]) => output.write(textBatch(texts), never);
  return { output, lines, clock, path, directory, write, text: () => fs.readFileSync(path, 'utf8') };
};

/** Descriptors of this process that are open on a path; a deleted file keeps its path with a mark. */
const descriptorsOn = (path: string): number =>
  fs.readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return fs.readlinkSync(`/proc/self/fd/${fd}`).startsWith(path);
    } catch {
      return false;
    }
  }).length;

/** Real turns of the event loop until a condition on the outside holds. */
const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await systemClock.yieldTurn();
};

describe('writing a file', () => {
  test('events are in the file after each write, folders were made, the mode is that of the config', async () => {
    const umask = process.umask(0o022);
    const { output, write, path, text } = await setUp({ path: 'a/b/out.log', file_mode: 664 });
    process.umask(umask);
    expect(await write('one', 'two')).toEqual(E.right({ written: 2, failed: 0, bytes: 8 }));
    expect(text()).toBe('one\ntwo\n');
    expect(fs.statSync(path).mode & 0o7777).toBe(0o644);
    await output.close();
  });

  test('append goes on behind what is there; overwrite empties the file once', async () => {
    const directory = newFolder();
    const first = await setUp({}, directory);
    await first.write('one');
    await first.output.close();
    const second = await setUp({}, directory);
    await second.write('two');
    await second.output.close();
    expect(second.text()).toBe('one\ntwo\n');
    const third = await setUp({ write_mode: 'overwrite', cleanup_interval: 1 }, directory);
    expect(third.text()).toBe('');
    await third.write('three');
    await third.clock.advanceMs(1_000);
    await until(() => descriptorsOn(third.path) === 0);
    await third.write('four');
    expect(third.text()).toBe('three\nfour\n');
    await third.output.close();
  });

  test('writes that overlap come one after the other', async () => {
    const { output, text } = await setUp();
    const texts = numbered(5_000);
    const writes = [0, 1, 2, 3, 4].map((i) =>
      output.write(textBatch(texts.slice(i * 1000, (i + 1) * 1000)), never),
    );
    for (const result of await Promise.all(writes)) expect(E.isRight(result)).toBe(true);
    expect(linesOf(text())).toEqual(texts);
    await output.close();
  });

  test('a byte order mark stands only at the start of the file', async () => {
    const directory = newFolder();
    for (const event of ['a', 'b']) {
      const { output, write } = await setUp({ encoding: 'utf_16' }, directory);
      await write(event);
      await output.close();
    }
    expect([...fs.readFileSync(join(directory, 'out.log'))]).toEqual([
      0xff, 0xfe, 0x61, 0, 0x0a, 0, 0x62, 0, 0x0a, 0,
    ]);
  });

  test('an event that cannot be spelled is left out and counted, the others are written', async () => {
    const { output, write, lines, text } = await setUp({ encoding: 'ascii' });
    expect(await write('one', 'zwölf', 'three')).toEqual(E.right({ written: 2, failed: 1, bytes: 10 }));
    expect(await write('ö')).toEqual(E.right({ written: 0, failed: 1, bytes: 0 }));
    expect(text()).toBe('one\nthree\n');
    expect(lines).toHaveLength(2);
    await output.close();
  });

  test('an attempt that was over before its turn writes nothing', async () => {
    const { output, text } = await setUp();
    expect(await output.write(textBatch(['late']), AbortSignal.abort())).toMatchObject({
      left: { code: 'timed_out' },
    });
    expect(text()).toBe('');
    await output.close();
  });
});

describe('a file that is idle, deleted or renamed', () => {
  test('it is closed after cleanup_interval without writes and opened again by the next one', async () => {
    const { output, write, clock, path, text } = await setUp({ cleanup_interval: 10 });
    await write('one');
    await clock.advanceMs(9_000);
    await write('two');
    await clock.advanceMs(9_000);
    expect(descriptorsOn(path)).toBe(1);
    await clock.advanceMs(1_000);
    await until(() => descriptorsOn(path) === 0);
    await write('three');
    expect(descriptorsOn(path)).toBe(1);
    expect(text()).toBe('one\ntwo\nthree\n');
    await output.close();
    expect(descriptorsOn(path)).toBe(0);
  });

  test('a deleted file is created again, its folder too, at the next look', async () => {
    const { output, write, clock, path, directory, text } = await setUp({
      path: 'sub/out.log',
      flush_interval: 1,
    });
    await write('one');
    fs.rmSync(join(directory, 'sub'), { recursive: true });
    await write('lost with the file');
    expect(fs.existsSync(path)).toBe(false);
    await clock.advanceMs(1_000);
    await write('two');
    expect(text()).toBe('two\n');
    await output.close();
  });

  test('with flush_interval 0 every write looks', async () => {
    const { output, write, path, text } = await setUp({ flush_interval: 0 });
    await write('one');
    fs.unlinkSync(path);
    await write('two');
    expect(text()).toBe('two\n');
    await output.close();
  });

  test('a renamed file keeps receiving events until the idle close', async () => {
    const { output, write, clock, path, text } = await setUp({ flush_interval: 0, cleanup_interval: 10 });
    await write('one');
    fs.renameSync(path, `${path}.1`);
    await write('two');
    expect(fs.readFileSync(`${path}.1`, 'utf8')).toBe('one\ntwo\n');
    expect(fs.existsSync(path)).toBe(false);
    await clock.advanceMs(10_000);
    await until(() => descriptorsOn(path) === 0);
    await write('three');
    expect(text()).toBe('three\n');
    await output.close();
  });

  test('a file that cannot be opened again fails that write only', async () => {
    const { output, write, path, text } = await setUp({ flush_interval: 0 });
    fs.unlinkSync(path);
    fs.mkdirSync(path);
    expect(await write('one')).toMatchObject({
      left: {
        code: 'unwritable',
        message: expect.stringContaining(`cannot open ${path} again: it is a directory`),
      },
    });
    fs.rmdirSync(path);
    expect(await write('two')).toMatchObject({ right: { written: 1 } });
    expect(text()).toBe('two\n');
    await output.close();
  });
});

describe('a file that a kill or a full disk left torn', () => {
  test('a line cut off by a kill is ended, kept and reported; new events never continue it', async () => {
    const directory = newFolder();
    fs.writeFileSync(join(directory, 'out.log'), 'whole\nhal');
    const { output, write, lines, text } = await setUp({}, directory);
    expect(text()).toBe('whole\nhal');
    await write('one');
    await write('two');
    expect(text()).toBe('whole\nhal\none\ntwo\n');
    expect(lines).toMatchObject([
      { level: 'warning', message: expect.stringContaining('does not end with the separator') },
    ]);
    await output.close();
  });

  test('half of a separator of several characters counts as torn', async () => {
    const directory = newFolder();
    fs.writeFileSync(join(directory, 'out.log'), 'whole\r');
    const { output, write, text } = await setUp({ separator: '\r\n' }, directory);
    await write('one');
    expect(text()).toBe('whole\r\r\none\r\n');
    await output.close();
  });

  test('nothing is added to a whole or an empty file', async () => {
    const directory = newFolder();
    fs.writeFileSync(join(directory, 'out.log'), 'whole\n');
    const { output, write, lines, text } = await setUp({}, directory);
    await write('one');
    expect(text()).toBe('whole\none\n');
    expect(lines).toEqual([]);
    await output.close();
  });
});

describe('what cannot be opened', () => {
  const failureOf = async (directory: string, path: string) => {
    const result = await openFile(directory, { path }).built;
    return E.isLeft(result) ? result.left : null;
  };

  test('a directory, a file in the way and a missing place are told apart', async () => {
    const directory = newFolder();
    fs.mkdirSync(join(directory, 'folder'));
    fs.writeFileSync(join(directory, 'plain'), '');
    expect(await failureOf(directory, 'folder')).toMatchObject({
      code: 'output_failed',
      message: `cannot open ${join(directory, 'folder')}: it is a directory (EISDIR). Name a file in it.`,
    });
    expect((await failureOf(directory, 'plain/out.log'))?.message).toContain(
      'part of the path is not a directory',
    );
    expect((await failureOf(directory, 'plain/deeper/out.log'))?.message).toContain(
      'part of the path is not a directory',
    );
    expect((await failureOf(directory, '/proc/nothing/out.log'))?.message).toContain(
      'folder of the path does not exist',
    );
  });

  test('a pipe without a reader is refused at once', async () => {
    const directory = newFolder();
    const pipe = newPipe(directory);
    pipe.close();
    const [name] = fs.readdirSync(directory);
    expect(await failureOf(directory, String(name))).toMatchObject({
      code: 'reader_gone',
      message: expect.stringContaining('Start the reader first'),
    });
  });
});

describe('a path that is no regular file', () => {
  test('a full device fails the write and can be used again', async () => {
    const { built } = openFile('/', { path: '/dev/full' });
    const output = await opened(built);
    for (const event of ['one', 'two']) {
      expect(await output.write(textBatch([event]), never)).toMatchObject({
        left: {
          code: 'unwritable',
          message: expect.stringContaining('cannot write to /dev/full: no space is left'),
        },
      });
    }
    expect(await output.close()).toEqual(E.right(undefined));
  });

  test('a pipe is paced by its reader and stays open when idle', async () => {
    const directory = newFolder();
    const pipe = newPipe(directory);
    const [name] = fs.readdirSync(directory);
    const { built, clock } = openFile(directory, { path: name, cleanup_interval: 1 });
    const output = await opened(built);
    expect(output.isPacedByReader).toBe(true);
    await output.write(textBatch(['one']), never);
    await clock.advanceMs(5_000);
    await output.write(textBatch(['two']), never);
    expect(pipe.take()).toBe('one\ntwo\n');
    await output.close();
    pipe.close();
  });
});

describe('closing', () => {
  test('it waits for the writes before it, may be repeated, and refuses what comes after', async () => {
    const { output, text, path } = await setUp();
    const writing = output.write(textBatch(numbered(1_000)), never);
    const closed = Promise.all([output.close(), output.close()]);
    expect(await writing).toMatchObject({ right: { written: 1_000 } });
    expect(await closed).toEqual([E.right(undefined), E.right(undefined)]);
    expect(linesOf(text())).toHaveLength(1_000);
    expect(await output.write(textBatch(['late']), never)).toMatchObject({
      left: { code: 'unwritable', message: expect.stringContaining('closed') },
    });
    expect(await output.flush()).toEqual(E.right(undefined));
    expect(descriptorsOn(path)).toBe(0);
  });
});
