import * as fs from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, expect } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { utc } from '../../src/domain/time/zone.js';
import { filePlugin } from '../../src/plugins/outputs/file/plugin.js';
import { fileFields } from '../../src/plugins/outputs/file/spec.js';
import { decode, record } from '../../src/schema/index.js';
import { newFolder, removeFolders } from '../plugins/outputs/support.js';
import { numberedEvent, type Rig, type RigOptions, startRig } from '../support/faults/faultRig.js';
import { canMount, NEEDS_MOUNT, smallDisk } from '../support/faults/smallDisk.js';
import { newPipe, type Pipe, readWhile } from '../support/pipe.js';
import { daemonUnderFileLimit, hasPrlimit, NEEDS_PRLIMIT } from './fileLimit.js';
import { drink } from './readers.js';
import { expectAccounted, faultRows, report } from './rows.js';

const rigs: Rig[] = [];
const pipes: Pipe[] = [];

afterEach(async () => {
  for (const rig of rigs.splice(0)) {
    rig.abort();
    await rig.drain();
  }
  for (const pipe of pipes.splice(0)) pipe.close();
});
afterAll(removeFolders);

/** Opens the file output; `flush_interval: 0` checks at each write that the file still exists. */
const fileAt =
  (path: string): RigOptions['outputs'][number] =>
  (context) => {
    const decoded = decode(record(fileFields), { path, flush_interval: 0 });
    if (E.isLeft(decoded)) throw new Error(JSON.stringify(decoded.left));
    return filePlugin.open(decoded.right, { ...context, zone: utc } as never);
  };

const start = (folder: string, ...paths: readonly string[]): Rig => {
  const rig = startRig({ folder, outputs: paths.map(fileAt) });
  rigs.push(rig);
  return rig;
};

/** A path with a file that can be unlinked; its content stays available to the test. */
const replaceable = (folder: string) => {
  const inner = join(folder, 'out');
  const path = join(inner, 'events.log');
  const contents: (() => string)[] = [() => (fs.existsSync(path) ? fs.readFileSync(path, 'utf8') : '')];
  return {
    inner,
    path,
    /** Content of all its files. */
    text: () => contents.map((read) => read()).join(''),
    take: (taken: string): void => {
      const fd = fs.openSync(taken, 'r');
      fs.unlinkSync(taken);
      contents.push(() => fs.readFileSync(`/proc/self/fd/${fd}`, 'utf8'));
    },
  };
};

/** Numbers of events in a text; throws for a damaged event. */
const numbersIn = (text: string): readonly number[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => {
      const n = Number.parseInt(line, 10);
      if (line !== numberedEvent(n)) throw new Error(`torn: ${line}`);
      return n;
    });

/** Ends the run: each event is once in the file or the dead letters, and whole. */
const finish = async (row: string, rig: Rig, text: () => string): Promise<void> => {
  expect(await rig.drain()).toEqual(E.right('drained'));
  report(`file x ${row}`, rig);
  expectAccounted(rig);
  const [written, letters] = [numbersIn(text()), rig.letters()];
  expect([written.length, letters.length]).toEqual([rig.count('written'), rig.count('dead_lettered')]);
  expect(new Set([...written, ...letters]).size).toBe(rig.produced());
  expect(rig.count('write_failed')).toBe(0);
};

const deadLetters = (rig: Rig): Promise<void> =>
  rig.until('dead letters', () => rig.count('dead_lettered') > 0);

const reasonIn = (rig: Rig): string =>
  String(rig.lines.filter(({ message }) => message.startsWith('a write failed')).at(-1)?.context['reason']);

/** Replaces a link atomically. */
const point = (link: string, target: string): void => {
  fs.symlinkSync(target, `${link}.new`);
  fs.renameSync(`${link}.new`, link);
};

/** A link to a file, then to `bad`, then to a file again. */
const throughLink = async (row: string, bad: string, reason: RegExp): Promise<void> => {
  const folder = newFolder();
  const { inner, path, take, text } = replaceable(folder);
  fs.mkdirSync(inner);
  fs.symlinkSync(join(folder, 'first'), path);
  const rig = start(folder, path);
  await rig.writesOn();
  point(path, bad);
  take(join(folder, 'first'));
  await deadLetters(rig);
  expect(reasonIn(rig)).toMatch(reason);
  expect(rig.count('retries')).toBeGreaterThanOrEqual(4);
  point(path, join(folder, 'second'));
  await rig.writesOn();
  await finish(row, rig, text);
};

const pipeFor = (folder: string): { readonly pipe: Pipe; readonly path: string } => {
  const pipe = newPipe(folder);
  pipes.push(pipe);
  return { pipe, path: join(folder, String(fs.readdirSync(folder)[0])) };
};

faultRows('file', {
  refused: {
    'a path that can no longer be opened is retried until it can; then events are in the file': async () => {
      const folder = newFolder();
      const { inner, path, take, text } = replaceable(folder);
      const rig = start(folder, path);
      await rig.writesOn();
      fs.renameSync(inner, `${inner}.away`);
      fs.writeFileSync(inner, 'in the way');
      take(join(`${inner}.away`, 'events.log'));
      await deadLetters(rig);
      expect(reasonIn(rig)).toMatch(/cannot open .* again: a part of the path is not a directory/);
      fs.unlinkSync(inner);
      await rig.writesOn();
      await finish('refused', rig, text);
    },
    'a path with dates whose new files can no longer be opened: the same, and no event is in two files':
      async () => {
        const folder = newFolder();
        const inner = join(folder, 'out');
        const text = (): string =>
          [inner, `${inner}.away`]
            .flatMap((of) => fs.readdirSync(of).map((name) => fs.readFileSync(join(of, name), 'utf8')))
            .join('');
        const rig = start(folder, join(inner, '{HHmmss}.log'));
        await rig.writesOn();
        fs.renameSync(inner, `${inner}.away`);
        fs.writeFileSync(inner, 'in the way');
        await deadLetters(rig);
        expect(reasonIn(rig)).toMatch(/cannot open .*out.\d{6}\.log: a part of the path is not a directory/);
        fs.unlinkSync(inner);
        await rig.writesOn();
        await finish('refused, with dates', rig, text);
        expect(fs.readdirSync(inner).length).toBeGreaterThan(0);
      },
  },
  'reset mid-batch': {
    'a named pipe whose reader goes: what it did not take is in the dead letters, the other output has all':
      async () => {
        const folder = newFolder();
        const { pipe, path } = pipeFor(folder);
        const beside = join(folder, 'beside.log');
        const rig = start(folder, path, beside);
        await rig.isHeldBack();
        pipe.take();
        await rig.isHeldBack();
        fs.closeSync(pipe.readFd);
        await deadLetters(rig);
        expect(reasonIn(rig)).toContain('the reader went away');
        await rig.writesOn(2_000, 1);
        expect(await rig.drain()).toEqual(E.right('drained'));
        report('file x reset mid-batch', rig);
        expectAccounted(rig);
        expect(numbersIn(fs.readFileSync(beside, 'utf8'))).toHaveLength(rig.produced());
        expect(rig.count('written', 1)).toBe(rig.produced());
        // The truncated batch counts as failed, those after it are dead letters.
        expect(rig.count('write_failed')).toBeLessThan(500);
        expect(rig.letters()).toHaveLength(rig.count('dead_lettered'));
      },
  },
  slow: {
    'a named pipe with a slow reader slows the producer down; nothing fails': async () => {
      const folder = newFolder();
      const { pipe, path } = pipeFor(folder);
      const rig = start(folder, path);
      const reader = drink(pipe.readFd, 4_096);
      const { allowed } = rig.account();
      await rig.until('a full queue', () => rig.account().mostInFlight[0] === allowed[0]);
      await rig.writesOn(5_000);
      const slow = reader.stop();
      const { result, seen } = await readWhile(pipe, rig.drain());
      expect(result).toEqual(E.right('drained'));
      await finish('slow', rig, () => slow + seen);
      expect([rig.count('retries'), rig.count('dead_lettered')]).toEqual([0, 0]);
    },
  },
  hung: {
    'a named pipe whose reader stands still holds the producer back, longer than write_timeout; then all arrives':
      async () => {
        const folder = newFolder();
        const { pipe, path } = pipeFor(folder);
        const rig = start(folder, path);
        await rig.isHeldBack();
        const before = rig.produced();
        await rig.isHeldBack();
        expect(rig.produced()).toBe(before);
        const reader = drink(pipe.readFd, 65_536);
        await rig.writesOn(5_000);
        const first = reader.stop();
        const { result, seen } = await readWhile(pipe, rig.drain());
        expect(result).toEqual(E.right('drained'));
        await finish('hung', rig, () => first + seen);
      },
    'a stop while the reader stands still accounts for everything': async () => {
      const folder = newFolder();
      const { pipe, path } = pipeFor(folder);
      const rig = start(folder, path);
      await rig.isHeldBack();
      const ended = rig.drain();
      rig.abort();
      expect(await ended).toEqual(E.right('drained'));
      report('file x hung (stopped)', rig);
      // Only the beginning of the torn event is in the pipe; it counts as written.
      const whole = numbersIn(pipe.take().replace(/[^\n]*$/, ''));
      expect(rig.count('written') - whole.length).toBeLessThanOrEqual(1);
      expectAccounted(rig);
    },
  },
  'server error': {
    'a device that answers with an input/output error': () =>
      // Address 0 of a process is never mapped: writing there is EIO.
      throughLink('server error', '/proc/self/mem', /input\/output error \(EIO\)|does not allow|permission/),
  },
  'disk full': {
    [`a file that may not grow (RLIMIT_FSIZE), in the daemon: whole events only, on when it may ${NEEDS_PRLIMIT}`]:
      hasPrlimit ? daemonUnderFileLimit : 'skipped',
    [`a full disk: no half batch, on when there is space ${NEEDS_MOUNT}`]: !canMount
      ? 'skipped'
      : async () => {
          const disk = smallDisk(64 * 1024 * 1024);
          if (disk === null) throw new Error('could be mounted a moment ago');
          try {
            const path = join(disk.folder, 'events.log');
            const rig = startRig({ folder: newFolder(), outputs: [fileAt(path)] });
            rigs.push(rig);
            await rig.writesOn();
            disk.fill();
            await deadLetters(rig);
            expect(reasonIn(rig)).toContain('no space is left on the device (ENOSPC)');
            disk.clear();
            await rig.writesOn();
            await finish('disk full', rig, () => fs.readFileSync(path, 'utf8'));
          } finally {
            disk.remove();
          }
        },
  },
  permission: {
    'a file that nobody may write, not even root': () =>
      throughLink(
        'permission',
        '/proc/sys/kernel/ostype',
        /permission is denied \(EACCES\)|read-only \(EROFS\)/,
      ),
  },
});
