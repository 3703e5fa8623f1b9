import { describe, expect, test } from '@jest/globals';
import type { DeadLetterSummary, ResentDeadLetters } from '../../../src/messages/deadLetters.js';
import { ApiError } from '../../../src/ui/api/errors.js';
import {
  deadLetterBytes,
  deadLetterJsonOf,
  newestOf,
  resendAll,
  type SentDeadLetters,
  sentSentence,
} from '../../../src/ui/pages/generator/deadLetterTexts.js';

const turn = (output: string, more: Partial<ResentDeadLetters>): ResentDeadLetters => ({
  output,
  sent: 0,
  refused: 0,
  reason: null,
  error_code: null,
  is_down: false,
  is_done: true,
  ...more,
});

/** Resends with these turns of the service, in order; an error is thrown. */
const resend = async (
  outputs: readonly string[],
  turns: readonly (Partial<ResentDeadLetters> | Error)[],
  stopAfter = Number.POSITIVE_INFINITY,
) => {
  const asked: string[] = [];
  const seen: SentDeadLetters[] = [];
  const result = resendAll({
    outputs,
    send: async (output) => {
      const next = turns[asked.length];
      asked.push(output);
      if (next instanceof Error) throw next;
      return [turn(output, next ?? {})];
    },
    onProgress: (so) => seen.push(so),
    isStopped: () => asked.length >= stopAfter,
  });
  return { result, asked, seen };
};

describe('sending dead letters again', () => {
  test('asks for each output until it is done, and adds up', async () => {
    const { result, asked, seen } = await resend(
      ['1-file', '2-http'],
      [{ sent: 10, is_done: false }, { sent: 5 }, { sent: 1, refused: 2, reason: 'too wide' }],
    );
    expect(await result).toEqual({
      sent: 16,
      refused: 2,
      reasons: [{ output: '2-http', reason: 'too wide' }],
      isDown: false,
    });
    expect(asked).toEqual(['1-file', '1-file', '2-http']);
    expect(seen.map(({ sent }) => sent)).toEqual([10, 15, 16]);
  });

  test('leaves an output that is down, or of which nothing arrives, and goes on with the next', async () => {
    const { result, asked } = await resend(
      ['1-http', '2-http', '3-file'],
      [{ is_down: true, is_done: false, reason: 'refused' }, { refused: 9, is_done: false }, { sent: 3 }],
    );
    expect(await result).toMatchObject({ sent: 3, refused: 9, isDown: true });
    expect(asked).toEqual(['1-http', '2-http', '3-file']);
  });

  test('says of one of several why it cannot be sent; alone, it fails', async () => {
    const error = new ApiError(409, 'wrong_state', 'output 1 is now http');
    const { result } = await resend(['1-file', '2-file'], [error, { sent: 3 }]);
    expect(await result).toMatchObject({ sent: 3, reasons: [{ output: '1-file', reason: error.message }] });
    await expect((await resend(['1-file'], [error])).result).rejects.toBe(error);
  });

  test('stops between two turns', async () => {
    const more = { sent: 1, is_done: false };
    const { result, asked } = await resend(['1-file', '2-file'], [more, more, more, more], 2);
    expect(await result).toMatchObject({ sent: 2 });
    expect(asked).toHaveLength(2);
  });

  test('ends in a sentence', () => {
    const so = { sent: 1_200, refused: 0, reasons: [], isDown: false };
    expect(sentSentence(so)).toBe('1,200 dead letters delivered.');
    expect(sentSentence({ ...so, sent: 1, refused: 1 })).toBe(
      '1 dead letter delivered. 1 could not be delivered and stays.',
    );
    expect(sentSentence({ ...so, isDown: true })).toContain('down');
  });
});

test('an event is JSON only if it is an object or a list', () => {
  expect(deadLetterJsonOf('{"a":1}')).toEqual({ a: 1 });
  expect(deadLetterJsonOf('[1]')).toEqual([1]);
  for (const text of ['5', 'null', '"a"', '{', '127.0.0.1 - -']) expect(deadLetterJsonOf(text)).toBeNull();
});

test('the newest letter of all outputs limits what is removed', () => {
  const summary = (newest: string | null) => ({ newest }) as DeadLetterSummary;
  const [early, late] = ['2026-01-01T09:00:00+00:00', '2026-01-01T10:30:00+01:00'];
  expect(newestOf([summary(late), summary(null), summary(early)])).toBe(late);
  expect(newestOf([summary(null)])).toBeNull();
});

test.each([
  [1, '1 B'],
  [2_048, '2.0 KiB'],
  [55 * 1024, '55 KiB'],
  [3 * 1024 ** 3, '3.0 GiB'],
])('%d bytes are %s', (bytes, text) => {
  expect(deadLetterBytes(bytes)).toBe(text);
});
