import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { createActor } from 'xstate';
import { askActors } from '../../../actors/ask.js';
import { scenariosLogic } from '../../../actors/scenarios/scenarios.js';
import { globalsFiles } from '../../../actors/scenarios/store.js';
import type { GlobalsChange } from '../../../src/domain/globals/globals.js';
import { fakeClock } from '../../support/clocks/fakeClock.js';

import { memoryLog } from '../../support/logs.js';
import { memoryFiles } from '../../support/memoryFiles.js';
import { settle } from '../../support/pipelines/scriptedHost.js';
import { replicaLink } from './parts.js';

const make = (...names: readonly string[]) => {
  const { log, lines } = memoryLog();
  const store = globalsFiles(memoryFiles(new Map()), '/state/globals');
  const input = { names: () => new Set(names), store, log, now: () => 0 };
  const actor = createActor(scenariosLogic, { input }).start();
  const send = askActors(() => actor as never, fakeClock());
  const change = (name: string, wanted: GlobalsChange, if_match: string | null = null) =>
    send('globals.change', { name, change: wanted, if_match, user: 'ann' });
  const globals = async (name: string): Promise<unknown> => {
    const answer = await send('globals.read', { name });
    return E.isRight(answer) ? answer.right.globals : answer.left;
  };
  return { actor, send, change, globals, log: lines };
};

describe('scenarios', () => {
  test('each request of the API does what it says', async () => {
    const { change, globals } = make('busy');
    const name = 'busy';
    await change(name, { kind: 'shallow', values: { a: { x: 1 }, b: null } });
    expect(await globals(name)).toEqual({ a: { x: 1 }, b: null });
    await change(name, { kind: 'rfc7386', values: { a: { y: 2 }, b: null } });
    expect(await globals(name)).toEqual({ a: { x: 1, y: 2 } });
    await change(name, { kind: 'replace', values: { c: 1, d: 2 } });
    await change(name, { kind: 'delete_key', key: 'c' });
    expect(await globals(name)).toEqual({ d: 2 });
    await change(name, { kind: 'replace', values: {} });
    expect(await globals(name)).toEqual({});
    expect(await change(name, { kind: 'replace', values: {} }, '"old"')).toMatchObject({
      left: { code: 'precondition_failed' },
    });
  });

  test('one key is read; a stored null is a value, a missing key is not found', async () => {
    const { send, change } = make('busy');
    const patch = { a: null, 'x/y': [1] };
    await change('busy', { kind: 'shallow', values: patch });
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

  test('a thread may give back the globals of a scenario that is no longer listed', async () => {
    const { send } = make();
    expect(await send('globals_owner.give_back', { name: 'gone', last: null })).toEqual(E.right(null));
    expect(await send('globals.read', { name: 'gone' })).toMatchObject({ left: { code: 'not_found' } });
  });

  test('a scenario that no generator names does not exist', async () => {
    const { send } = make('busy');
    expect(await send('globals.read', { name: 'quiet' })).toMatchObject({
      left: { code: 'not_found', message: expect.stringContaining('"quiet"') },
    });
  });

  test('scenarios see nothing of each other', async () => {
    const { change, globals } = make('busy', 'quiet');
    await change('busy', { kind: 'shallow', values: { a: 1 } });
    expect(await globals('quiet')).toEqual({});
  });

  test('a failed scenario actor is restarted from its files, and the others keep running', async () => {
    const { actor, send, change, globals, log } = make('busy', 'quiet');
    await change('busy', { kind: 'shallow', values: { a: 1 } });
    // The queue of a store is full, and the reply that says so throws.
    const { link } = replicaLink();
    const hanging = { ...link, replicate: () => new Promise<void>(() => {}) };
    void send('globals_owner.subscribe', { name: 'busy', link: hanging });
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
