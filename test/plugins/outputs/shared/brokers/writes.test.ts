import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { endOfConnection, makeLink } from '../../../../../src/plugins/outputs/shared/brokers/brokerOutput.js';
import {
  makeOutcome,
  makeWindow,
  writeAcknowledged,
} from '../../../../../src/plugins/outputs/shared/brokers/writes.js';
import {
  makeErrorReporter,
  type RequestError,
  retryableError,
} from '../../../../../src/plugins/outputs/shared/errors.js';
import { fakeClock } from '../../../../support/clocks/fakeClock.js';

const report = makeErrorReporter('there', []);
const LOST = retryableError('lost', '');
const REFUSED: RequestError = { ...LOST, what: 'refused', isRetryable: false };

/** A write of `count` items over a window of `places`; the test answers. */
const writing = (count: number, places: number) => {
  const clock = fakeClock();
  const outcome = makeOutcome(count, 'cannot send to', report);
  const window = makeWindow(places);
  const over = endOfConnection();
  const ending = new AbortController();
  const settles: ((error: RequestError | null) => void)[] = [];
  const done = writeAcknowledged(
    {
      count,
      outcome,
      window,
      send: (_, settle) => {
        settles.push(settle);
        return null;
      },
    },
    { signal: ending.signal, onOver: over.onOver, clock, ack_timeout_ms: 1_000 },
  );
  return { clock, outcome, window, over, ending, settles, done };
};

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('an acknowledged write', () => {
  test('sends as many as the window has places, and the rest as they are acknowledged', async () => {
    const { settles, done, outcome } = writing(5, 2);
    for (const sent of [2, 3, 4, 5]) {
      await turn();
      expect(settles).toHaveLength(sent);
      settles[sent - 2]?.(null);
    }
    await turn();
    settles[4]?.(null);
    expect(await done).toBe(true);
    expect(outcome.result(9)).toEqual(E.right({ written: 5, failed: 0, bytes: 9 }));
  });

  test('items that are refused are missed by reason, the others written', async () => {
    const { settles, done, outcome } = writing(4, 9);
    await turn();
    for (const [item, settle] of settles.entries()) settle([null, REFUSED, LOST, REFUSED][item] ?? null);
    expect(await done).toBe(true);
    expect(outcome.result(0)).toMatchObject({
      right: {
        written: 1,
        missed: [
          { items: [1, 3], reason: { code: 'rejected' } },
          { items: [2], reason: { code: 'output_failed', message: 'cannot send to there: lost' } },
        ],
      },
    });
  });

  test('a batch that is refused as a whole for one reason fails as a whole', async () => {
    const { settles, done, outcome } = writing(2, 9);
    await turn();
    for (const settle of settles) settle(REFUSED);
    await done;
    expect(outcome.result(0)).toMatchObject({ left: { code: 'rejected' } });
  });

  test('a connection that is over leaves out what was not acknowledged, and frees the window', async () => {
    const { settles, done, outcome, over, window } = writing(5, 3);
    await turn();
    settles[0]?.(null);
    over.finish(LOST);
    expect(await done).toBe(false);
    // Too late to count.
    settles[1]?.(null);
    expect(outcome.result(0)).toMatchObject({ right: { written: 1, missed: [{ items: [1, 2, 3, 4] }] } });
    expect([window.take(), window.take(), window.take(), window.take()]).toEqual([true, true, true, false]);
  });

  test('the signal ends it at once', async () => {
    const { done, outcome, ending } = writing(2, 1);
    await turn();
    ending.abort();
    expect(await done).toBe(false);
    expect(outcome.result(0)).toMatchObject({ left: { message: expect.stringContaining('attempt ended') } });
  });

  test('it waits ack_timeout for the next acknowledgement, not for all', async () => {
    const { done, outcome, clock, settles } = writing(3, 3);
    await turn();
    await clock.advanceMs(900);
    settles[0]?.(null);
    await clock.advanceMs(900);
    settles[1]?.(null);
    await clock.advanceMs(2_000);
    expect(await done).toBe(false);
    expect(outcome.result(0)).toMatchObject({
      right: {
        written: 2,
        missed: [{ items: [2], reason: { message: expect.stringContaining('ack_timeout (1 s)') } }],
      },
    });
  });
});

describe('a link', () => {
  const connections = () => {
    const made: ReturnType<typeof endOfConnection>[] = [];
    const link = makeLink(async () => {
      const over = endOfConnection();
      made.push(over);
      return E.right({ ...over, close: async () => over.finish(LOST) });
    });
    return { made, link };
  };
  const never = new AbortController().signal;

  test('connects once for writes at the same time, and again when the connection is over', async () => {
    const { made, link } = connections();
    await Promise.all([link.get(never), link.get(never)]);
    expect(made).toHaveLength(1);
    made[0]?.finish(LOST);
    await link.get(never);
    expect(made).toHaveLength(2);
    await link.close();
    expect(made[1]?.end()).not.toBeNull();
    expect(E.isLeft(await link.get(never))).toBe(true);
  });

  test('one that fails to connect says why, and tries again with the next write', async () => {
    let attempts = 0;
    const link = makeLink(async () => {
      attempts += 1;
      return E.left(LOST);
    });
    expect(await link.get(never)).toEqual(E.left(LOST));
    expect(await link.get(never)).toEqual(E.left(LOST));
    expect(attempts).toBe(2);
  });
});
