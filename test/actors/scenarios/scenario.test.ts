import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { etagOf } from '../../../src/domain/etag.js';
import { type Disk, memoryFiles } from '../../support/memoryFiles.js';
import { settle } from '../../support/pipelines/scriptedHost.js';
import { FOLDER, makeScenario, makeThread, NAME, replicaLink, scriptedLink } from './parts.js';

const JOURNAL = `${FOLDER}/${NAME}.journal`;
const STATE = `${FOLDER}/${NAME}.json`;

const make = (disk: Disk = new Map()) => {
  const files = memoryFiles(disk);
  return { disk, files, scenario: makeScenario(files) };
};
const globals = async (scenario: ReturnType<typeof makeScenario>): Promise<unknown> => {
  const answer = await scenario.read();
  return E.isRight(answer) ? answer.right.globals : answer.left;
};
/** The globals as a new process finds them. */
const afterRestart = (disk: Disk): Promise<unknown> => globals(make(disk).scenario);

const lent = async (disk: Disk = new Map()) => {
  const made = make(disk);
  const thread = makeThread(made.scenario);
  await thread.take();
  await settle();
  return { ...made, thread };
};

describe('while no member runs', () => {
  test('is empty at first, with the entity tag of an empty object', async () => {
    const { scenario } = make();
    expect(await scenario.read()).toEqual(E.right({ etag: etagOf('{}'), globals: {} }));
  });

  test('a change is answered with the entity tag that the next read has', async () => {
    const { scenario } = make();
    const changed = await scenario.patch({ a: 1, b: [null] });
    const read = await scenario.read();
    expect(read).toMatchObject({ right: { globals: { a: 1, b: [null] } } });
    expect(changed).toEqual(E.map(({ etag }: { etag: string }) => ({ etag }))(read));
  });

  test('every kind of change applies, in order', async () => {
    const { scenario } = make();
    await scenario.patch({ a: { x: 1, y: 2 }, b: 1, c: 1 });
    await scenario.change({ kind: 'rfc7386', values: { a: { x: null }, c: null } });
    await scenario.change({ kind: 'delete_key', key: 'b' });
    expect(await globals(scenario)).toEqual({ a: { y: 2 } });
    await scenario.change({ kind: 'replace', values: { z: 0 } });
    expect(await globals(scenario)).toEqual({ z: 0 });
  });

  test('a change for another version is refused and leaves no trace', async () => {
    const { scenario, disk } = make();
    await scenario.patch({ a: 1 });
    const journal = disk.get(JOURNAL);
    expect(await scenario.patch({ a: 2 }, '"other"')).toMatchObject({
      left: { code: 'precondition_failed' },
    });
    expect(await globals(scenario)).toEqual({ a: 1 });
    expect(disk.get(JOURNAL)).toBe(journal);
  });

  test('a change that cannot be journalled is refused and taken back', async () => {
    const { scenario, disk, files } = make();
    await scenario.patch({ a: 1 });
    files.failWrites('disk full');
    expect(await scenario.patch({ a: 2 })).toEqual(E.left({ code: 'unwritable', message: 'disk full' }));
    expect(await globals(scenario)).toEqual({ a: 1 });
    files.failWrites(null);
    await scenario.patch({ b: 1 });
    expect(await globals(scenario)).toEqual({ a: 1, b: 1 });
    expect(await afterRestart(disk)).toEqual({ a: 1, b: 1 });
  });

  test('a key "__proto__" is a key like any other, also after a restart', async () => {
    const { scenario, disk } = make();
    const values = JSON.parse('{"__proto__": {"polluted": true}}');
    await scenario.patch(values);
    expect(JSON.stringify(await globals(scenario))).toBe('{"__proto__":{"polluted":true}}');
    expect(JSON.stringify(await afterRestart(disk))).toBe('{"__proto__":{"polluted":true}}');
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});

describe('while a thread owns the globals', () => {
  test('a change is on the thread when it is answered', async () => {
    const { scenario, thread } = await lent();
    await scenario.patch({ mode: 'storm' });
    expect(thread.view().get('mode')).toBe('storm');
  });

  test('a read shows what scripts wrote a moment ago', async () => {
    const { scenario, thread } = await lent();
    thread.view().set('count', 3);
    expect(await globals(scenario)).toEqual({ count: 3 });
  });

  test('a read does not wait for the journal of a change', async () => {
    const files = memoryFiles(new Map());
    let release = (): void => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const scenario = makeScenario({
      ...files,
      appendText: async (path, text) => {
        await released;
        return files.appendText(path, text);
      },
    });
    const thread = makeThread(scenario);
    await thread.take();
    await settle();
    const changing = scenario.patch({ mode: 'storm' });
    await settle();
    expect(await globals(scenario)).toEqual({ mode: 'storm' });
    release();
    expect(E.isRight(await changing)).toBe(true);
  });

  test('the thread starts with earlier changes', async () => {
    const { scenario } = make();
    await scenario.patch({ mode: 'calm' });
    const thread = makeThread(scenario);
    await thread.take();
    await settle();
    expect(thread.view().get('mode')).toBe('calm');
  });

  test('a change that comes right after the globals were lent reaches the thread', async () => {
    const { scenario } = make();
    const thread = makeThread(scenario);
    const taking = thread.take();
    const changed = await scenario.patch({ mode: 'storm' });
    await taking;
    expect(E.isRight(changed)).toBe(true);
    await settle();
    expect(thread.view().get('mode')).toBe('storm');
    expect(await globals(scenario)).toEqual({ mode: 'storm' });
  });

  test('a second thread cannot have it', async () => {
    const { scenario } = await lent();
    expect(await makeThread(scenario).take()).toMatchObject({ left: { code: 'bug' } });
  });

  test('the limit and If-Match are judged on the thread', async () => {
    const { scenario, thread } = await lent();
    const read = await scenario.read();
    thread.view().set('count', 1);
    const etag = E.isRight(read) ? read.right.etag : '';
    expect(await scenario.patch({ mode: 'storm' }, etag)).toMatchObject({
      left: { code: 'precondition_failed' },
    });
    expect(await scenario.patch({ big: 'x'.repeat(17 * 1024 * 1024) })).toMatchObject({
      left: { code: 'too_large' },
    });
    expect(await globals(scenario)).toEqual({ count: 1 });
  });

  test('a change that cannot be journalled on a thread is in force, and its error says so', async () => {
    const { scenario, thread, files, disk } = await lent();
    files.failWrites('disk full');
    expect(await scenario.patch({ mode: 'storm' })).toMatchObject({
      left: { code: 'unwritable', message: expect.stringContaining('in force') },
    });
    expect(thread.view().get('mode')).toBe('storm');
    files.failWrites(null);
    await scenario.patch({ other: 1 });
    // Told by the thread before the second change: it must not take the second change's place.
    thread.view().set('count', 1);
    await thread.save();
    expect(await afterRestart(disk)).toEqual({ mode: 'storm', other: 1, count: 1 });
  });

  test('a number is not given again after a change that failed, so an older save cannot hide a later change', async () => {
    const { scenario, files, disk } = make();
    const thread = scriptedLink();
    await scenario.lend(thread.link);
    files.failWrites('disk full');
    await scenario.patch({ first: 1 });
    files.failWrites(null);
    await scenario.patch({ second: 2 });
    await scenario.noteChange({ text: '{"first":1,"count":5}', changeNumber: thread.numbers[0] ?? 0 });
    expect(await afterRestart(disk)).toEqual({ first: 1, second: 2, count: 5 });
  });
});

describe('when the thread gives the globals back', () => {
  test('the last writes of scripts stay in memory and on disk', async () => {
    const { scenario, thread, disk } = await lent();
    await scenario.patch({ mode: 'storm' });
    thread.view().set('count', 9);
    await thread.release();
    expect(await globals(scenario)).toEqual({ mode: 'storm', count: 9 });
    expect(await afterRestart(disk)).toEqual({ mode: 'storm', count: 9 });
    expect(disk.get(JOURNAL)).toBe('');
  });

  test('a change during the hand-over is answered and not lost', async () => {
    const { scenario, thread } = await lent();
    thread.view().set('count', 9);
    const released = thread.release();
    await new Promise((resolve) => setImmediate(resolve));
    const changed = await scenario.patch({ mode: 'storm' });
    await released;
    expect(E.isRight(changed)).toBe(true);
    expect(await globals(scenario)).toEqual({ mode: 'storm', count: 9 });
  });

  test('the next thread has it all', async () => {
    const { scenario, thread } = await lent();
    thread.view().set('count', 9);
    const released = thread.release();
    const changed = scenario.patch({ mode: 'storm' });
    await Promise.all([released, changed]);
    const next = makeThread(scenario);
    await next.take();
    await settle();
    expect(next.view().snapshot()).toEqual({ mode: 'storm', count: 9 });
    await scenario.patch({ more: true });
    expect(next.view().get('more')).toBe(true);
  });
});

describe('when the thread dies', () => {
  test('changes of the API survive, those of scripts up to the last report', async () => {
    const { scenario, thread } = await lent();
    await scenario.patch({ mode: 'storm' });
    thread.view().set('count', 1);
    await thread.save();
    thread.view().set('count', 2);
    await scenario.patch({ more: true });
    await thread.die();
    expect(await globals(scenario)).toEqual({ mode: 'storm', count: 1, more: true });
  });

  test('a change on its way to it is applied here instead', async () => {
    const { scenario, thread } = await lent();
    const changing = scenario.patch({ mode: 'storm' });
    thread.vanish();
    const dying = thread.die();
    expect(E.isRight(await changing)).toBe(true);
    await dying;
    expect(await globals(scenario)).toEqual({ mode: 'storm' });
  });

  test('its last report counts, even if a change came between report and receipt', async () => {
    const { scenario, thread, disk } = await lent();
    thread.view().set('count', 7);
    const saving = thread.save();
    const dying = saving.then(thread.die);
    const changed = dying.then(() => scenario.patch({ mode: 'storm' }));
    await changed;
    expect(await globals(scenario)).toEqual({ count: 7, mode: 'storm' });
    expect(await afterRestart(disk)).toEqual({ count: 7, mode: 'storm' });
  });

  test('another thread can own the globals', async () => {
    const { scenario, thread } = await lent();
    await thread.die();
    const next = makeThread(scenario);
    expect(E.isRight(await next.take())).toBe(true);
  });
});

describe('copies for other threads', () => {
  test('a subscriber has the state when it is answered, and each change before the change is answered', async () => {
    const { scenario } = make();
    await scenario.patch({ mode: 'calm' });
    const { link, states } = replicaLink();
    await scenario.subscribe(link);
    expect(states.map(({ values }) => values)).toEqual([{ mode: 'calm' }]);
    await scenario.patch({ mode: 'storm' });
    expect(states.map(({ values }) => values)).toEqual([{ mode: 'calm' }, { mode: 'storm' }]);
    await scenario.unsubscribe(link);
    await scenario.patch({ mode: 'gone' });
    expect(states).toHaveLength(2);
  });

  test('what scripts write reaches the copies with the next save and with the return of the globals', async () => {
    const { scenario, thread } = await lent();
    const { link, states } = replicaLink();
    await scenario.subscribe(link);
    thread.view().set('count', 1);
    await thread.save();
    await settle();
    expect(states.at(-1)?.values).toEqual({ count: 1 });
    thread.view().set('count', 2);
    await thread.release();
    await settle();
    expect(states.at(-1)?.values).toEqual({ count: 2 });
  });

  test('a thread reads the copy and cannot write it', async () => {
    const { scenario } = make();
    const guest = makeThread(scenario);
    await scenario.patch({ mode: 'calm', list: [1] });
    await scenario.subscribe(guest.link);
    const view = guest.guestView();
    expect(view.get('mode')).toBe('calm');
    (view.get('list') as unknown as number[]).push(2);
    view.set('mode', 'own');
    expect(await globals(scenario)).toEqual({ mode: 'calm', list: [1] });
    await scenario.patch({ mode: 'storm' });
    expect(view.scenario(NAME)?.get('mode')).toBe('storm');
    expect(view.scenario(NAME)?.get('list')).toEqual([1]);
    expect(view.get('mode')).toBe('own');
  });
});

describe('the journal', () => {
  test('does not grow without bound: after a thousand changes the state is saved whole', async () => {
    const { scenario, disk } = make();
    for (let n = 0; n < 1_500; n++) await scenario.patch({ n });
    expect((disk.get(JOURNAL) ?? '').split('\n').length).toBeLessThanOrEqual(1_000);
    expect(await afterRestart(disk)).toEqual({ n: 1_499 });
  });

  test('large changes do not fill it either, also while a thread owns the globals', async () => {
    const { scenario, thread, disk } = await lent();
    for (let n = 0; n < 8; n++) await scenario.patch({ [`k${n % 2}`]: String(n).repeat(600_000) });
    expect((disk.get(JOURNAL) ?? '').length).toBeLessThan(2_000_000);
    thread.vanish();
    const found = (await afterRestart(disk)) as Record<string, string>;
    expect([found['k0']?.[0], found['k1']?.[0]]).toEqual(['6', '7']);
  });

  test('a report from before the cut of the journal does not undo the cut', async () => {
    const { scenario, disk } = make();
    const thread = scriptedLink();
    await scenario.lend(thread.link);
    for (let n = 0; n < 1_000; n++) await scenario.patch({ n });
    expect(disk.get(JOURNAL)).toBe('');
    await scenario.noteChange({ text: '{"n":998}', changeNumber: thread.numbers[998] ?? 0 });
    expect(await afterRestart(disk)).toEqual({ n: 999 });
  });

  test('is not cut while a thread is giving back what only it knows', async () => {
    const { scenario, disk } = make();
    const thread = scriptedLink();
    await scenario.lend(thread.link);
    for (let n = 0; n < 999; n++) await scenario.patch({ n });
    thread.leave();
    await scenario.patch({ n: 999 });
    await scenario.giveBack({ text: '{"n":998,"count":5}', changeNumber: thread.numbers[998] ?? 0 });
    expect(await globals(scenario)).toEqual({ n: 999, count: 5 });
    expect(await afterRestart(disk)).toEqual({ n: 999, count: 5 });
  });

  test('a save that fails loses nothing: the journal stays whole', async () => {
    const { scenario, thread, files, disk } = await lent();
    await scenario.patch({ mode: 'storm' });
    thread.view().set('count', 1);
    files.failWrites('disk full');
    await thread.save();
    await settle();
    files.failWrites(null);
    await scenario.patch({ more: true });
    expect(await afterRestart(disk)).toEqual({ mode: 'storm', more: true });
    expect(scenario.log).toContainEqual(
      expect.objectContaining({ level: 'error', message: 'globals could not be saved' }),
    );
    await thread.release();
    expect(await afterRestart(disk)).toEqual({ mode: 'storm', more: true, count: 1 });
    expect(disk.get(JOURNAL)).toBe('');
  });

  test('a torn last line was never answered; it is cut off so that the next change is readable', async () => {
    const disk: Disk = new Map();
    await make(disk).scenario.patch({ a: 1 });
    disk.set(JOURNAL, `${disk.get(JOURNAL)}{"number":2,"chan`);
    const second = make(disk);
    expect(await globals(second.scenario)).toEqual({ a: 1 });
    await second.scenario.patch({ b: 2 });
    expect(await afterRestart(disk)).toEqual({ a: 1, b: 2 });
  });

  test.each([
    [STATE, '{"globals":[]}\n'],
    [STATE, 'garbage'],
    [JOURNAL, 'garbage\n'],
  ])('a file that cannot be understood is named, and nothing is overwritten: %s', async (file, text) => {
    const { scenario, disk } = make(new Map([[file, text]]));
    const refused = {
      left: { code: 'unreadable', file, message: expect.stringContaining('move the file away') },
    };
    expect(await scenario.read()).toMatchObject(refused);
    expect(await scenario.patch({ a: 1 })).toMatchObject(refused);
    expect(disk.get(file)).toBe(text);
  });
});
