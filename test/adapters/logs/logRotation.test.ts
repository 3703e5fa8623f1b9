import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { appendLines, rotate } from '../../../src/adapters/logs/logFiles.js';
import { codePoint } from '../../support/codePoint.js';
import { inFolder } from '../directories/support.js';

/** Contents of a log and its backups, oldest first. */
const historyOf = async (path: string, names: readonly string[]): Promise<readonly string[]> => {
  const base = path.slice(path.lastIndexOf('/') + 1);
  const numbers = names
    .filter((name) => name.startsWith(`${base}.`))
    .map((name) => Number(name.slice(base.length + 1)))
    .sort((a, b) => b - a);
  const files = [...numbers.map((number) => `${path}.${number}`), ...(names.includes(base) ? [path] : [])];
  return Promise.all(files.map((file) => readFile(file, 'utf8')));
};

const lineArbitrary = fc
  .string({ unit: codePoint, maxLength: 80 })
  .map((text) => `${text.replaceAll('\n', ' ').replaceAll(/\p{Surrogate}/gu, '?')}\n`);

describe('rotation', () => {
  test('any lines in any portions: the files hold the last ones in order, none too large', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(lineArbitrary, { maxLength: 30 }), { maxLength: 8 }),
        fc.integer({ min: 20, max: 400 }),
        fc.integer({ min: 1, max: 4 }),
        (portions, max_bytes, backups) =>
          inFolder(async (folder) => {
            const path = join(folder, 'a.log');
            for (const lines of portions) {
              const { written, thrown } = await appendLines(path, lines, { max_bytes, backups });
              expect([written, thrown]).toEqual([lines.length, null]);
            }
            const history = await historyOf(path, await readdir(folder));
            expect(history.length).toBeLessThanOrEqual(backups + 1);
            const all = portions.flat().join('');
            const kept = history.join('');
            expect(all.endsWith(kept)).toBe(true);
            if (history.length <= backups) expect(kept).toBe(all);
            for (const text of history) {
              expect(Buffer.byteLength(text) <= max_bytes || text.indexOf('\n') === text.length - 1).toBe(
                true,
              );
            }
          }),
      ),
      { numRuns: 60 },
    );
  });

  test('broken off by a crash at any step loses no file, then or with the next rotations', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 6 }), fc.nat({ max: 6 }), (count, at) =>
        inFolder(async (folder) => {
          const path = join(folder, 'a.log');
          const gap = Math.min(at, count);
          // `count` backups and the file itself, each named by its age; those from `gap` on have moved.
          const numbers = Array.from({ length: count }, (_, i) => i + 1);
          for (const n of numbers) await writeFile(`${path}.${n > gap ? n + 1 : n}`, `age ${n}`);
          await writeFile(path, 'age 0');
          const before = await historyOf(path, await readdir(folder));
          await rotate(path, 10);
          expect(await historyOf(path, await readdir(folder))).toEqual(before);
          await writeFile(path, 'new');
          await rotate(path, 10);
          expect(await historyOf(path, await readdir(folder))).toEqual([...before, 'new']);
        }),
      ),
      { numRuns: 30 },
    );
  });

  test('of a file that was moved away at the same moment is no error', () =>
    inFolder(async (folder) => {
      await rotate(join(folder, 'a.log'), 3);
      expect(await readdir(folder)).toEqual([]);
    }));

  test('devices and pipes are never rotated', () =>
    inFolder(async () => {
      const lines = Array.from({ length: 100 }, () => `${'x'.repeat(99)}\n`);
      expect(await appendLines('/dev/null', lines, { max_bytes: 1_024, backups: 1 })).toEqual({
        written: 100,
        thrown: null,
      });
    }));
});
