import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import type { OwnerLink } from '../../../src/host/globalsOwner.js';
import { memoryFiles } from '../../support/memoryFiles.js';
import { settle } from '../../support/pipelines/scriptedHost.js';
import { makeScenario, makeThread } from './parts.js';

const make = () => makeScenario(memoryFiles(new Map()));
const shown = (value: unknown) => ({ value, is_cut: false });
const patches = async (scenario: ReturnType<typeof make>) => E.getOrElseW(() => [])(await scenario.history());

describe('the history of globals', () => {
  test('has changes of globals that are here and of those on a thread, newest first', async () => {
    const scenario = make();
    await scenario.patch({ rate: 1 });
    const thread = makeThread(scenario);
    await thread.take();
    await settle();
    // The script writes between the two changes: the old value is that of the moment.
    thread.view().set('rate', 4);
    await scenario.patch({ rate: 9 });
    expect(await patches(scenario)).toEqual([
      {
        number: 2,
        at: '1970-01-01T00:00:00Z',
        user: 'ann',
        kind: 'patch',
        keys: [{ key: 'rate', old: shown(4), new: shown(9) }],
        more_keys: 0,
      },
      expect.objectContaining({ number: 1, keys: [{ key: 'rate', old: null, new: shown(1) }] }),
    ]);
  });

  test('holds the last fifty; refused changes and those that change nothing are none', async () => {
    const scenario = make();
    for (let n = 1; n <= 60; n++) await scenario.patch({ n });
    await scenario.patch({ n: 60 });
    await scenario.patch({ n: 61 }, '"other"');
    const found = await patches(scenario);
    expect(found.map(({ number }) => number)).toEqual(Array.from({ length: 50 }, (_, n) => 60 - n));
  });

  test('lacks a change of which a thread says nothing that can be read; the change is in force', async () => {
    const scenario = make();
    const change: OwnerLink['change'] = async () => E.right({ etag: '"1"', text: '{"keys": [7]}' });
    await scenario.lend({
      change,
      read: async () => E.right({ etag: '"1"', text: '{}' }),
      replicate: async () => {},
    });
    expect(await scenario.patch({ a: 1 })).toEqual(E.right({ etag: '"1"' }));
    expect(await patches(scenario)).toEqual([]);
  });
});
