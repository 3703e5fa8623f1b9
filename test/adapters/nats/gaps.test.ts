import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import type { Cell } from '../../../src/adapters/nats/cells.js';
import { fillGaps } from '../../../src/adapters/nats/gaps.js';
import { failure } from '../../../src/domain/errors.js';

const cell = (revision: number): Cell => ({
  subject: `s.${revision}`,
  data: new Uint8Array(0),
  revision,
  isMarker: false,
});

/** A consumer of a leader that has `there`, which knows everything up to 10. */
const make = (there: readonly number[], isDown = false) => {
  const delivered: number[] = [];
  const reads: number[] = [];
  const failed: string[] = [];
  const follow = fillGaps({
    from: 10,
    next: (from) => {
      reads.push(from);
      const first = there.find((revision) => revision >= from);
      return Promise.resolve(
        isDown
          ? E.left(failure('unavailable', 'no leader'))
          : E.right(first === undefined ? null : cell(first)),
      );
    },
    deliver: ({ revision }) => delivered.push(revision),
    onFailed: ({ message }) => failed.push(message),
  });
  const tell = async (...revisions: readonly number[]): Promise<void> => {
    for (const revision of revisions) follow(cell(revision));
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { delivered, reads, failed, tell };
};

describe('messages of a consumer', () => {
  test('are handed on at once while none is missing', async () => {
    const { delivered, reads, tell } = make([11, 12, 13]);
    await tell(11, 12, 13);
    expect({ delivered, reads }).toEqual({ delivered: [11, 12, 13], reads: [] });
  });

  test('that were left out are read, and order is kept', async () => {
    const { delivered, tell } = make([11, 13, 14, 17, 18]);
    await tell(11, 17, 18);
    expect(delivered).toEqual([11, 13, 14, 17, 18]);
  });

  test('that newer ones replaced are looked for once', async () => {
    const { delivered, reads, tell } = make([20, 30]);
    await tell(20, 30);
    expect({ delivered, reads }).toEqual({ delivered: [20, 30], reads: [11, 21] });
  });

  test('that are gone by now leave no gap up to the first one that is there', async () => {
    const { delivered, reads, tell } = make([40]);
    await tell(15, 20, 25, 40);
    expect({ delivered, reads }).toEqual({ delivered: [15, 20, 25, 40], reads: [11] });
  });

  test('end when the leader does not answer, once', async () => {
    const { delivered, failed, tell } = make([], true);
    await tell(11, 20, 21);
    await tell(22);
    expect({ delivered, failed }).toEqual({ delivered: [11], failed: ['no leader'] });
  });
});
