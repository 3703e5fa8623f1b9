import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { createActor } from 'xstate';
import { scenariosLogic } from '../../../actors/scenarios/scenarios.js';
import type { Result } from '../../../src/domain/errors.js';

import { memoryLog } from '../../support/logs.js';
import { memoryFiles } from '../../support/memoryFiles.js';
import { settle } from '../../support/scriptedHost.js';
import { replicaLink } from './parts.js';

const make = (...names: readonly string[]) => {
  const { log, lines } = memoryLog();
  const files = memoryFiles(new Map());
  const input = { names: () => new Set(names), files, folder: '/state/globals', log };
  const actor = createActor(scenariosLogic, { input }).start();
  const send = (type: string, payload: object): Promise<Result<unknown>> =>
    new Promise((resolve) => actor.send({ type, payload, reply: resolve } as never));
  const globals = async (name: string): Promise<unknown> => {
    const answer = await send('globals.read', { name });
    return E.isRight(answer) ? (answer.right as { readonly globals: unknown }).globals : answer.left;
  };
  return { actor, send, globals, log: lines };
};

describe('scenarios', () => {
  test('each request of the API does what it says', async () => {
    const { send, globals } = make('busy');
    const name = 'busy';
    const if_match = null;
    await send('globals.patch', { name, if_match, style: 'shallow', patch: { a: { x: 1 }, b: null } });
    expect(await globals(name)).toEqual({ a: { x: 1 }, b: null });
    await send('globals.patch', { name, if_match, style: 'rfc7386', patch: { a: { y: 2 }, b: null } });
    expect(await globals(name)).toEqual({ a: { x: 1, y: 2 } });
    await send('globals.replace', { name, if_match, globals: { c: 1, d: 2 } });
    await send('globals.delete_key', { name, if_match, key: 'c' });
    expect(await globals(name)).toEqual({ d: 2 });
    await send('globals.clear', { name, if_match });
    expect(await globals(name)).toEqual({});
    expect(await send('globals.clear', { name, if_match: '"old"' })).toMatchObject({
      left: { code: 'precondition_failed' },
    });
  });

  test('one key is read; a stored null is a value, a missing key is not found', async () => {
    const { send } = make('busy');
    const patch = { a: null, 'x/y': [1] };
    await send('globals.patch', { name: 'busy', if_match: null, style: 'shallow', patch });
    const whole = await send('globals.read', { name: 'busy' });
    const { etag } = E.toUnion(whole) as { readonly etag: string };
    expect(await send('globals.read_key', { name: 'busy', key: 'a' })).toEqual(
      E.right({ value: null, etag }),
    );
    expect(await send('globals.read_key', { name: 'busy', key: 'x/y' })).toEqual(
      E.right({ value: [1], etag }),
    );
    for (const key of ['b', 'toString', '__proto__', '']) {
      expect(await send('globals.read_key', { name: 'busy', key })).toMatchObject({
        left: { code: 'not_found' },
      });
    }
  });

  test('what a thread says of a scenario that is in no list any more is heard', async () => {
    const { send } = make();
    expect(await send('cells.give_back', { name: 'gone', last: null })).toEqual(E.right(null));
    expect(await send('globals.read', { name: 'gone' })).toMatchObject({ left: { code: 'not_found' } });
  });

  test('a scenario that no generator names does not exist', async () => {
    const { send } = make('busy');
    expect(await send('globals.read', { name: 'quiet' })).toMatchObject({
      left: { code: 'not_found', message: expect.stringContaining('"quiet"') },
    });
  });

  test('scenarios see nothing of each other', async () => {
    const { send, globals } = make('busy', 'quiet');
    await send('globals.patch', { name: 'busy', if_match: null, style: 'shallow', patch: { a: 1 } });
    expect(await globals('quiet')).toEqual({});
  });

  test('a scenario whose actor failed is made anew from its files, and the others live on', async () => {
    const { actor, send, globals, log } = make('busy', 'quiet');
    await send('globals.patch', { name: 'busy', if_match: null, style: 'shallow', patch: { a: 1 } });
    // The queue of a keeper is full, and the reply that says so throws.
    const { link } = replicaLink();
    const hanging = { ...link, replicate: () => new Promise<void>(() => {}) };
    void send('cells.subscribe', { name: 'busy', link: hanging });
    const reply = (): never => {
      throw new Error('thrown on purpose');
    };
    for (let n = 0; n < 1_000; n++) actor.send({ type: 'globals.read', payload: { name: 'busy' }, reply });
    await settle();
    expect(log).toMatchObject([
      { level: 'critical', context: { scenario: 'busy', reason: 'thrown on purpose' } },
    ]);
    expect(await globals('busy')).toEqual({ a: 1 });
    expect(await globals('quiet')).toEqual({});
    expect(actor.getSnapshot().status).toBe('active');
  });
});
