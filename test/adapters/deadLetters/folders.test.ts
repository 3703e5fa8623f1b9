import {
  appendFile,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import { deadLetterFiles, deadLetterLineOf } from '../../../src/adapters/deadLetters/files.js';
import { deadLetterFolders } from '../../../src/adapters/deadLetters/folders.js';
import { processStart } from '../../../src/adapters/processes/proc.js';
import { systemClock } from '../../../src/adapters/systemClock.js';
import { failure } from '../../../src/domain/errors.js';
import type {
  DeadLetterFolder,
  DeadLetterVerdict,
  StoredDeadLetter,
  Sweep,
} from '../../../src/ports/deadLetters.js';
import { fakeClock } from '../../support/clocks/fakeClock.js';
import { right } from '../../support/either.js';
import { codeOf, inFolder } from '../directories/support.js';

const WHY = failure('output_failed', 'no route to host');
const BIG = 4 * 1024 * 1024;
const clock = fakeClock(Date.parse('2026-11-20T19:05:09Z') * 1_000);

/** The only folder below a root, made with the letters given. */
const folderWith = async (root: string, events: readonly string[]): Promise<DeadLetterFolder> => {
  right(await deadLetterFiles(join(root, 'shop', '1-file'), clock).put(events, WHY));
  const [folder] = right(await deadLetterFolders(root, systemClock).find({ generator: null, output: null }));
  if (folder === undefined) throw new Error('there is no folder');
  return folder;
};

const lettersOf = async (folder: DeadLetterFolder) => {
  const letters: StoredDeadLetter[] = [];
  let torn = 0;
  for await (const run of folder.read()) {
    letters.push(...right(run).deadLetters);
    torn += right(run).torn;
  }
  return { letters, events: letters.map(({ event }) => event), torn };
};

const eventsOf = async (folder: DeadLetterFolder): Promise<readonly string[]> =>
  (await lettersOf(folder)).events;

/** Sweeps with runs of `size` letters; `judge` says what stays. */
const sweep = (
  folder: DeadLetterFolder,
  size: number,
  judge: (
    letters: readonly StoredDeadLetter[],
  ) => Partial<DeadLetterVerdict> | Promise<Partial<DeadLetterVerdict>>,
) => {
  const given: Sweep = {
    next: () => ({ count: size, bytes: BIG }),
    judge: async (letters) => ({ keep: [], goesOn: true, ...(await judge(letters)) }),
  };
  return folder.sweep(given);
};

const numbered = (count: number, name = 'e'): readonly string[] =>
  Array.from({ length: count }, (_, n) => `${name}${n}`);

describe('a folder of dead letters', () => {
  test('returns any event as it was stored', () =>
    inFolder(async (root) => {
      const events = ['plain', 'two\nlines', '"quoted" {"at":"x"}', '\u0000\ud800', '', 'ünïcode 🎈'];
      const folder = await folderWith(root, events);
      expect(folder).toMatchObject({ generator: 'shop', number: 1, kind: 'file' });
      const { letters } = await lettersOf(folder);
      expect(letters.map(({ event }) => event)).toEqual(events);
      expect(letters[0]).toMatchObject({
        at: '2026-11-20T19:05:09+00:00',
        code: 'output_failed',
        reason: 'no route to host',
      });
      const text = await readFile(join(folder.path, '00000001.jsonl'), 'utf8');
      expect(letters.map(({ line }) => `${line}\n`).join('')).toBe(text);
      expect(right(await folder.bytes())).toBe(Buffer.byteLength(text));
    }));

  test('gives each letter once to a sweep, in order, and is empty after it', () =>
    inFolder(async (root) => {
      const folder = await folderWith(root, numbered(25));
      const seen: string[] = [];
      const swept = await sweep(folder, 10, (letters) => {
        seen.push(...letters.map(({ event }) => event));
        return {};
      });
      expect(swept).toEqual(E.right({ torn: 0 }));
      expect(seen).toEqual(numbered(25));
      expect(await eventsOf(folder)).toEqual([]);
      expect(right(await folder.bytes())).toBe(0);
      expect(await readdir(folder.path)).toEqual([]);
    }));

  test('keeps the letters that a sweep keeps, and all behind its end', () =>
    inFolder(async (root) => {
      const folder = await folderWith(root, numbered(10));
      await sweep(folder, 4, (letters) => ({
        keep: letters.filter(({ event }) => event !== 'e1').map(({ line }) => line),
        goesOn: letters.every(({ event }) => event !== 'e4'),
      }));
      expect((await lettersOf(folder)).events.toSorted()).toEqual(
        numbered(10).filter((event) => event !== 'e1'),
      );
      // The next one begins with those that the first did not see.
      const seen: string[] = [];
      await sweep(folder, 4, (letters) => {
        seen.push(...letters.map(({ event }) => event));
        return { keep: letters.map(({ line }) => line) };
      });
      expect(seen).toEqual(['e8', 'e9', 'e0', 'e2', 'e3', 'e4', 'e5', 'e6', 'e7']);
      expect((await readdir(folder.path)).length).toBe(1);
    }));

  test('leaves letters beyond the limit of a sweep', () =>
    inFolder(async (root) => {
      const folder = await folderWith(root, numbered(10));
      let room = 3;
      const swept = await folder.sweep({
        next: () => ({ count: room, bytes: BIG }),
        judge: async (letters) => {
          room -= letters.length;
          return { keep: [], goesOn: true };
        },
      });
      expect(swept).toEqual(E.right({ torn: 0 }));
      expect(await eventsOf(folder)).toEqual(numbered(10).slice(3));
    }));

  test('is swept by one process at a time; another one learns the holder', () =>
    inFolder(async (root) => {
      const folder = await folderWith(root, numbered(3));
      let second = '';
      await sweep(folder, 1, async () => {
        const refused = await sweep(folder, 1, () => ({}));
        second = E.isLeft(refused) ? `${refused.left.code}: ${refused.left.message}` : 'swept';
        return {};
      });
      expect(second).toMatch(new RegExp(`^wrong_state: process ${process.pid} is working on .*/shop/1-file`));
      expect(await eventsOf(folder)).toEqual([]);
    }));

  test('ignores the lock of an ended process, also if its process id is reused', () =>
    inFolder(async (root) => {
      const folder = await folderWith(root, numbered(3));
      await writeFile(join(folder.path, '.lock-4194304-77-00aa11bb'), '');
      await writeFile(join(folder.path, `.lock-${process.pid}-77-00aa11bb`), '');
      expect(E.isRight(await sweep(folder, 1, () => ({})))).toBe(true);
      expect(await readdir(folder.path)).toEqual([]);
    }));

  test('follows no links: neither files nor folders', () =>
    inFolder(async (root) => {
      const folder = await folderWith(root, ['mine']);
      const other = await folderWith(join(root, 'other'), ['not mine']);
      await symlink(join(other.path, '00000001.jsonl'), join(folder.path, '00000007.jsonl'));
      await symlink(other.path, join(root, 'shop', '2-file'));
      await symlink(join(root, 'other', 'shop'), join(root, 'linked'));
      const folders = right(
        await deadLetterFolders(root, systemClock).find({ generator: null, output: null }),
      );
      expect(folders.map(({ generator, number }) => `${generator}/${number}`)).toEqual(['shop/1']);
      await sweep(folder, 1, () => ({}));
      expect(await eventsOf(other)).toEqual(['not mine']);
      const linked = await deadLetterFolders(root, systemClock).find({ generator: 'linked', output: null });
      expect(codeOf(linked)).toBe('not_found');
    }));

  test.each([
    [{ generator: '../shop', output: null }, 'invalid'],
    [{ generator: 'shop', output: '../../other/shop/1-file' }, 'invalid'],
    [{ generator: 'shop', output: '..' }, 'invalid'],
    [{ generator: 'shop', output: '' }, 'invalid'],
    [{ generator: 'shopp', output: null }, 'not_found'],
    [{ generator: 'shop', output: '2' }, 'not_found'],
    [{ generator: 'shop', output: '3' }, 'invalid'],
    [{ generator: 'shop', output: '1' }, 'ok'],
    [{ generator: 'shop', output: '1-file' }, 'ok'],
    [{ generator: 'shop', output: '3-file' }, 'ok'],
    [{ generator: 'shop', output: null }, 'ok'],
    [{ generator: null, output: null }, 'ok'],
  ])('named by %j: %s', (query, code) =>
    inFolder(async (root) => {
      for (const name of ['1-file', '3-file', '3-clickhouse']) {
        right(await deadLetterFiles(join(root, 'shop', name), clock).put(['x'], WHY));
      }
      expect(codeOf(await deadLetterFolders(root, systemClock).find(query))).toBe(code);
    }),
  );
});

describe('lines that a crash cut off', () => {
  const whole = deadLetterLineOf({ at: '2026-11-20T19:05:09+00:00', code: 'c', reason: 'r', event: 'whole' });

  test.each([
    ['at the end', `${whole}${whole.slice(0, 30)}`, ['whole'], 1],
    ['with the next letter behind', `${whole.slice(0, 30)}${whole}${whole}`, ['whole', 'whole'], 1],
    ['in the middle', `${whole}${whole.slice(0, 30)}\n${whole}`, ['whole', 'whole'], 1],
    ['that lack only their end', `${whole}${whole.trimEnd()}`, ['whole', 'whole'], 0],
    ['that are no letter at all', `${whole}nonsense\n{"at":1}\n\n${whole}`, ['whole', 'whole'], 2],
  ])('%s are counted and set aside, and swallow no letter', (_where, text, events, torn) =>
    inFolder(async (root) => {
      const folder = await folderWith(root, ['x']);
      await writeFile(join(folder.path, '00000001.jsonl'), text);
      expect(await lettersOf(folder)).toMatchObject({ events, torn });
      const seen: string[] = [];
      const swept = await sweep(folder, 1, (letters) => {
        seen.push(...letters.map(({ event }) => event));
        return {};
      });
      expect(swept).toEqual(E.right({ torn }));
      expect(seen).toEqual(events);
      const aside = await readFile(join(folder.path, 'torn.txt'), 'utf8').catch(() => '');
      expect(aside.split('\n').length - 1).toBe(torn);
    }),
  );

  test('are ended before the next letter is written', () =>
    inFolder(async (root) => {
      const folder = await folderWith(root, ['first']);
      const file = join(folder.path, '00000001.jsonl');
      await truncate(file, (await readFile(file)).length - 5);
      await folderWith(root, ['second']);
      expect(await lettersOf(folder)).toMatchObject({ events: ['second'], torn: 1 });
      expect((await readFile(file, 'utf8')).split('\n').length).toBe(3);
    }));
});

describe('while letters come in', () => {
  test('none is lost or duplicated by any number of sweeps', () =>
    inFolder(async (root) => {
      const folder = await folderWith(root, ['first']);
      const letters = deadLetterFiles(folder.path, clock);
      const seen: string[] = [];
      const state = { isDone: false };
      const put = async (): Promise<void> => {
        for (let n = 0; n < 400; n++) right(await letters.put([`${n}a`, `${n}b`], WHY));
        state.isDone = true;
      };
      const take = async (): Promise<void> => {
        for (let isLast = false; !isLast; ) {
          isLast = state.isDone;
          right(
            await sweep(folder, 7, (some) => {
              seen.push(...some.map(({ event }) => event));
              return {};
            }),
          );
        }
      };
      await Promise.all([put(), take()]);
      const expected = ['first', ...Array.from({ length: 400 }, (_, n) => [`${n}a`, `${n}b`]).flat()];
      expect(seen.toSorted()).toEqual(expected.toSorted());
    }));

  test.each([
    ['has opened the file', 'opened'],
    ['is in the middle of a line', 'half'],
    ['has written its letter', 'written'],
  ])('a sweep waits for a writer that %s, and gets its letter once', (_when, moment) =>
    inFolder(async (root) => {
      const folder = await folderWith(root, ['first']);
      const seen: string[] = [];
      let sweeping: Promise<unknown> = Promise.resolve();
      const taken = async (): Promise<void> => {
        sweeping = sweep(folder, 5, (some) => {
          seen.push(...some.map(({ event }) => event));
          return {};
        });
        while (!(await readdir(folder.path)).includes('taken-00000001-0-0.jsonl'));
        expect(seen).toEqual([]);
      };
      const letters = deadLetterFiles(folder.path, clock, async (path) => {
        const file = await open(path, 'a+');
        if (moment === 'opened') await taken();
        const write = file.write.bind(file) as (bytes: Buffer, at: number) => ReturnType<typeof file.write>;
        const slowWrite = async (bytes: Buffer, at: number) => {
          if (moment !== 'half') {
            const written = await write(bytes, at);
            if (moment === 'written') await taken();
            return written;
          }
          const { bytesWritten } = await write(bytes.subarray(0, 20), 0);
          await taken();
          const rest = await write(bytes.subarray(20), 0);
          return { ...rest, bytesWritten: bytesWritten + rest.bytesWritten };
        };
        return Object.assign(file, { write: slowWrite });
      });
      right(await letters.put(['second'], WHY));
      await sweeping;
      expect(seen).toEqual(['first', 'second']);
      expect(await readdir(folder.path)).toEqual([]);
    }),
  );

  test('a writer that does not end stops a sweep, which loses nothing', () =>
    inFolder(async (root) => {
      const folder = await folderWith(root, ['first']);
      const claim = join(folder.path, `.writing-${process.pid}-${await processStart(process.pid)}-00aa11bb`);
      await writeFile(claim, '');
      const hurried = fakeClock();
      const [slow] = right(
        await deadLetterFolders(root, { ...hurried, sleepMs: () => hurried.advanceMs(1_000) }).find({
          generator: null,
          output: null,
        }),
      );
      expect(codeOf(await sweep(slow as DeadLetterFolder, 5, () => ({})))).toBe('wrong_state');
      expect(await eventsOf(folder)).toEqual(['first']);
      await rm(claim);
      right(await sweep(folder, 5, () => ({})));
      expect(await readdir(folder.path)).toEqual([]);
    }));

  test('a writer that was killed delays a sweep, and does not stop it', () =>
    inFolder(async (root) => {
      const folder = await folderWith(root, ['first']);
      await writeFile(join(folder.path, '.writing-4194304-77-00aa11bb'), '');
      right(await sweep(folder, 5, () => ({})));
      expect(await readdir(folder.path)).toEqual([]);
    }));

  test('a folder that is removed under the writer is made again', () =>
    inFolder(async (root) => {
      const folder = await folderWith(root, ['first']);
      const letters = deadLetterFiles(folder.path, clock);
      right(await letters.put(['second'], WHY));
      await rm(folder.path, { recursive: true });
      right(await letters.put(['third'], WHY));
      expect(await eventsOf(folder)).toEqual(['third']);
    }));

  test('a full folder takes letters again once there is room', () =>
    inFolder(async (root) => {
      const folder = await folderWith(root, ['first']);
      const letters = deadLetterFiles(folder.path, clock);
      // A file with a hole takes no room on the disk.
      const large = join(folder.path, '00000002.jsonl');
      await writeFile(large, '');
      await truncate(large, 1024 ** 3);
      const refused = await letters.put(['too much'], WHY);
      expect(E.isLeft(refused) ? refused.left.message : '').toMatch(/is full \(1 GiB\)\. .*spate deadletter/);
      await rm(large);
      expect(E.isRight(await letters.put(['second'], WHY))).toBe(true);
      expect(await eventsOf(folder)).toEqual(['first', 'second']);
    }));
});

/** What a sweep does with a letter, and where it is killed. */
const plan = fc.record({
  sizes: fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 5 }),
  keeps: fc.array(fc.boolean(), { minLength: 1, maxLength: 20 }),
  /** Before which run each sweep is killed, with half of what it wants to keep on the disk. */
  kills: fc.array(fc.integer({ min: 0, max: 6 }), { maxLength: 4 }),
  puts: fc.array(fc.integer({ min: 1, max: 15 }), { minLength: 1, maxLength: 5 }),
});

class Killed extends Error {}

test('letters in are letters delivered and letters kept, wherever sweeps are killed', () =>
  fc.assert(
    fc.asyncProperty(plan, ({ sizes, keeps, kills, puts }) =>
      inFolder(async (root) => {
        const folder = await folderWith(root, ['e0']);
        const all = ['e0'];
        const delivered: string[] = [];
        const isKept = (event: string): boolean => keeps[Number(event.slice(1)) % keeps.length] === true;
        for (const [round, count] of puts.entries()) {
          const events = numbered(count).map((_, n) => `e${all.length + n}`);
          all.push(...events);
          right(await deadLetterFiles(folder.path, clock).put(events, WHY));
          const kill = kills[round];
          let runs = 0;
          const sweeping = sweep(folder, sizes[round % sizes.length] ?? 1, async (letters) => {
            const keep = letters.filter(({ event }) => isKept(event)).map(({ line }) => line);
            if (runs++ === kill) {
              // What a killed process may have done of it: some of the kept lines, the last one torn.
              const [name = ''] = (await readdir(folder.path)).filter((one) => one.startsWith('taken'));
              const number = name.split('-')[1] ?? '';
              const text = keep.join('\n');
              await appendFile(join(folder.path, `kept-${number}.jsonl`), text.slice(0, text.length / 2));
              throw new Killed();
            }
            delivered.push(...letters.map(({ event }) => event).filter((event) => !isKept(event)));
            return { keep };
          });
          await sweeping.catch((thrown: unknown) => {
            if (!(thrown instanceof Killed)) throw thrown;
          });
          const { events: left, torn } = await lettersOf(folder);
          expect(torn).toBe(0);
          expect([...delivered, ...left].toSorted()).toEqual(all.toSorted());
        }
        await sweep(folder, 3, (letters) => {
          delivered.push(...letters.map(({ event }) => event).filter((event) => !isKept(event)));
          return { keep: letters.filter(({ event }) => isKept(event)).map(({ line }) => line) };
        });
        expect(delivered.toSorted()).toEqual(all.filter((event) => !isKept(event)).toSorted());
        expect((await eventsOf(folder)).toSorted()).toEqual(all.filter(isKept).toSorted());
      }),
    ),
    { numRuns: 60 },
  ));

test('foreign files in a folder are ignored', () =>
  inFolder(async (root) => {
    const folder = await folderWith(root, ['x']);
    await mkdir(join(folder.path, '00000002.jsonl'));
    await writeFile(join(folder.path, 'notes.txt'), 'mine');
    await rename(join(folder.path, '00000001.jsonl'), join(folder.path, 'taken-00000009-0-0.jsonl'));
    expect(await eventsOf(folder)).toEqual(['x']);
    right(await sweep(folder, 1, () => ({})));
    expect((await readdir(folder.path)).toSorted()).toEqual(['00000002.jsonl', 'notes.txt']);
  }));
