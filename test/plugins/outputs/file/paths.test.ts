import * as fs from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { systemClock } from '../../../../src/adapters/systemClock.js';
import { textBatch } from '../../../../src/domain/events/eventBatch.js';
import { zoneOf } from '../../../../src/domain/time/zone.js';
import { filePlugin, safeName } from '../../../../src/plugins/outputs/file/plugin.js';
import { fileSpec } from '../../../../src/plugins/outputs/file/spec.js';
import { paramsShape } from '../../../../src/plugins/shapes.js';
import { decode } from '../../../../src/schema/index.js';
import { fakeClock } from '../../../support/clocks/fakeClock.js';
import { canMount, NEEDS_MOUNT, type SmallDisk, smallDisk } from '../../../support/faults/smallDisk.js';
import { never, newFolder, opened, outputContext, removeFolders } from '../support.js';

const disks: SmallDisk[] = [];
afterEach(() => {
  for (const disk of disks.splice(0)) disk.remove();
});
afterAll(removeFolders);

/** 18:30 UTC is midnight in Kolkata. */
const BEFORE_MIDNIGHT = Date.parse('2026-11-23T18:29:59Z') * 1_000;

const issuesOf = (path: string) => {
  const decoded = decode(paramsShape(fileSpec), { path });
  return E.isLeft(decoded) ? decoded.left.map(({ type }) => type) : [];
};

const setUp = async (given: Record<string, unknown>, directory = join(newFolder(), 'web')) => {
  fs.mkdirSync(directory, { recursive: true });
  const decoded = decode(paramsShape(fileSpec), { path: 'out/{date}/{generator}.log', ...given });
  if (E.isLeft(decoded)) throw new Error(JSON.stringify(decoded.left));
  const clock = fakeClock(BEFORE_MIDNIGHT);
  const { context, lines } = outputContext(directory, clock);
  const output = await opened(
    filePlugin.open(decoded.right, { ...context, zone: zoneOf('Asia/Kolkata') } as never),
  );
  const write = (...texts: readonly string[]) => output.write(textBatch(texts), never);
  return { output, write, clock, lines, directory };
};

/** Paths and texts of all files below a folder; compressed ones are read. */
const filesBelow = (directory: string): Record<string, string> =>
  Object.fromEntries(
    fs
      .readdirSync(directory, { recursive: true, encoding: 'utf8' })
      .filter((name) => fs.lstatSync(join(directory, name)).isFile())
      .sort()
      .map((name) => {
        const bytes = fs.readFileSync(join(directory, name));
        return [name, (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')];
      }),
  );

/** Files below a folder that this process has open. */
const openBelow = (directory: string): readonly string[] =>
  fs.readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const path = fs.readlinkSync(`/proc/self/fd/${fd}`);
      return path.startsWith(directory) ? [path.slice(directory.length + 1)] : [];
    } catch {
      return [];
    }
  });

const ok = (count: number) => ({ right: { written: count, failed: 0 } });

describe('a path with dates', () => {
  test('follows the clock in the zone of the generator, one open file at a time', async () => {
    const { output, write, clock, directory, lines } = await setUp({ fsync_interval: 30 });
    expect(await write('monday', 'late')).toMatchObject(ok(2));
    expect(openBelow(directory)).toEqual(['out/2026-11-23/web.log']);
    await clock.advanceMs(1_000);
    expect(await write('tuesday')).toMatchObject(ok(1));
    expect(await write('early')).toMatchObject(ok(1));
    expect(openBelow(directory)).toEqual(['out/2026-11-24/web.log']);
    expect(E.isRight(await output.flush())).toBe(true);
    for (let i = 0; i < 2; i++) expect(await output.close()).toEqual(E.right(undefined));
    expect(await write('closed')).toMatchObject({ left: { message: expect.stringContaining('closed') } });
    expect(filesBelow(directory)).toEqual({
      'out/2026-11-23/web.log': 'monday\nlate\n',
      'out/2026-11-24/web.log': 'tuesday\nearly\n',
    });
    expect([openBelow(directory), lines]).toEqual([[], []]);
  });

  test('may come back: a clock that is set back appends to the earlier file', async () => {
    const { output, write, clock, directory } = await setUp({ write_mode: 'overwrite' });
    await write('a');
    clock.setWall(BEFORE_MIDNIGHT + 1_000_000);
    await write('b');
    clock.setWall(BEFORE_MIDNIGHT);
    await write('c');
    await output.close();
    expect(filesBelow(directory)).toEqual({
      'out/2026-11-23/web.log': 'a\nc\n',
      'out/2026-11-24/web.log': 'b\n',
    });
  });

  test('with `overwrite` empties only the file of the start', async () => {
    const directory = join(newFolder(), 'web');
    for (const day of ['23', '24']) {
      fs.mkdirSync(join(directory, `out/2026-11-${day}`), { recursive: true });
      fs.writeFileSync(join(directory, `out/2026-11-${day}/web.log`), 'old\n');
    }
    const { output, write, clock } = await setUp({ write_mode: 'overwrite' }, directory);
    await write('a');
    await clock.advanceMs(1_000);
    await write('b');
    await output.close();
    expect(filesBelow(directory)).toEqual({
      'out/2026-11-23/web.log': 'a\n',
      'out/2026-11-24/web.log': 'old\nb\n',
    });
  });

  test('an idle file is closed; the next write opens the one of its day', async () => {
    const { output, write, clock, directory } = await setUp({ cleanup_interval: 1 });
    await write('a');
    await clock.advanceMs(1_000);
    while (openBelow(directory).length > 0) await systemClock.yieldTurn();
    await write('b');
    expect(openBelow(directory)).toEqual(['out/2026-11-24/web.log']);
    await output.close();
    expect(Object.values(filesBelow(directory))).toEqual(['a\n', 'b\n']);
  });

  test('is rotated on each path; a stop waits until the full files of all paths are compressed', async () => {
    const { output, write, clock, directory } = await setUp({
      path: 'out/{yyyy/MM}/{dd}.log',
      rotate_size: 4 / 1_000_000,
      rotate_keep: 1,
      rotate_compression: 'gzip',
    });
    for (const text of ['one', 'two', 'three']) await write(text);
    await clock.advanceMs(1_000);
    for (const text of ['four', 'five']) await write(text);
    await output.close();
    expect(filesBelow(directory)).toEqual({
      'out/2026/11/23.log': 'three\n',
      'out/2026/11/23.log.20261123T182959Z-2.gz': 'two\n',
      'out/2026/11/24.log': 'five\n',
      'out/2026/11/24.log.20261123T183000Z.gz': 'four\n',
    });
  });
});

describe('a new path that cannot be opened', () => {
  /** Writes before and after midnight; `spoil` and `repair` change what the new path leads to. */
  const overMidnight = async (
    spoil: (day: string) => void,
    repair: (day: string) => void,
    reason: RegExp,
  ): Promise<void> => {
    const { output, write, clock, directory } = await setUp({ path: 'out/{date}/events.log' });
    const day = join(directory, 'out/2026-11-24');
    spoil(day);
    expect(await write('before')).toMatchObject(ok(1));
    await clock.advanceMs(1_000);
    for (let attempt = 0; attempt < 3; attempt++) {
      expect(await write('after')).toMatchObject({
        left: { code: 'unwritable', message: expect.stringMatching(reason) },
      });
    }
    expect(E.isRight(await output.flush())).toBe(true);
    repair(day);
    expect(await write('after')).toMatchObject(ok(1));
    expect(openBelow(directory)).toEqual(['out/2026-11-24/events.log']);
    const files = filesBelow(directory);
    await output.close();
    expect(files).toMatchObject({
      'out/2026-11-23/events.log': 'before\n',
      'out/2026-11-24/events.log': 'after\n',
    });
  };

  test('because a file is in the way: the write is retried, and nothing is lost', () =>
    overMidnight(
      (day) => fs.writeFileSync(day, ''),
      (day) => fs.unlinkSync(day),
      /cannot open .*2026-11-24.events\.log: a part of the path is not a directory/,
    ));

  test('because nobody may write there, not even root: retried', () =>
    overMidnight(
      (day) => {
        fs.mkdirSync(day);
        fs.symlinkSync('/proc/sys/kernel/ostype', join(day, 'events.log'));
      },
      (day) => fs.unlinkSync(join(day, 'events.log')),
      /permission is denied \(EACCES\)|read-only \(EROFS\)/,
    ));

  (canMount ? test : test.skip)(`because its disk is full ${NEEDS_MOUNT}: retried`, () =>
    overMidnight(
      (day) => {
        fs.mkdirSync(day);
        const disk = smallDisk(64 * 1024, day);
        if (disk === null) throw new Error('could be mounted a moment ago');
        disks.push(disk);
        disk.fill();
      },
      () => disks[0]?.clear(),
      /no space is left on the device \(ENOSPC\)/,
    ),
  );
});

describe('the placeholders of a path', () => {
  test.each([
    ['out/{date}/{generator}.log', []],
    ['out/{yyyy/MM/dd}.log', []],
    ['out/{{x}}.log', []],
    ['out/{/host}.log', ['bad_format']],
    ['out/{host}.log', ['bad_format']],
    ['', ['too_short']],
  ])('%s: %j', (path, issues) => expect(issuesOf(path)).toEqual(issues));

  test.each([
    ['web', 'web'],
    ['..', '_'],
    ['.', '_'],
    ['', '_'],
    ['../../etc', '.._.._etc'],
    ['a/b\\c\0', 'a_b_c_'],
    ['...', '...'],
  ])('the name of generator %j is %j: it leads to no other folder', (name, safe) => {
    expect(safeName(name)).toBe(safe);
  });

  test('braces and the generator make one fixed file', async () => {
    const { output, write, clock, directory } = await setUp({ path: 'out/{{{generator}}}.log' });
    await write('a');
    await clock.advanceMs(86_400_000);
    await write('b');
    await output.close();
    expect(filesBelow(directory)).toEqual({ 'out/{web}.log': 'a\nb\n' });
  });
});
