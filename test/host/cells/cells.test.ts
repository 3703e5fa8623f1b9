import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { type CellLink, linkAfter } from '../../../src/host/cells.js';

describe('a link to a cell that is on its way', () => {
  test('lets changes and reads wait until the cell has arrived, and copies pass', async () => {
    const asked: string[] = [];
    const answer = E.right({ etag: '"x"', text: null });
    const link: CellLink = {
      change: async (change, number, if_match) => {
        asked.push(`change ${change.kind} ${number} ${if_match}`);
        return answer;
      },
      read: async () => {
        asked.push('read');
        return answer;
      },
      replicate: async ({ scenario }) => void asked.push(`replicate ${scenario}`),
    };
    let arrive: () => void = () => {};
    const arrival = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const early = linkAfter(() => arrival, link);
    const answers = [early.change({ kind: 'delete_key', key: 'k' }, 7, '"y"'), early.read()];
    await early.replicate({ scenario: 's', values: {}, changeNumber: 1 });
    await new Promise((resolve) => setImmediate(resolve));
    expect(asked).toEqual(['replicate s']);
    arrive();
    expect(await Promise.all(answers)).toEqual([answer, answer]);
    expect(asked).toEqual(['replicate s', 'change delete_key 7 "y"', 'read']);
  });
});
