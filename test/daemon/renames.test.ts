import { access, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import type { AskActor } from '../../actors/ask.js';
import { deadLetterFiles } from '../../src/adapters/deadLetters/files.js';
import { lockFolder } from '../../src/adapters/deadLetters/lock.js';
import { systemClock } from '../../src/adapters/systemClock.js';
import { moveGenerator } from '../../src/daemon/registration.js';
import { failure, type Result } from '../../src/domain/errors.js';
import type { StartupEntry } from '../../src/domain/generator.js';
import { inFolder } from '../adapters/directories/support.js';
import { right } from '../support/either.js';
import { memoryLog } from '../support/logs.js';

const FULL = failure('unwritable', 'the disk is full');

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** A folder of state, with a list of these ids that takes a rename as `answer` says. */
const makeState = (
  folder: string,
  listed: readonly string[],
  answer: () => Promise<Result<null>> = async () => E.right(null),
) => {
  const entries = listed.map((id) => ({ id }) as StartupEntry);
  const asked: unknown[] = [];
  const ask = (async (type: string, payload: unknown) => {
    if (type === 'startup.list') return E.right({ entries, rejected: [], warnings: [] });
    asked.push([type, payload]);
    return answer();
  }) as unknown as AskActor;
  const { log, lines } = memoryLog();
  const applied = { entries, broken: [] };
  const move = moveGenerator({ state: folder, ask, applied, log });
  const file = (id: string): string => join(folder, 'checkpoints', `${id}.json`);
  const lettersOf = (id: string): string => join(folder, 'dead-letters', id, '1-file');
  return {
    asked,
    lines,
    applied,
    move: (id: string, to: string) => move({ id, to, parts: [[id, to]] }),
    moveParts: (id: string, to: string) =>
      move({ id, to, parts: [0, 1].map((index) => [`${id}~${index}`, `${to}~${index}`] as const) }),
    save: async (id: string, text: string) => {
      await mkdir(dirname(file(id)), { recursive: true });
      await writeFile(file(id), text);
    },
    checkpoint: (id: string) => readFile(file(id), 'utf8').catch(() => null),
    letter: async (id: string, event: string) =>
      void right(await deadLetterFiles(lettersOf(id), systemClock).put([event], FULL)),
    letters: async (id: string): Promise<string> => {
      const names = await readdir(lettersOf(id)).catch(() => []);
      const texts = await Promise.all(names.map((name) => readFile(join(lettersOf(id), name), 'utf8')));
      return texts.join('');
    },
    lettersOf,
  };
};

describe('the state of a generator that is renamed', () => {
  test('goes to the new id, and nothing stays under the former one', () =>
    inFolder(async (folder) => {
      const state = makeState(folder, ['shop', 'old']);
      await state.save('old', 'position');
      await state.letter('old', 'event 1');
      expect(await state.move('old', 'new')).toEqual(E.right(null));
      expect([await state.checkpoint('old'), await state.checkpoint('new')]).toEqual([null, 'position']);
      expect(await state.letters('new')).toContain('event 1');
      expect(await exists(dirname(state.lettersOf('old')))).toBe(false);
      // No lock of the move is left.
      expect((await readdir(state.lettersOf('new'))).filter((name) => name.startsWith('.'))).toEqual([]);
      expect(state.asked).toEqual([['startup.rename', { id: 'old', to: 'new' }]]);
      expect(state.applied.entries.map(({ id }) => id)).toEqual(['shop', 'new']);
    }));

  test('goes for each partition', () =>
    inFolder(async (folder) => {
      const state = makeState(folder, ['old']);
      for (const index of [0, 1]) await state.save(`old~${index}`, `position ${index}`);
      await state.letter('old~1', 'event 1');
      expect(await state.moveParts('old', 'new')).toEqual(E.right(null));
      expect([await state.checkpoint('new~0'), await state.checkpoint('new~1')]).toEqual([
        'position 0',
        'position 1',
      ]);
      expect(await state.letters('new~1')).toContain('event 1');
      expect(await readdir(join(folder, 'checkpoints'))).toHaveLength(2);
    }));

  test('may be nothing at all, for a generator that is not listed', () =>
    inFolder(async (folder) => {
      const state = makeState(folder, ['shop']);
      expect(await state.move('old', 'new')).toEqual(E.right(null));
      expect(state.asked).toEqual([]);
      expect(await readdir(folder)).toEqual([]);
    }));

  test('stays when the startup list cannot be written', () =>
    inFolder(async (folder) => {
      const state = makeState(folder, ['old'], async () => E.left(FULL));
      await state.save('old', 'position');
      await state.letter('old', 'event 1');
      expect(await state.move('old', 'new')).toEqual(E.left(FULL));
      expect([await state.checkpoint('old'), await state.checkpoint('new')]).toEqual(['position', null]);
      expect(await state.letters('old')).toContain('event 1');
      expect(await exists(dirname(state.lettersOf('new')))).toBe(false);
      expect(state.applied.entries.map(({ id }) => id)).toEqual(['old']);
      expect(state.lines).toEqual([]);
    }));

  test('stays while dead letters are being sent, and those of other partitions come back', () =>
    inFolder(async (folder) => {
      const state = makeState(folder, ['old']);
      for (const index of [0, 1]) {
        await state.save(`old~${index}`, `position ${index}`);
        await state.letter(`old~${index}`, `event ${index}`);
      }
      const { release } = right(await lockFolder(state.lettersOf('old~1')));
      expect(await state.moveParts('old', 'new')).toMatchObject({ left: { code: 'wrong_state' } });
      for (const index of [0, 1]) {
        expect(await state.letters(`old~${index}`)).toContain(`event ${index}`);
        expect(await state.checkpoint(`old~${index}`)).toBe(`position ${index}`);
        expect(await state.checkpoint(`new~${index}`)).toBe(null);
      }
      await release();
      expect(await state.moveParts('old', 'new')).toEqual(E.right(null));
      expect(state.asked).toHaveLength(1);
    }));

  test('does not mix with what the new id has', () =>
    inFolder(async (folder) => {
      const state = makeState(folder, ['old', 'listed']);
      await state.save('old', 'position');
      await state.save('stopped', 'another position');
      await state.letter('refused', 'event of another');
      for (const to of ['listed', 'stopped', 'refused'])
        expect([to, await state.move('old', to)]).toMatchObject([to, { left: { code: 'already_exists' } }]);
      expect(await state.checkpoint('old')).toBe('position');
      expect(await state.checkpoint('stopped')).toBe('another position');
      expect(await state.letters('refused')).toContain('event of another');
      expect(state.asked).toEqual([]);
    }));

  test('is there for both ids while it is not known whether the list has the new one', () =>
    inFolder(async (folder) => {
      const late = failure('timed_out', 'no answer');
      const state = makeState(folder, ['old'], async () => E.left(late));
      await state.save('old', 'position');
      expect(await state.move('old', 'new')).toEqual(E.left(late));
      expect([await state.checkpoint('old'), await state.checkpoint('new')]).toEqual([
        'position',
        'position',
      ]);
    }));

  test('is there for the former id after a crash before the list is written, and moves then', () =>
    inFolder(async (folder) => {
      const crashed = makeState(folder, ['old'], () => new Promise<never>(() => {}));
      await crashed.save('old', 'position');
      void crashed.move('old', 'new');
      while (crashed.asked.length === 0) await new Promise((resolve) => setImmediate(resolve));
      const state = makeState(folder, ['old']);
      expect(await state.checkpoint('old')).toBe('position');
      expect(await state.move('old', 'new')).toEqual(E.right(null));
      expect([await state.checkpoint('old'), await state.checkpoint('new')]).toEqual([null, 'position']);
    }));

  test('takes the place of folders without dead letters', () =>
    inFolder(async (folder) => {
      const state = makeState(folder, ['old']);
      await mkdir(state.lettersOf('new'), { recursive: true });
      await state.letter('old', 'event 1');
      expect(await state.move('old', 'new')).toEqual(E.right(null));
      expect(await state.letters('new')).toContain('event 1');
      await rm(folder, { recursive: true });
    }));
});
