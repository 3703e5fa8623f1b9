import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import { textBatch } from '../../../../src/domain/events/eventBatch.js';
import type { Descriptor } from '../../../../src/plugins/outputs/shared/descriptor.js';
import { makeEncoder } from '../../../../src/plugins/outputs/shared/encoder.js';
import { makeResumingWriter } from '../../../../src/plugins/outputs/shared/streamOutput.js';
import { fakeClock } from '../../../support/clocks/fakeClock.js';
import { memoryLog } from '../../../support/logs.js';
import { never } from '../support.js';

/** A sink with `room` bytes that then answers `code`, or ends the attempt when `code` is `null`. */
const setUp = (encoding = 'utf_8') => {
  let out = Buffer.alloc(0);
  let room = Number.POSITIVE_INFINITY;
  let onFull = (): Error => Object.assign(new Error('full'), { code: 'EAGAIN' });
  const descriptor: Descriptor = {
    isFile: false,
    piece_bytes: 16,
    put: (bytes, from, to) => {
      const count = Math.min(to - from, room);
      if (count === 0) throw onFull();
      room -= count;
      out = Buffer.concat([out, bytes.subarray(from, from + count)]);
      return count;
    },
    close: async () => {},
  };
  const { log, lines } = memoryLog();
  const made = makeEncoder(encoding, '\n', log);
  if (E.isLeft(made)) throw new Error(made.left.message);
  const { encode, separator, preamble } = made.right;
  const clock = fakeClock();
  const writer = makeResumingWriter({ descriptor, name: 'the pipe', separator, preamble, clock, log });
  return {
    lines,
    text: () => out.toString('utf8'),
    bytes: () => out,
    finish: () => writer.finish(AbortSignal.abort()),
    open: () => {
      room = Number.POSITIVE_INFINITY;
    },
    /** Writes while only `bytes` fit; the attempt is ended when it is full. */
    writeInto: (bytes: number, texts: readonly string[], code: string | null = null) => {
      const ending = new AbortController();
      room = bytes;
      onFull = () => {
        if (code === null) ending.abort();
        return Object.assign(new Error('full'), { code: code ?? 'EAGAIN' });
      };
      return writer.write(encode(textBatch(texts)), ending.signal);
    },
    write: (texts: readonly string[]) => {
      room = Number.POSITIVE_INFINITY;
      return writer.write(encode(textBatch(texts)), never);
    },
  };
};

describe('writing what cannot be taken back', () => {
  test('the rest of a torn event goes out before the next batch', async () => {
    const { writeInto, write, text } = setUp();
    expect(await writeInto(6, ['one', 'two', 'three'])).toMatchObject({
      right: { written: 2, failed: 1, bytes: 6, stopped: { count: 1, reason: { code: 'timed_out' } } },
    });
    expect(text()).toBe('one\ntw');
    expect(await write(['four'])).toEqual(E.right({ written: 1, failed: 0, bytes: 7 }));
    expect(text()).toBe('one\ntwo\nfour\n');
  });

  test('a batch of which nothing went out failed as a whole', async () => {
    const { writeInto, write, text } = setUp();
    expect(await writeInto(0, ['one'])).toMatchObject({ left: { code: 'timed_out' } });
    await write(['one']);
    expect(text()).toBe('one\n');
  });

  test('after an error the torn event counts as failed and the reason is logged', async () => {
    const { writeInto, lines } = setUp();
    const result = await writeInto(6, ['one', 'two', 'three'], 'ENOSPC');
    expect(result).toMatchObject({
      right: { written: 1, failed: 2, bytes: 6, stopped: { count: 2, reason: { code: 'unwritable' } } },
    });
    expect(lines).toMatchObject([
      { level: 'error', context: { reason: expect.stringContaining('no space is left') } },
    ]);
  });

  test('a reader that went away is named as such', async () => {
    const { writeInto } = setUp();
    expect(await writeInto(0, ['one'], 'EPIPE')).toMatchObject({
      left: { code: 'reader_gone', message: expect.stringContaining('cannot write to the pipe') },
    });
  });

  test('finishing completes a torn event, or reports that the last event is incomplete', async () => {
    const { writeInto, finish, open, text } = setUp();
    await writeInto(2, ['one']);
    expect(await finish()).toMatchObject({ left: { message: expect.stringContaining('is incomplete') } });
    open();
    await writeInto(100, []);
    expect(text()).toBe('one\n');
    expect(await finish()).toEqual(E.right(undefined));
  });

  test('a byte order mark stands before the first event only, and not where no event is', async () => {
    const { write, bytes, finish } = setUp('utf_8_sig');
    await finish();
    expect(bytes()).toHaveLength(0);
    await write(['a']);
    await write(['b']);
    expect([...bytes()]).toEqual([0xef, 0xbb, 0xbf, 0x61, 0x0a, 0x62, 0x0a]);
  });

  test('with partial writes of any size, the reader sees the reported events, whole and in order', async () => {
    const batch = fc.record({
      room: fc.integer({ min: 0, max: 60 }),
      code: fc.constantFrom(null, 'EIO'),
      texts: fc.array(fc.stringMatching(/^[a-zé\u{1f600}]{0,9}$/u), { minLength: 1, maxLength: 6 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(batch, { maxLength: 8 }), async (batches) => {
        const { writeInto, write, text } = setUp();
        const events = new Set<string>();
        let written = 0;
        for (const [i, { room, code, texts }] of batches.entries()) {
          const named = texts.map((one, n) => `${i}.${n}${one}`);
          for (const event of named) events.add(event);
          const result = await writeInto(room, named, code);
          if (E.isRight(result)) {
            written += result.right.written;
            expect(result.right.written + result.right.failed).toBe(named.length);
          }
        }
        await write(['end']);
        const seen = text().split('\n');
        expect(seen.slice(-2)).toEqual(['end', '']);
        expect(seen.slice(0, -2).every((line) => events.has(line))).toBe(true);
        expect(new Set(seen).size).toBe(seen.length);
        // An event torn by an error was counted as failed, yet its rest went out.
        expect(seen.length - 2).toBeGreaterThanOrEqual(written);
        expect(seen.length - 2 - written).toBeLessThanOrEqual(
          batches.filter(({ code }) => code !== null).length,
        );
      }),
    );
  });
});
