import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Descriptor, writeAll } from '../../../../src/plugins/outputs/shared/descriptor.js';
import { fakeClock } from '../../../support/clocks/fakeClock.js';
import { never } from '../support.js';

const full = (): Error => Object.assign(new Error('full'), { code: 'EAGAIN' });

/** Takes as many bytes as `room` says each time, `0` meaning that it is full. */
const descriptorWith = (room: (call: number, asked: number) => number, piece_bytes = 8) => {
  const taken: string[] = [];
  let call = 0;
  const descriptor: Descriptor = {
    isFile: false,
    piece_bytes,
    put: (bytes, from, to) => {
      const count = Math.min(to - from, room(call++, to - from));
      if (count === 0) throw full();
      taken.push(bytes.toString('latin1', from, from + count));
      return count;
    },
    close: async () => {},
  };
  return { descriptor, taken };
};

const NEWLINE = Buffer.from('\n');

describe('writing all bytes', () => {
  test('pieces end where events end, and an event longer than a piece stays in one', async () => {
    const { descriptor, taken } = descriptorWith((_, asked) => asked);
    const bytes = Buffer.from('ab\ncd\nef\na long event\nx\n');
    const progress = await writeAll(descriptor, bytes, NEWLINE, { clock: fakeClock(), signal: never });
    expect(progress).toEqual({ bytes: bytes.length, error: null });
    expect(taken).toEqual(['ab\ncd\n', 'ef\n', 'a long event\n', 'x\n']);
  });

  test('every byte arrives once and in order, however little is taken at a time', async () => {
    const events = fc.array(fc.stringMatching(/^[a-z]{0,20}$/), { maxLength: 30 });
    const rooms = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(events, rooms, fc.integer({ min: 1, max: 40 }), async (texts, sizes, piece) => {
        const { descriptor, taken } = descriptorWith((call) => sizes[call % sizes.length] as number, piece);
        const bytes = Buffer.from(texts.map((text) => `${text}\n`).join(''));
        await writeAll(descriptor, bytes, NEWLINE, { clock: fakeClock(), signal: never });
        expect(taken.join('')).toBe(bytes.toString());
      }),
    );
  });

  test('a full pipe is waited for with growing pauses, not reported', async () => {
    const clock = fakeClock();
    let isFull = true;
    let tries = 0;
    const { descriptor, taken } = descriptorWith((_, asked) => {
      tries++;
      return isFull ? 0 : asked;
    });
    const writing = writeAll(descriptor, Buffer.from('event\n'), NEWLINE, { clock, signal: never });
    await clock.advanceMs(60_000);
    expect(taken).toEqual([]);
    // About one try each 64 ms, after the first ones.
    expect(tries).toBeLessThan(1_000);
    isFull = false;
    await clock.advanceMs(64);
    expect(await writing).toEqual({ bytes: 6, error: null });
  });

  test('the end of the signal ends the wait for a full pipe and tells how far it came', async () => {
    const clock = fakeClock();
    const ending = new AbortController();
    const { descriptor } = descriptorWith((call) => (call === 0 ? 2 : 0));
    const writing = writeAll(descriptor, Buffer.from('event\n'), NEWLINE, { clock, signal: ending.signal });
    await clock.advanceMs(1_000);
    ending.abort();
    expect(await writing).toEqual({ bytes: 2, error: null });
  });

  test('any other answer of the system ends the write', async () => {
    const broken = Object.assign(new Error('gone'), { code: 'EPIPE' });
    const descriptor: Descriptor = {
      isFile: false,
      piece_bytes: 8,
      put: () => {
        throw broken;
      },
      close: async () => {},
    };
    const progress = await writeAll(descriptor, NEWLINE, NEWLINE, { clock: fakeClock(), signal: never });
    expect(progress).toEqual({ bytes: 0, error: broken });
  });
});
