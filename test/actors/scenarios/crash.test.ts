import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import { type Disk, memoryFiles } from '../../support/memoryFiles.js';
import { settle } from '../../support/pipelines/scriptedHost.js';
import { makeScenario, makeThread } from './parts.js';

/** What may happen to a scenario; what needs a thread does nothing without one. */
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('patch' as const), key: fc.nat({ max: 2 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('script' as const, 'save' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('take' as const, 'release' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('die' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constantFrom('fail writes' as const, 'mend writes' as const) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constantFrom('read' as const, 'turn' as const, 'settle' as const) }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** Values that were sent for each key, in order, and the last of them that was answered. */
const ledger = () => {
  let value = 0;
  const sent = new Map<string, number[]>();
  const answered = new Map<string, number>();
  return {
    send: (key: string): number => {
      value++;
      sent.set(key, [...(sent.get(key) ?? []), value]);
      return value;
    },
    answer: (key: string, given: number): void => void answered.set(key, given),
    answered: (): ReadonlyMap<string, number> => new Map(answered),
    /** Every answered value is there, unless a later one took its place. */
    check: (globals: unknown, answers: ReadonlyMap<string, number> = answered): void => {
      const found = globals as Readonly<Record<string, number>>;
      for (const [key, least] of answers) {
        expect(found[key]).toBeGreaterThanOrEqual(least);
        expect(sent.get(key)).toContain(found[key]);
      }
    },
  };
};

/** Runs the steps against one process over the disk until they end or the process dies. */
const live = async (
  disk: Disk,
  steps: readonly Step[],
  crash: { readonly at: number; readonly share: number; readonly isReplaced: boolean },
  book: ReturnType<typeof ledger>,
): Promise<void> => {
  const files = memoryFiles(disk, crash.at, crash);
  const scenario = makeScenario(files);
  let thread: ReturnType<typeof makeThread> | null = null;
  /** The thread on which the globals have arrived. */
  let hosting: ReturnType<typeof makeThread> | null = null as ReturnType<typeof makeThread> | null;
  let scripted = 0;
  const reads: { readonly globals: unknown; readonly before: ReadonlyMap<string, number> }[] = [];
  /** A hand-over in progress; the host never begins another before it is over. */
  let moving: Promise<unknown> = Promise.resolve();
  for (const { kind, ...more } of steps) {
    if (files.hasCrashed()) break;
    if (kind === 'patch') {
      const key = `k${'key' in more ? more.key : 0}`;
      const value = book.send(key);
      void scenario.patch({ [key]: value }).then((answer) => {
        if (E.isRight(answer)) book.answer(key, value);
      });
    }
    if (kind === 'read') {
      const before = book.answered();
      void scenario.read().then((answer) => {
        if (E.isRight(answer)) reads.push({ globals: answer.right.globals, before });
      });
    }
    if (kind === 'turn') await new Promise((resolve) => setImmediate(resolve));
    if (kind === 'settle') await settle();
    if (kind === 'fail writes') files.failWrites('disk full');
    if (kind === 'mend writes') files.failWrites(null);
    if (kind === 'take' && thread === null) {
      await Promise.race([moving, settle()]);
      thread = makeThread(scenario);
      const arrived = thread;
      moving = thread.take().then(async () => {
        await settle(1);
        hosting = arrived;
      });
    }
    if (thread === null) continue;
    if (kind === 'script' && hosting === thread) thread.view().set('script', ++scripted);
    if (kind === 'save') void thread.save();
    if (kind !== 'release' && kind !== 'die') continue;
    await Promise.race([moving, settle()]);
    moving = kind === 'release' ? thread.release() : thread.die();
    thread = null;
  }
  await settle(40);
  files.crash();
  thread?.vanish();
  for (const { globals, before } of reads) book.check(globals, before);
};

const globalsOn = async (disk: Disk): Promise<unknown> => {
  const answer = await makeScenario(memoryFiles(disk)).read();
  expect(answer).toMatchObject({ _tag: 'Right' });
  return E.isRight(answer) ? answer.right.globals : null;
};

const crashes = fc.record({
  at: fc.integer({ min: 1, max: 25 }),
  share: fc.double({ min: 0, max: 1, noNaN: true }),
  isReplaced: fc.boolean(),
});

describe('no crash loses an answered change', () => {
  test('over any interleaving of changes, script saves, hand-overs, lost threads, failing writes and two crashes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 5, maxLength: 30 }),
        crashes,
        fc.array(step, { maxLength: 15 }),
        crashes,
        async (first, crash, second, secondCrash) => {
          const disk: Disk = new Map();
          const book = ledger();
          await live(disk, first, crash, book);
          book.check(await globalsOn(disk));
          await live(disk, second, secondCrash, book);
          book.check(await globalsOn(disk));
        },
      ),
      { numRuns: 300 },
    );
  });

  test('at every single write of a life with changes, saves and a hand-over', async () => {
    const kinds = [
      'take',
      'settle',
      'patch',
      'patch',
      'script',
      'save',
      'settle',
      'patch',
      'release',
      'settle',
      'patch',
    ] as const;
    const steps = [...kinds, 'take', 'settle', 'patch', 'script', 'save', 'settle'].map(
      (kind, key) => (kind === 'patch' ? { kind, key: key % 3 } : { kind }) as Step,
    );
    for (let at = 1; at <= 12; at++) {
      for (const share of [0, 0.5, 1]) {
        const disk: Disk = new Map();
        const book = ledger();
        await live(disk, steps, { at, share, isReplaced: share > 0 }, book);
        book.check(await globalsOn(disk));
        const next = makeScenario(memoryFiles(disk));
        expect(await next.patch({ more: at })).toMatchObject({ _tag: 'Right' });
        expect(await globalsOn(disk)).toMatchObject({ more: at });
      }
    }
  });
});
