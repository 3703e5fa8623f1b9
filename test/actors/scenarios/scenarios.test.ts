import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { createActor } from 'xstate';
import { askActors } from '../../../actors/ask.js';
import { type ScenariosInput, scenariosLogic } from '../../../actors/scenarios/scenarios.js';
import { globalsFiles } from '../../../actors/scenarios/store.js';
import { failure } from '../../../src/domain/errors.js';
import type { GlobalsChange } from '../../../src/domain/globals/globals.js';
import { fakeClock } from '../../support/clocks/fakeClock.js';

import { memoryLog } from '../../support/logs.js';
import { type Disk, memoryFiles } from '../../support/memoryFiles.js';
import { settle } from '../../support/pipelines/scriptedHost.js';
import { replicaLink } from './parts.js';

const make = (...names: readonly string[]) => makeOver(new Map(), {}, ...names);

/** Scenarios over these files. */
const makeOver = (disk: Disk, more: Partial<ScenariosInput>, ...names: readonly string[]) => {
  const { log, lines } = memoryLog();
  const store = globalsFiles(memoryFiles(disk), '/state/globals');
  const listed = new Set(names);
  const renameMembers: ScenariosInput['renameMembers'] = async (name, to) => {
    listed.delete(name);
    listed.add(to);
    return E.right(null);
  };
  const input = { names: () => listed, store, renameMembers, log, now: () => 0, ...more };
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

describe('a scenario that is renamed', () => {
  const FAILED = E.left(failure('unwritable', 'the disk is full'));

  test('has its globals under the new name only, with the changes of the journal', async () => {
    const disk: Disk = new Map();
    const { send, change, globals } = makeOver(disk, {}, 'old');
    await change('old', { kind: 'shallow', values: { a: 1 } });
    await change('old', { kind: 'shallow', values: { b: 2 } });
    expect(await send('scenarios.rename', { name: 'old', to: 'new' })).toEqual(E.right(null));
    expect(await globals('new')).toEqual({ a: 1, b: 2 });
    expect(await globals('old')).toMatchObject({ code: 'not_found' });
    await change('new', { kind: 'shallow', values: { c: 3 } });
    expect([...disk.keys()].filter((path) => path.includes('old'))).toEqual([]);
    // As after a restart.
    expect(await makeOver(disk, {}, 'new').globals('new')).toEqual({ a: 1, b: 2, c: 3 });
  });

  test('keeps globals and name when the list cannot be written', async () => {
    const disk: Disk = new Map();
    const { send, change, globals } = makeOver(disk, { renameMembers: async () => FAILED }, 'old');
    await change('old', { kind: 'shallow', values: { a: 1 } });
    expect(await send('scenarios.rename', { name: 'old', to: 'new' })).toEqual(FAILED);
    expect([...disk.keys()].filter((path) => path.includes('new'))).toEqual([]);
    await change('old', { kind: 'shallow', values: { b: 2 } });
    expect(await globals('old')).toEqual({ a: 1, b: 2 });
  });

  test('is found under the former name after a crash before the list has the new one, and renamed again', async () => {
    const disk: Disk = new Map();
    const never = new Promise<never>(() => {});
    const crashed = makeOver(disk, { renameMembers: () => never }, 'old');
    await crashed.change('old', { kind: 'shallow', values: { a: 1 } });
    void crashed.send('scenarios.rename', { name: 'old', to: 'new' });
    await settle();
    expect([...disk.keys()].some((path) => path.includes('new'))).toBe(true);
    const { send, globals } = makeOver(disk, {}, 'old');
    expect(await globals('old')).toEqual({ a: 1 });
    expect(await send('scenarios.rename', { name: 'old', to: 'new' })).toEqual(E.right(null));
    expect(await globals('new')).toEqual({ a: 1 });
  });

  test('takes no name that a scenario or saved globals have', async () => {
    const disk: Disk = new Map();
    const { send, change, globals } = makeOver(disk, {}, 'old', 'other');
    await makeOver(disk, {}, 'gone').change('gone', { kind: 'shallow', values: { x: 1 } });
    await change('old', { kind: 'shallow', values: { a: 1 } });
    for (const to of ['old', 'other', 'gone'])
      expect(await send('scenarios.rename', { name: 'old', to })).toMatchObject({
        left: { code: 'already_exists' },
      });
    expect(await send('scenarios.rename', { name: 'nobody', to: 'new' })).toMatchObject({
      left: { code: 'not_found' },
    });
    expect(await globals('old')).toEqual({ a: 1 });
    expect(await makeOver(disk, {}, 'gone').globals('gone')).toEqual({ x: 1 });
  });

  test('takes over a name whose globals are empty, whatever their journal was', async () => {
    const disk: Disk = new Map();
    const before = makeOver(disk, {}, 'gone');
    for (const x of [1, 2, 3]) await before.change('gone', { kind: 'shallow', values: { x } });
    await before.change('gone', { kind: 'replace', values: {} });
    const { send, change, globals } = makeOver(disk, {}, 'old');
    await change('old', { kind: 'shallow', values: { a: 1 } });
    expect(await send('scenarios.rename', { name: 'old', to: 'gone' })).toEqual(E.right(null));
    await change('gone', { kind: 'shallow', values: { b: 2 } });
    expect(await globals('gone')).toEqual({ a: 1, b: 2 });
    expect(await makeOver(disk, {}, 'gone').globals('gone')).toEqual({ a: 1, b: 2 });
  });

  test('stays while a thread has its globals, and is renamed once it has given them back', async () => {
    const { send, globals } = makeOver(new Map(), {}, 'old');
    const { link } = replicaLink();
    await send('globals_owner.lend', { name: 'old', link });
    expect(await send('scenarios.rename', { name: 'old', to: 'new' })).toMatchObject({
      left: { code: 'wrong_state', message: expect.stringContaining('stop all its members') },
    });
    await send('globals_owner.give_back', { name: 'old', last: { text: '{"a":1}', changeNumber: 7 } });
    expect(await send('scenarios.rename', { name: 'old', to: 'new' })).toEqual(E.right(null));
    expect(await globals('new')).toEqual({ a: 1 });
  });

  test('has requests wait until it has one name: none reads or changes half of it', async () => {
    const disk: Disk = new Map();
    let resolve = (): void => {};
    const written = new Promise<void>((settled) => {
      resolve = settled;
    });
    const names = new Set(['old']);
    const { send, change, globals } = makeOver(disk, {
      names: () => names,
      renameMembers: async () => {
        await written;
        names.delete('old');
        names.add('new');
        return E.right(null);
      },
    });
    await change('old', { kind: 'shallow', values: { a: 1 } });
    const renamed = send('scenarios.rename', { name: 'old', to: 'new' });
    await settle();
    const late = change('old', { kind: 'shallow', values: { late: true } });
    const lent = send('globals_owner.lend', { name: 'new', link: replicaLink().link });
    expect(await send('scenarios.rename', { name: 'old', to: 'third' })).toMatchObject({
      left: { code: 'wrong_state' },
    });
    resolve();
    expect(await renamed).toEqual(E.right(null));
    expect(await late).toMatchObject({ left: { code: 'not_found' } });
    expect(await lent).toMatchObject({ right: { values: { a: 1 } } });
    expect(await globals('old')).toMatchObject({ code: 'not_found' });
  });

  test('stays in a cluster', async () => {
    const store = { ...globalsFiles(memoryFiles(new Map()), '/state'), remove: null };
    const { send } = makeOver(new Map(), { store }, 'old');
    expect(await send('scenarios.rename', { name: 'old', to: 'new' })).toMatchObject({
      left: { code: 'wrong_state', message: expect.stringContaining('cluster') },
    });
  });
});
