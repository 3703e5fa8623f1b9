import * as fs from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { systemClock } from '../../../../src/adapters/systemClock.js';
import { textBatch } from '../../../../src/domain/events/eventBatch.js';
import { openStream } from '../../../../src/plugins/outputs/stdout/plugin.js';
import { stdoutFields } from '../../../../src/plugins/outputs/stdout/spec.js';
import { decode, record } from '../../../../src/schema/index.js';
import { newPipe, readWhile } from '../../../support/pipe.js';
import { spawn } from '../../../support/programs.js';
import { linesOf, never, newFolder, numbered, opened, outputContext, removeFolders } from '../support.js';

afterAll(removeFolders);

const paramsOf = (given: Record<string, unknown> = {}) => {
  const decoded = decode(record(stdoutFields), given);
  if (E.isLeft(decoded)) throw new Error(JSON.stringify(decoded.left));
  return decoded.right;
};

const openOn = (fd: number, given: Record<string, unknown> = {}) => {
  const { context, lines } = outputContext('/');
  return { output: opened(openStream(fd, paramsOf(given), context)), lines };
};

/** Flags of an open file description, as the kernel has them. */
const flagsOf = (fd: number): number => {
  const found = /flags:\s*([0-7]+)/.exec(fs.readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8'));
  return Number.parseInt(found?.[1] ?? '', 8);
};

describe('stdout into a pipe', () => {
  test('everything reaches another process, whole and in order', async () => {
    const path = join(newFolder(), 'in');
    const pipe = newPipe(newFolder());
    const reader = spawn('cat', [], { stdio: [pipe.readFd, fs.openSync(path, 'w'), 'inherit'] });
    const output = await openOn(pipe.writeFd).output;
    const texts = numbered(20_000);
    expect(await output.write(textBatch(texts), never)).toEqual(
      E.right({ written: 20_000, failed: 0, bytes: 20_000 * 61 }),
    );
    await output.close();
    pipe.close();
    await new Promise((resolve) => reader.on('exit', resolve));
    expect(linesOf(await readFile(path, 'utf8'))).toEqual(texts);
  });

  test('a reader that stands still holds no thread of the file pool', async () => {
    const folder = newFolder();
    const pipes = Array.from({ length: 6 }, () => newPipe(folder));
    const ending = new AbortController();
    const texts = numbered(5_000);
    const outputs = await Promise.all(pipes.map((pipe) => openOn(pipe.writeFd).output));
    const writes = outputs.map((output) => output.write(textBatch(texts), ending.signal));
    // Six stalled writers, four threads: this would never come back if each held one.
    fs.writeFileSync(join(folder, 'other'), 'alive');
    expect(await readFile(join(folder, 'other'), 'utf8')).toBe('alive');
    ending.abort();
    for (const result of await Promise.all(writes)) expect(E.isRight(result)).toBe(true);
    for (const pipe of pipes) pipe.close();
  });

  test('a slow reader slows the write down, and nothing is lost', async () => {
    const pipe = newPipe(newFolder());
    const output = await openOn(pipe.writeFd).output;
    expect(output.isPacedByReader).toBe(true);
    const texts = numbered(5_000);
    const { result, seen } = await readWhile(pipe, output.write(textBatch(texts), never));
    expect(result).toMatchObject({ right: { written: 5_000, failed: 0 } });
    expect(linesOf(seen)).toEqual(texts);
    await output.close();
    pipe.close();
  });

  test('a write that is ended on the way reports what is out, and the next one goes on where it stopped', async () => {
    const pipe = newPipe(newFolder());
    const output = await openOn(pipe.writeFd).output;
    const ending = new AbortController();
    // One event alone fills the pipe, so that it is torn.
    const long = 'x'.repeat(200_000);
    const writing = output.write(textBatch(['first', long, 'never']), ending.signal);
    let seen = pipe.take();
    while (seen.length < 65_536) {
      await systemClock.yieldTurn();
      seen += pipe.take();
    }
    ending.abort();
    expect(await writing).toMatchObject({ right: { written: 2, failed: 1 } });
    const next = await readWhile(pipe, output.write(textBatch(['after']), never));
    expect(next.result).toMatchObject({ right: { written: 1, failed: 0 } });
    seen += next.seen;
    expect(linesOf(seen)).toEqual(['first', long, 'after']);
    await output.close();
    pipe.close();
  });

  test('two generators on one pipe never tear each other’s events', async () => {
    const pipe = newPipe(newFolder());
    const [one, two] = [await openOn(pipe.writeFd).output, await openOn(pipe.writeFd).output];
    const [ones, twos] = [numbered(3_000), numbered(3_000, 200)];
    const both = Promise.all([one.write(textBatch(ones), never), two.write(textBatch(twos), never)]);
    const { seen } = await readWhile(pipe, both);
    const lines = linesOf(seen);
    expect(lines).toHaveLength(6_000);
    expect(lines.filter((line) => line.length === 60)).toEqual(ones);
    expect(lines.filter((line) => line.length === 200)).toEqual(twos);
    await Promise.all([one.close(), two.close()]);
    pipe.close();
  });

  test('a reader that went away is a failure with its own code', async () => {
    const pipe = newPipe(newFolder());
    const output = await openOn(pipe.writeFd).output;
    fs.closeSync(pipe.readFd);
    expect(await output.write(textBatch(['event']), never)).toMatchObject({
      left: {
        code: 'reader_gone',
        message: expect.stringContaining('standard output: the reader went away'),
      },
    });
    await output.close();
    pipe.close();
  });

  test('the stream that the shell shares with other programs stays as it was', async () => {
    const pipe = newPipe(newFolder());
    const before = flagsOf(pipe.writeFd);
    const output = await openOn(pipe.writeFd).output;
    await output.write(textBatch(['event']), never);
    expect(flagsOf(pipe.writeFd)).toBe(before);
    expect(before & fs.constants.O_NONBLOCK).toBe(0);
    await output.close();
    // Still open: it was never ours to close.
    fs.writeSync(pipe.writeFd, 'by others\n');
    expect(pipe.take()).toBe('event\nby others\n');
    pipe.close();
  });
});

describe('stdout elsewhere', () => {
  test('a redirection into a file keeps the place that it shares with other programs', async () => {
    const path = join(newFolder(), 'redirected');
    const fd = fs.openSync(path, 'w');
    fs.writeSync(fd, 'before\n');
    const output = await openOn(fd).output;
    expect(output.isPacedByReader).toBe(false);
    await output.write(textBatch(['one', 'two']), never);
    await output.close();
    fs.writeSync(fd, 'after\n');
    fs.closeSync(fd);
    expect(fs.readFileSync(path, 'utf8')).toBe('before\none\ntwo\nafter\n');
  });

  test('a full device is a failure that may pass', async () => {
    const fd = fs.openSync('/dev/full', 'w');
    const output = await openOn(fd).output;
    expect(await output.write(textBatch(['event']), never)).toMatchObject({
      left: {
        code: 'unwritable',
        message: expect.stringContaining('no space is left on the device (ENOSPC)'),
      },
    });
    expect(await output.close()).toEqual(E.right(undefined));
    fs.closeSync(fd);
  });

  test('a stream that is closed is said when the output opens', async () => {
    const { context } = outputContext('/');
    expect(await openStream(987_654, paramsOf({ stream: 'stderr' }), context)).toMatchObject({
      left: {
        code: 'output_failed',
        message: expect.stringContaining('cannot open standard error: the stream is closed'),
      },
    });
  });

  test('separator and encoding are those of the config; what cannot be spelled is counted', async () => {
    const path = join(newFolder(), 'latin');
    const fd = fs.openSync(path, 'w');
    const { output, lines } = openOn(fd, { separator: '\r\n', encoding: 'latin-1' });
    const stream = await output;
    expect(await stream.write(textBatch(['ä', '日', 'b']), never)).toEqual(
      E.right({ written: 2, failed: 1, bytes: 6 }),
    );
    expect(lines).toHaveLength(1);
    await stream.close();
    fs.closeSync(fd);
    expect(fs.readFileSync(path, 'latin1')).toBe('ä\r\nb\r\n');
  });

  test('closing twice is harmless, and a write after it says so', async () => {
    const fd = fs.openSync(join(newFolder(), 'x'), 'w');
    const output = await openOn(fd).output;
    expect(await output.flush()).toEqual(E.right(undefined));
    expect(await output.close()).toEqual(E.right(undefined));
    expect(await output.close()).toEqual(E.right(undefined));
    expect(await output.flush()).toEqual(E.right(undefined));
    expect(await output.write(textBatch(['late']), never)).toMatchObject({ left: { code: 'unwritable' } });
    fs.closeSync(fd);
  });
});
