import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { linkAfter, type OwnerLink } from '../../../src/host/globalsOwner.js';

describe('a link to globals that are on their way', () => {
  test('lets changes and reads wait until the globals have arrived, and copies pass', async () => {
    const asked: string[] = [];
    const answer = E.right({ etag: '"x"', text: null });
    const link: OwnerLink = {
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
