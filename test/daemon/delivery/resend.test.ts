import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import { systemClock } from '../../../src/adapters/systemClock.js';
import { failure, type Result } from '../../../src/domain/errors.js';
import { textBatch } from '../../../src/domain/events/eventBatch.js';
import type { Formatter, Output, Written } from '../../../src/plugins/kit.js';
import type { StoredDeadLetter } from '../../../src/ports/deadLetters.js';
import { deliverDeadLetters, type ResendDelivery } from '../../../src/worker/deadLetters/deliver.js';

import { memoryLog } from '../../support/logs.js';

const CLOSED = failure('output_failed', 'the connection was closed', { isSuspect: true });
const REJECTED = failure('rejected', 'one of them is wrong');
const DOWN = failure('output_failed', 'no route to host');

const letter = (event: string): StoredDeadLetter => ({ at: 'then', code: 'c', reason: 'r', event, line: '' });

/** Events as they are; those that begin with `!` cannot be formatted. */
const plain: Formatter = {
  joins: false,
  format: (events) => {
    const isBad = (event: string): boolean => event.startsWith('!');
    return {
      batch: textBatch(events.texts().filter((event) => !isBad(event))),
      eventsPerItem: 1,
      failures: events
        .texts()
        .filter(isBad)
        .map((event) => ({ event, reason: 'it begins with !' })),
    };
  },
};

/** An output that answers as it is told to, and what arrived there. */
const rig = (answer: (events: readonly string[], attempt: number) => Result<Partial<Written>>) => {
  const arrived: string[] = [];
  let attempts = 0;
  const output: Output = {
    isBulk: true,
    isOrdered: true,
    write: async (batch) => {
      const result = answer(batch.texts(), ++attempts);
      if (E.isLeft(result)) return result;
      arrived.push(...batch.texts());
      return E.right({ written: batch.count, failed: 0, bytes: 0, ...result.right });
    },
    flush: async () => E.right(undefined),
    close: async () => E.right(undefined),
  };
  const way: ResendDelivery = {
    formatter: plain,
    output,
    clock: systemClock,
    random: () => 0,
    retry: { attempts: 3, base_ms: 1, cap_ms: 1 },
    write_timeout_ms: 1_000,
    log: memoryLog().log,
    stop: new AbortController().signal,
    streak: { refused: 0 },
  };
  return { way, arrived, attempts: () => attempts };
};

const refusedBy = (events: readonly string[], isBad: (event: string) => boolean) =>
  events.some(isBad) ? E.left(REJECTED) : E.right({});

describe('letters', () => {
  test('that an output takes arrive in one write', async () => {
    const { way, arrived, attempts } = rig(() => E.right({}));
    expect(await deliverDeadLetters(['a', 'b'].map(letter), way)).toEqual({ refused: [], outage: null });
    expect([arrived, attempts()]).toEqual([['a', 'b'], 1]);
  });

  test('arrive at a later attempt', async () => {
    const { way, arrived } = rig((_, attempt) => (attempt < 3 ? E.left(DOWN) : E.right({})));
    expect(await deliverDeadLetters(['a'].map(letter), way)).toEqual({ refused: [], outage: null });
    expect(arrived).toEqual(['a']);
  });

  test('stay when all attempts fail, and later ones are not tried', async () => {
    const { way, attempts } = rig(() => E.left(DOWN));
    const { refused, outage } = await deliverDeadLetters(['a', 'b'].map(letter), way);
    expect(refused.map(({ deadLetter: { event }, why }) => [event, why])).toEqual([
      ['a', DOWN],
      ['b', DOWN],
    ]);
    expect([outage, attempts()]).toEqual([DOWN, 3]);
  });

  test('that cannot be formatted stay with the reason, in their place', async () => {
    const { way, arrived } = rig((events) => refusedBy(events, (event) => event === 'bad'));
    const { refused } = await deliverDeadLetters(['!1', 'a', 'bad', '!2', 'b', '!1'].map(letter), way);
    expect(
      refused.map(({ deadLetter: { event }, why: { code, message } }) => [event, code, message]),
    ).toEqual([
      ['!1', 'invalid', 'it cannot be formatted: it begins with !'],
      ['bad', 'rejected', 'one of them is wrong'],
      ['!2', 'invalid', 'it cannot be formatted: it begins with !'],
      ['!1', 'invalid', 'it cannot be formatted: it begins with !'],
    ]);
    expect(arrived).toEqual(['a', 'b']);
  });

  test('of a partly failed write all stay, as it is unknown which arrived', async () => {
    const { way } = rig(() => E.right({ written: 1, failed: 1 }));
    const { refused, outage } = await deliverDeadLetters(['a', 'b'].map(letter), way);
    expect(refused.map(({ why }) => why.message)).toEqual([
      expect.stringMatching(/^1 of 2 events .*--batch\.size 1/),
      expect.stringMatching(/^1 of 2 events .*--batch\.size 1/),
    ]);
    expect(outage).toBeNull();
  });

  test('that a partly accepted write names stay with their reasons; those with a retryable one are sent again', async () => {
    const { way, arrived, attempts } = rig((events, attempt) => {
      const items = [...events.keys()].filter((index) => events[index] === 'bad');
      const busy = attempt === 1 ? [1] : [];
      return E.right({
        written: events.length - items.length - busy.length,
        missed: [
          { items, reason: REJECTED },
          { items: busy, reason: DOWN },
        ],
      });
    });
    const { refused, outage } = await deliverDeadLetters(['a', 'b', 'bad', 'c'].map(letter), way);
    expect(refused.map(({ deadLetter: { event }, why }) => [event, why])).toEqual([['bad', REJECTED]]);
    expect([outage, attempts()]).toEqual([null, 2]);
    expect(arrived).toEqual(['a', 'b', 'bad', 'c', 'b']);
  });

  test('stay when the formatter throws', async () => {
    const { way } = rig(() => E.right({}));
    const broken: Formatter = {
      joins: false,
      format: () => {
        throw new Error('oops');
      },
    };
    const { refused, outage } = await deliverDeadLetters(['a'].map(letter), { ...way, formatter: broken });
    expect([refused[0]?.why.code, outage?.message]).toEqual(['bug', 'the formatter threw: oops']);
  });

  test('on one of which the destination closes the connection: that one stays, the others arrive once and in order', async () => {
    const { way, arrived } = rig((events) => (events.includes('bad') ? E.left(CLOSED) : E.right({})));
    const { refused, outage } = await deliverDeadLetters(['a', 'b', 'bad', 'c', 'd'].map(letter), way);
    expect(refused.map(({ deadLetter: { event }, why }) => [event, why.code])).toEqual([['bad', 'rejected']]);
    expect([arrived, outage]).toEqual([['a', 'b', 'c', 'd'], null]);
  });

  test('with which the output throws stay alone', async () => {
    const { way, arrived } = rig((events) => {
      if (events.includes('bad')) throw new TypeError('no chunk');
      return E.right({});
    });
    const { refused, outage } = await deliverDeadLetters(['a', 'bad', 'b'].map(letter), way);
    expect(refused.map(({ deadLetter: { event }, why }) => [event, why.message])).toEqual([
      ['bad', 'the output threw: no chunk'],
    ]);
    expect([arrived, outage]).toEqual([['a', 'b'], null]);
  });

  test('that cannot be sent anywhere do not end the resend, however many they are', async () => {
    const { way } = rig(() => E.left(failure('unroutable', 'the topic is too long')));
    const letters = Array.from({ length: 500 }, (_, n) => letter(`e${n}`));
    expect(await deliverDeadLetters(letters, way)).toMatchObject({ outage: null, refused: { length: 500 } });
  });

  test('a destination that closes every connection ends the resend after a bounded number of writes', async () => {
    const { way, attempts } = rig(() => E.left(CLOSED));
    const letters = Array.from({ length: 1_000 }, (_, n) => letter(`e${n}`));
    const { refused, outage } = await deliverDeadLetters(letters, way);
    expect([refused.length, outage]).toEqual([1_000, CLOSED]);
    expect(attempts()).toBeLessThan(120);
  });

  test('an output that refuses everything ends the resend instead of trying each letter', async () => {
    const { way, attempts } = rig(() => E.left(REJECTED));
    const letters = Array.from({ length: 10_000 }, (_, n) => letter(`e${n}`));
    const { refused, outage } = await deliverDeadLetters(letters, way);
    expect(refused.map(({ deadLetter: { event } }) => event)).toEqual(letters.map(({ event }) => event));
    expect(outage).toEqual(REJECTED);
    expect(attempts()).toBeLessThan(300);
  });

  test('that are refused are found among the others: those arrive, once and in order', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { maxLength: 90 }), async (fates) => {
        const events = fates.map((isBad, n) => `${isBad ? 'bad' : 'good'} ${n}`);
        const { way, arrived } = rig((some) => refusedBy(some, (event) => event.startsWith('bad')));
        const { refused, outage } = await deliverDeadLetters(events.map(letter), way);
        expect(arrived).toEqual(events.filter((event) => event.startsWith('good')));
        expect(refused.map(({ deadLetter: { event } }) => event)).toEqual(
          events.filter((event) => event.startsWith('bad')),
        );
        expect(outage).toBeNull();
      }),
    ));
});
