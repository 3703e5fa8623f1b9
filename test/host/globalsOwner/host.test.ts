import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { etagOf } from '../../../src/domain/etag.js';
import { changesOf } from '../../../src/domain/globals/globals.js';
import { MAX_GLOBALS_LENGTH } from '../../../src/domain/globals/owned.js';
import type { Json, JsonObject } from '../../../src/domain/json.js';
import { globalsOwner } from '../../../src/host/globalsOwner.js';
import type { FromWorker } from '../../../src/host/protocol.js';
import { fakeClock } from '../../support/clocks/fakeClock.js';
import { memoryLog } from '../../support/logs.js';

const make = () => {
  const posted: FromWorker[] = [];
  const clock = fakeClock();
  const { log, lines } = memoryLog();
  const ending = new AbortController();
  const host = globalsOwner({ post: (message) => posted.push(message), clock, log, signal: ending.signal });
  const take = (scenario: string, values: JsonObject = {}, changeNumber = 0): void =>
    host.handle({ type: 'owner.host', state: { scenario, values, changeNumber } });
  const copy = (scenario: string, values: JsonObject): void =>
    host.handle({ type: 'owner.replica', request: 9, state: { scenario, values, changeNumber: 0 } });
  const saves = () => posted.filter(({ type }) => type === 'owner.changed');
  return { ...host, posted, saves, clock, log: lines, ending, take, copy };
};

describe('globals of a thread', () => {
  test('a change is answered after every member sees it', () => {
    const { handle, take, viewOf, posted } = make();
    take('busy', { mode: 'calm' }, 3);
    const views = [viewOf(['busy']), viewOf(['busy', 'other'])];
    handle({
      type: 'globals.change',
      name: 'busy',
      change: { kind: 'shallow', values: { mode: 'storm' } },
      number: 4,
      if_match: null,
      request: 17,
    });
    expect(posted).toEqual([
      {
        type: 'globals.answer',
        request: 17,
        answer: E.right({
          etag: etagOf('{"mode":"storm"}'),
          text: JSON.stringify(changesOf({ mode: 'calm' }, { mode: 'storm' })),
        }),
      },
    ]);
    expect(views.map((view) => view.get('mode'))).toEqual(['storm', 'storm']);
  });

  test('a read is the state of this moment', () => {
    const { handle, take, viewOf, posted } = make();
    take('busy');
    viewOf(['busy']).set('count', 1);
    handle({ type: 'globals.read', name: 'busy', request: 1 });
    expect(posted).toMatchObject([{ request: 1, answer: { right: { text: '{"count":1}' } } }]);
  });

  test('globals that are not here are "unavailable"', () => {
    const { handle, posted } = make();
    handle({ type: 'globals.read', name: 'busy', request: 1 });
    expect(posted).toMatchObject([{ answer: { left: { code: 'unavailable' } } }]);
  });

  test('generators without a scenario have globals of their own each', () => {
    const { viewOf } = make();
    const [one, other] = [viewOf([]), viewOf([])];
    one.set('x', 1);
    expect(other.has('x')).toBe(false);
  });

  test('two scenarios on one thread see nothing of each other unless they are named', () => {
    const { take, viewOf } = make();
    take('busy', { a: 1 });
    take('other', { b: 2 });
    expect(viewOf(['busy']).get('b')).toBeNull();
    expect(viewOf(['busy', 'other']).get('b')).toBe(2);
  });
});

describe('saving', () => {
  test('tells what scripts changed once a second, not more often, and not what did not change', async () => {
    const { take, viewOf, saves, clock } = make();
    take('busy', {}, 5);
    take('quiet', { a: 1 });
    const view = viewOf(['busy']);
    for (let n = 1; n <= 100; n++) view.set('n', n);
    await clock.advanceMs(999);
    expect(saves()).toEqual([]);
    await clock.advanceMs(1);
    expect(saves()).toEqual([
      { type: 'owner.changed', scenario: 'busy', changeNumber: 5, text: '{"n":100}' },
    ]);
    await clock.advanceMs(10_000);
    expect(saves()).toHaveLength(1);
  });

  test('tells of an object that a script changed in place', async () => {
    const { take, viewOf, saves, clock } = make();
    take('busy', { list: [1] });
    (viewOf(['busy']).get('list') as number[]).push(2);
    await clock.advanceMs(1_000);
    expect(saves()).toMatchObject([{ text: '{"list":[1,2]}' }]);
  });

  test('leaves out what JSON cannot hold and says so', async () => {
    const { take, viewOf, saves, clock, log } = make();
    take('busy');
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    const view = viewOf(['busy']);
    view.set('cycle', cycle as Json);
    view.set('fine', 1);
    await clock.advanceMs(1_000);
    expect(saves()).toMatchObject([{ text: '{"fine":1}' }]);
    expect(log).toMatchObject([{ level: 'error', context: { reason: expect.stringContaining('cycle') } }]);
  });

  test('a state over its limit can only be made smaller until it fits', async () => {
    const { take, viewOf, clock, log } = make();
    take('busy');
    const view = viewOf(['busy']);
    view.set('big', 'x'.repeat(MAX_GLOBALS_LENGTH));
    await clock.advanceMs(1_000);
    expect(log).toMatchObject([{ level: 'error', context: { scenario: 'busy' } }]);
    expect(() => view.set('more', 1)).toThrow('delete keys first');
    view.delete('big');
    await clock.advanceMs(1_000);
    view.set('more', 1);
    expect(view.get('more')).toBe(1);
  });

  test('ends with the thread', async () => {
    const { take, viewOf, saves, clock, ending } = make();
    take('busy');
    ending.abort();
    await clock.settle();
    viewOf(['busy']).set('n', 1);
    await clock.advanceMs(10_000);
    expect(saves()).toEqual([]);
  });
});

describe('giving back', () => {
  test('tells the last state and its number, and has the globals no more', () => {
    const { handle, take, viewOf, posted } = make();
    take('busy', { a: 1 }, 8);
    viewOf(['busy']).set('b', 2);
    handle({ type: 'owner.release', scenario: 'busy' });
    expect(posted).toEqual([
      { type: 'owner.released', scenario: 'busy', text: '{"a":1,"b":2}', changeNumber: 8 },
    ]);
    handle({ type: 'globals.read', name: 'busy', request: 1 });
    expect(posted.at(-1)).toMatchObject({ answer: { _tag: 'Left' } });
  });
});

test('globals that are not here are not given back as empty ones', () => {
  const { handle, posted } = make();
  handle({ type: 'owner.release', scenario: 'busy' });
  expect(posted).toEqual([]);
});

describe('copies', () => {
  test('are answered when they are there, and views that exist see the next one', () => {
    const { copy, take, viewOf, posted } = make();
    take('busy', { own: 1 });
    copy('other', { mode: 'calm' });
    expect(posted).toMatchObject([{ type: 'globals.answer', request: 9, answer: { _tag: 'Right' } }]);
    const view = viewOf(['busy', 'other']);
    copy('other', { mode: 'storm' });
    expect(view.get('mode')).toBe('storm');
    expect(view.scenario('other')?.snapshot()).toEqual({ mode: 'storm' });
  });

  test('are never saved as if they were changed here', async () => {
    const { copy, take, viewOf, saves, clock } = make();
    take('busy');
    copy('other', { list: [1] });
    viewOf(['busy', 'other']).get('list');
    await clock.advanceMs(1_000);
    expect(saves()).toEqual([]);
  });
});
