import { describe, expect, test } from '@jest/globals';
import type { Auth } from '../../../src/http/access/auth.js';
import { sessionStore } from '../../../src/http/access/sessionStore.js';
import { SESSION_LIMITS } from '../../../src/http/access/sessions.js';
import { type FakeClock, fakeClock } from '../../support/clocks/fakeClock.js';
import { type Disk, type MemoryFiles, memoryFiles } from '../../support/memoryFiles.js';
import { memoryLog, oneUser } from '../support.js';

const { idle_ms, absolute_ms } = SESSION_LIMITS;
const FILE = '/state/sessions.json';
const ANN: Auth = oneUser('ann', 'p:w');
const NONE: Auth = { kind: 'none', isRemoteAllowed: false };

let drawn = 0;
const drawToken = (): string => `token-of-the-test-${drawn++}`;

/** A process with a store; the disk outlives it, and the wall clock goes on. */
const boot = (disk: Disk, clock: FakeClock, files: MemoryFiles = memoryFiles(disk)) => {
  const log = memoryLog();
  return { ...sessionStore({ files, folder: '/state', clock, drawToken, log }), log, files };
};

/** The clock of the next process: its monotonic one begins anew. */
const nextClock = (clock: FakeClock, later_ms = 0): FakeClock => fakeClock(clock.now() + later_ms * 1_000);

/** A process in which a session was begun, ended in good order. */
const withSession = async (auth: Auth = ANN) => {
  const [disk, clock]: [Disk, FakeClock] = [new Map(), fakeClock()];
  const first = boot(disk, clock);
  const id = (await first.open(auth)).begin('ann');
  await first.flush();
  return { disk, clock, id };
};

const livesAfter = async (disk: Disk, clock: FakeClock, id: string, auth: Auth = ANN): Promise<boolean> =>
  (await boot(disk, clock).open(auth)).use(id);

describe('a session over a restart', () => {
  test('lives on, and is saved without its id and without the password', async () => {
    const { disk, clock, id } = await withSession();
    expect(disk.get(FILE)).not.toMatch(/token-|p:w/);
    expect(disk.get(FILE)).toContain('scrypt$');
    expect(await livesAfter(disk, nextClock(clock), id)).toBe(true);
    expect(await livesAfter(disk, nextClock(clock), `${id}x`)).toBe(false);
  });

  test('lives on after a crash', async () => {
    const [disk, clock]: [Disk, FakeClock] = [new Map(), fakeClock()];
    const first = boot(disk, clock);
    const sessions = await first.open(ANN);
    const id = sessions.begin('ann');
    // Ends once both are saved; nothing is flushed.
    await sessions.end(sessions.begin('ann'));
    first.files.crash();
    expect(await livesAfter(disk, nextClock(clock), id)).toBe(true);
  });

  test('is over where it was ended, also when the process is killed right after', async () => {
    const [disk, clock]: [Disk, FakeClock] = [new Map(), fakeClock()];
    const first = boot(disk, clock);
    const sessions = await first.open(ANN);
    const id = sessions.begin('ann');
    await sessions.end(id);
    first.files.crash();
    expect(await livesAfter(disk, nextClock(clock), id)).toBe(false);
  });

  test('ends when it would have ended without one', async () => {
    const { disk, clock, id } = await withSession();
    expect(await livesAfter(disk, nextClock(clock, idle_ms - 1), id)).toBe(true);
    expect(await livesAfter(disk, nextClock(clock, idle_ms), id)).toBe(false);
    const used = nextClock(clock, idle_ms - 1);
    const second = boot(disk, used);
    expect((await second.open(ANN)).use(id)).toBe(true);
    await second.flush();
    expect(await livesAfter(disk, nextClock(used, idle_ms - 1), id)).toBe(true);
    expect(await livesAfter(disk, nextClock(used, absolute_ms - idle_ms + 1), id)).toBe(false);
  });

  test('gains nothing from a clock that is set back before, or in between', async () => {
    const [disk, clock]: [Disk, FakeClock] = [new Map(), fakeClock()];
    const first = boot(disk, clock);
    const id = (await first.open(ANN)).begin('ann');
    await clock.advanceMs(idle_ms / 2);
    clock.setWall(clock.now() - 10 * absolute_ms * 1_000);
    await first.flush();
    expect(await livesAfter(new Map(disk), nextClock(clock, idle_ms / 2 - 1), id)).toBe(true);
    expect(await livesAfter(new Map(disk), nextClock(clock, idle_ms / 2), id)).toBe(false);
    expect(await livesAfter(new Map(disk), nextClock(clock, -60_000), id)).toBe(false);
  });

  test.each<[string, Auth]>([
    ['another password', oneUser('ann', 'p:x')],
    ['another user', oneUser('bob', 'p:w')],
    ['the colon elsewhere', oneUser('ann:p', 'w')],
    ['no credentials', NONE],
  ])('is over with %s, also when they are changed back', async (_name, auth) => {
    const { disk, clock, id } = await withSession();
    expect(await livesAfter(disk, nextClock(clock), id, auth)).toBe(false);
    expect(await livesAfter(disk, nextClock(clock), id)).toBe(false);
  });

  test.each([
    ['no JSON', 'x'],
    ['another form', '{"credentials": 1}'],
    ['a password that is no hash', '{"credentials":"ann","saved_at_ms":1,"sessions":[]}'],
  ])('a file with %s is no session, and no hindrance', async (_name, text) => {
    const disk: Disk = new Map([[FILE, text]]);
    const clock = fakeClock();
    const store = boot(disk, clock);
    const id = (await store.open(ANN)).begin('ann');
    await store.flush();
    expect(await livesAfter(disk, nextClock(clock), id)).toBe(true);
  });

  test('a file that says that a session is used in the future is not believed', async () => {
    const { disk, clock, id } = await withSession();
    const later = clock.now() / 1_000 + 10 * absolute_ms;
    disk.set(FILE, (disk.get(FILE) ?? '').replace(/"used_ms":[\d.]+/, `"used_ms":${later}`));
    expect(await livesAfter(disk, nextClock(clock), id)).toBe(false);
  });
});

describe('the store', () => {
  test('gives the same sessions to the next listener with the same credentials', async () => {
    const store = boot(new Map(), fakeClock());
    const sessions = await store.open(ANN);
    const id = sessions.begin('ann');
    expect(await store.open({ ...ANN })).toBe(sessions);
    expect((await store.open(oneUser('ann', 'new'))).use(id)).toBe(false);
  });

  test('saves what is used at most once a minute', async () => {
    const clock = fakeClock();
    const store = boot(new Map(), clock);
    const sessions = await store.open(ANN);
    const id = sessions.begin('ann');
    await store.flush();
    const before = store.files.writes();
    for (let second = 0; second < 119; second++) {
      await clock.advanceMs(1_000);
      sessions.use(id);
    }
    await clock.settle();
    expect(store.files.writes() - before).toBe(1);
  });

  test('keeps sessions in memory where nothing can be written, and says so once', async () => {
    const store = boot(new Map(), fakeClock());
    store.files.failWrites('no space left');
    const sessions = await store.open(ANN);
    const [one, other] = [sessions.begin('ann'), sessions.begin('ann')];
    await store.flush();
    await sessions.end(other);
    expect([sessions.use(one), sessions.use(other)]).toEqual([true, false]);
    expect(store.log.lines).toMatchObject([
      { level: 'warning', message: expect.stringContaining('cannot be saved') },
    ]);
  });

  test('reads and writes nothing without a login', async () => {
    const store = boot(new Map(), fakeClock());
    await store.open(ANN);
    await store.flush();
    expect(store.files.writes()).toBe(0);
  });
});
