import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { type LogFiles, logFiles } from '../../../src/adapters/logs/logFiles.js';
import { type FakeClock, fakeClock } from '../../support/clocks/fakeClock.js';
import { inFolder } from '../directories/support.js';

interface Rig {
  readonly files: LogFiles;
  readonly clock: FakeClock;
  readonly told: string[];
  readonly folder: string;
  /** Resolves when everything is on the disk or has failed. */
  readonly written: () => Promise<void>;
  readonly read: (name: string) => Promise<string>;
}

const rigIn = (folder: string, limits: { max_bytes?: number; backups?: number } = {}): Rig => {
  const clock = fakeClock();
  const told: string[] = [];
  const files = logFiles({
    folder,
    max_bytes: limits.max_bytes ?? 1_024,
    backups: limits.backups ?? 3,
    clock,
    droppedLine: (count) => `(${count} dropped)\n`,
    tell: (level, message, context) => void told.push(`${level} ${message} ${JSON.stringify(context)}`),
  });
  const written = async (): Promise<void> => {
    await clock.settle();
    await files.settled();
  };
  return { files, clock, told, folder, written, read: (name) => readFile(join(folder, name), 'utf8') };
};

const withRig = (
  run: (rig: Rig) => Promise<void>,
  limits: { max_bytes?: number; backups?: number } = {},
): (() => Promise<void>) => {
  return () => inFolder((folder) => run(rigIn(join(folder, 'deep', 'logs'), limits)));
};

const line = (number: number): string => `${String(number).padStart(99, '.')}\n`;

describe('log files', () => {
  test(
    'get their lines in order, in a folder that is made with the first one',
    withRig(async ({ files, written, read, folder }) => {
      files.append('a.log', 'one\n');
      files.append('b.log', 'zwei\n');
      files.append('a.log', 'two\n');
      await written();
      files.append('a.log', 'three\n');
      await written();
      expect((await readdir(folder)).sort()).toEqual(['a.log', 'b.log']);
      expect(await read('a.log')).toBe('one\ntwo\nthree\n');
      expect(await read('b.log')).toBe('zwei\n');
    }),
  );

  test(
    'are moved on before they would become too large, and as many are kept as asked for',
    withRig(async ({ files, written, read, folder }) => {
      for (let number = 1; number <= 55; number++) files.append('a.log', line(number));
      await written();
      expect((await readdir(folder)).sort()).toEqual(['a.log', 'a.log.1', 'a.log.2', 'a.log.3']);
      expect(await read('a.log')).toBe([51, 52, 53, 54, 55].map(line).join(''));
      const numbers = Array.from({ length: 10 }, (_, i) => i + 1);
      expect(await read('a.log.1')).toBe(numbers.map((n) => line(40 + n)).join(''));
      expect(await read('a.log.3')).toBe(numbers.map((n) => line(20 + n)).join(''));
    }),
  );

  test(
    'a line that is larger than a file may be has one of its own',
    withRig(async ({ files, written, read }) => {
      const long = `${'x'.repeat(5_000)}\n`;
      for (const text of ['before\n', long, 'behind\n']) files.append('a.log', text);
      await written();
      expect([await read('a.log.2'), await read('a.log.1'), await read('a.log')]).toEqual([
        'before\n',
        long,
        'behind\n',
      ]);
    }),
  );

  test(
    'sizes count bytes, not characters',
    withRig(
      async ({ files, written, folder }) => {
        files.append('a.log', `${'é'.repeat(500)}\n`);
        files.append('a.log', `${'é'.repeat(12)}\n`);
        await written();
        expect((await readdir(folder)).sort()).toEqual(['a.log', 'a.log.1']);
      },
      { max_bytes: 1_024 },
    ),
  );

  test(
    'fewer backups than before: the ones too many go with the next rotation',
    withRig(
      async ({ files, written, folder }) => {
        await mkdir(folder, { recursive: true });
        for (const number of [1, 2, 3, 4, 5]) await writeFile(join(folder, `a.log.${number}`), `${number}`);
        await writeFile(join(folder, 'a.log'), 'x'.repeat(1_020));
        files.append('a.log', 'hello\n');
        await written();
        expect((await readdir(folder)).sort()).toEqual(['a.log', 'a.log.1', 'a.log.2']);
        expect(await readFile(join(folder, 'a.log.2'), 'utf8')).toBe('1');
      },
      { backups: 2 },
    ),
  );

  test(
    'are recreated after an external rotation, as by logrotate',
    withRig(async ({ files, written, read, folder }) => {
      files.append('a.log', 'one\n');
      await written();
      await rename(join(folder, 'a.log'), join(folder, 'a.log-20261121'));
      files.append('a.log', 'two\n');
      await written();
      expect([await read('a.log-20261121'), await read('a.log')]).toEqual(['one\n', 'two\n']);
      await rm(folder, { recursive: true });
      files.append('a.log', 'three\n');
      await written();
      expect(await read('a.log')).toBe('three\n');
    }),
  );

  test(
    'a line that a crash tore is ended before the next one is written',
    withRig(async ({ files, written, read, folder }) => {
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, 'a.log'), 'whole\nto');
      files.append('a.log', 'next\n');
      await written();
      expect(await read('a.log')).toBe('whole\nto\nnext\n');
    }),
  );

  test(
    'are complete when they are closed, however much waited',
    withRig(
      async ({ files, read }) => {
        const lines = Array.from({ length: 5_000 }, (_, i) => `${i}\n`);
        for (const text of lines) files.append('a.log', text);
        await files.close(60_000);
        expect(await read('a.log')).toBe(lines.join(''));
      },
      { max_bytes: 1_000_000 },
    ),
  );
});

describe('log files that cannot be written', () => {
  /** Takes a folder's place, so that nothing can be written below it; root may write everywhere else. */
  const block = async (folder: string): Promise<void> => {
    await rm(folder, { recursive: true, force: true });
    await mkdir(join(folder, '..'), { recursive: true });
    await writeFile(folder, 'not a folder');
  };

  test(
    'are reported once, lines are buffered, and writing resumes',
    withRig(async ({ files, clock, written, told, read, folder }) => {
      await block(folder);
      files.append('a.log', 'one\n');
      files.append('b.log', 'zwei\n');
      await written();
      files.append('a.log', 'two\n');
      await written();
      await clock.advanceMs(5_000);
      await written();
      expect(told).toHaveLength(1);
      expect(told[0]).toContain('error cannot write log files: lines are buffered in memory');
      expect(told[0]).toContain(`cannot write ${join(folder, 'a.log')}: `);
      await rm(folder);
      await clock.advanceMs(4_999);
      await written();
      await expect(read('a.log')).rejects.toThrow();
      await clock.advanceMs(1);
      await written();
      expect([await read('a.log'), await read('b.log')]).toEqual(['one\ntwo\n', 'zwei\n']);
      expect(told.slice(1)).toEqual(['warning log files can be written again {"lines_dropped":0}']);
    }),
  );

  test(
    'because the disk is full: reported as such, and nothing is lost when there is room again',
    withRig(async ({ files, clock, written, told, read, folder }) => {
      await mkdir(folder, { recursive: true });
      await symlink('/dev/full', join(folder, 'a.log'));
      files.append('a.log', 'one\n');
      await written();
      expect(told).toHaveLength(1);
      expect(told[0]).toContain('the disk is full');
      await rm(join(folder, 'a.log'));
      await clock.advanceMs(5_000);
      await written();
      expect(await read('a.log')).toBe('one\n');
    }),
  );

  test(
    'one of them does not delay the others',
    withRig(async ({ files, written, told, read, folder }) => {
      await mkdir(join(folder, 'a.log'), { recursive: true });
      files.append('a.log', 'one\n');
      files.append('b.log', 'zwei\n');
      await written();
      expect(await read('b.log')).toBe('zwei\n');
      expect(told).toHaveLength(1);
      expect(told[0]).toContain('it is a directory');
    }),
  );

  test(
    'keep a bounded number of lines in memory; dropped ones are counted in place',
    withRig(
      async ({ files, clock, written, told, read, folder }) => {
        await block(folder);
        const long = `${'x'.repeat(100_000 - 1)}\n`;
        for (let count = 0; count < 25; count++) files.append('a.log', long);
        await written();
        await rm(folder);
        await clock.advanceMs(5_000);
        await written();
        files.append('a.log', 'afterwards\n');
        await written();
        const lines = (await read('a.log')).split('\n');
        expect(lines.map(({ length }) => length).slice(0, 10)).toEqual(Array(10).fill(99_999));
        expect(lines.slice(10)).toEqual(['(15 dropped)', 'afterwards', '']);
        expect(told.at(-1)).toBe('warning log files can be written again {"lines_dropped":15}');
      },
      { max_bytes: 100_000_000 },
    ),
  );

  test(
    'all files together keep a bounded number too',
    withRig(
      async ({ files, clock, written, read, folder }) => {
        await block(folder);
        const long = `${'x'.repeat(1_000_000 - 1)}\n`;
        for (let number = 0; number < 20; number++) files.append(`${number}.log`, long);
        await written();
        await rm(folder);
        await clock.advanceMs(5_000);
        await written();
        const sizes = await Promise.all(
          Array.from({ length: 20 }, async (_, number) => (await read(`${number}.log`)).length),
        );
        expect(sizes.filter((size) => size === 1_000_000)).toHaveLength(8);
        expect(sizes.filter((size) => size === '(1 dropped)\n'.length)).toHaveLength(12);
      },
      { max_bytes: 100_000_000 },
    ),
  );

  test(
    'do not delay shutdown, which reports the lost lines',
    withRig(async ({ files, clock, written, told, folder }) => {
      await block(folder);
      files.append('a.log', 'one\n');
      files.append('a.log', 'two\n');
      await written();
      const closed = files.close(2_000);
      await written();
      await closed;
      expect(told.at(-1)).toBe('error log lines lost at shutdown {"lines_dropped":2}');
      expect(clock.monotonicMs()).toBe(0);
    }),
  );
});
