import * as fs from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, expect } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { openStream } from '../../src/plugins/outputs/stdout/plugin.js';
import { stdoutFields } from '../../src/plugins/outputs/stdout/spec.js';
import { decode, record } from '../../src/schema/index.js';
import { newFolder, removeFolders } from '../plugins/outputs/support.js';
import { numberedEvent, type Rig, startRig } from '../support/faults/faultRig.js';
import { CLI, eventually } from '../support/instance.js';
import { newPipe, type Pipe, readWhile } from '../support/pipe.js';
import { hasPrograms, needs, spawn } from '../support/programs.js';
import { hasPrlimit, limitFiles, NEEDS_PRLIMIT } from './fileLimit.js';
import { drink } from './readers.js';
import { expectAccounted, type FaultTest, faultRows, report } from './rows.js';

const rigs: Rig[] = [];
const pipes: Pipe[] = [];
const files: number[] = [];

afterEach(async () => {
  for (const rig of rigs.splice(0)) {
    rig.abort();
    await rig.drain();
  }
  for (const pipe of pipes.splice(0)) pipe.close();
  for (const fd of files.splice(0)) fs.closeSync(fd);
});
afterAll(removeFolders);

const startOn = (fd: number): Rig => {
  const decoded = decode(record(stdoutFields), {});
  if (E.isLeft(decoded)) throw new Error(JSON.stringify(decoded.left));
  const rig = startRig({
    folder: newFolder(),
    outputs: [(context) => openStream(fd, decoded.right, { ...context } as never)],
  });
  rigs.push(rig);
  return rig;
};

const pipeOf = (): Pipe => {
  const pipe = newPipe(newFolder());
  pipes.push(pipe);
  return pipe;
};

const fileOf = (path: string, flags: string): number => {
  const fd = fs.openSync(path, flags);
  files.push(fd);
  return fd;
};

/** Ends the run while the reader continues: the written events arrive whole and in order. */
const finish = async (row: string, rig: Rig, pipe: Pipe, before: string): Promise<void> => {
  const { result, seen } = await readWhile(pipe, rig.drain());
  expect(result).toEqual(E.right('drained'));
  report(`stdout x ${row}`, rig);
  expectAccounted(rig);
  expect(rig.count('written')).toBe(rig.produced());
  expect(rig.count('retries')).toBe(0);
  const expected = Array.from({ length: rig.produced() }, (_, n) => `${numberedEvent(n)}\n`).join('');
  expect(before + seen === expected).toBe(true);
};

const SCRIPT = "let n = 0; export const produce = () => `${++n} ${'.'.repeat(200)} end`;";
const configOf = (count: number): string =>
  `input: [linspace: {start: now, end: +600s, count: ${count}}]\nevent: {script: {path: produce.mjs}}\noutput: [stdout: {}]\n`;

const WHOLE = /^\d+ \.{200} end$/;

/** The real program with a redirection of the shell: `|`, `>`, `<`. */
const program = (redirection: string, ...options: readonly string[]) => {
  const folder = newFolder();
  fs.writeFileSync(join(folder, 'produce.mjs'), SCRIPT);
  fs.writeFileSync(join(folder, 'generator.yml'), configOf(600_000));
  const command = `exec "${process.execPath}" "${CLI}" generate --path generator.yml -vv ${options.join(' ')} ${redirection}`;
  const child = spawn('bash', ['-o', 'pipefail', '-c', command], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk.toString();
  });
  const exited = new Promise<number | null>((resolve) => child.on('close', (code) => resolve(code)));
  return { folder, child, exited, out: () => out, err: () => err };
};

/** Counters in the final log line of a run. */
const summaryOf = (err: string) => {
  const found = /: ([\d,]+) events? in .*; stdout: ([\d,]+) written(?:, ([\d,]+) failed)?/.exec(err);
  const [produced, written, failed] = [1, 2, 3].map((at) => Number((found?.[at] ?? '0').replaceAll(',', '')));
  return { produced, written, failed };
};

const NEEDS_BASH = needs('bash');
const withBash = (body: () => Promise<void>, more = true): FaultTest =>
  hasPrograms('bash') && more ? body : 'skipped';

const ALL_AT_ONCE = ['--live-mode', 'false', '--limit', '50000'];

faultRows('stdout', {
  refused: {
    'a stream that is closed: the run fails at once, says what to do, and makes nothing': async () => {
      const rig = startOn(987_654);
      expect(await rig.ended).toMatchObject({
        left: {
          code: 'output_failed',
          message: expect.stringMatching(
            /cannot open standard output: the stream is closed .*Start the program/,
          ),
        },
      });
      expect(rig.account()).toMatchObject({ produced: 0, sums: [0] });
    },
    [`the program started with \`>&-\`: Node opens /dev/null in its place, and the events go there ${NEEDS_BASH}`]:
      withBash(async () => {
        const { exited, err } = program('>&-', ...ALL_AT_ONCE);
        expect(await exited).toBe(0);
        expect(summaryOf(err())).toEqual({ produced: 50_000, written: 50_000, failed: 0 });
      }),
  },
  'reset mid-batch': {
    'a reader that goes while a batch is half out: the run ends with the reason, every event is in a counter':
      async () => {
        const pipe = pipeOf();
        const rig = startOn(pipe.writeFd);
        await rig.isHeldBack();
        pipe.take();
        await rig.isHeldBack();
        fs.closeSync(pipe.readFd);
        expect(await rig.ended).toMatchObject({ left: { code: 'reader_gone' } });
        report('stdout x reset mid-batch', rig);
        expectAccounted(rig);
        expect(rig.count('write_failed')).toBeLessThan(500);
        expect(rig.letters()).toHaveLength(rig.count('dead_lettered'));
        expect(rig.count('retries')).toBe(0);
      },
    [`the program before \`| head -n 5\`: ends by itself with 1 and says why ${NEEDS_BASH}`]: withBash(
      async () => {
        const { exited, out, err } = program('| head -n 5', '--live-mode', 'false');
        expect(await exited).toBe(1);
        expect(out().trimEnd().split('\n')).toHaveLength(5);
        expect(err()).toContain('standard output: the reader went away');
        const { produced = 0, written = 0, failed = 0 } = summaryOf(err());
        expect(produced).toBeGreaterThan(0);
        expect(written + failed).toBe(produced);
      },
    ),
  },
  slow: {
    'a slow reader slows the producer down; nothing fails': async () => {
      const pipe = pipeOf();
      const rig = startOn(pipe.writeFd);
      const reader = drink(pipe.readFd, 4_096);
      const { allowed } = rig.account();
      await rig.until('a full queue', () => rig.account().mostInFlight[0] === allowed[0]);
      await rig.writesOn(5_000);
      await finish('slow', rig, pipe, reader.stop());
    },
  },
  hung: {
    'a reader that stands still holds the producer back, longer than write_timeout; then all arrives':
      async () => {
        const pipe = pipeOf();
        const rig = startOn(pipe.writeFd);
        await rig.isHeldBack();
        const before = rig.produced();
        await rig.isHeldBack();
        expect(rig.produced()).toBe(before);
        const reader = drink(pipe.readFd, 65_536);
        await rig.writesOn(5_000);
        await finish('hung', rig, pipe, reader.stop());
      },
    'a stop while the reader stands still accounts for everything': async () => {
      const rig = startOn(pipeOf().writeFd);
      await rig.isHeldBack();
      const ended = rig.drain();
      rig.abort();
      expect(await ended).toEqual(E.right('drained'));
      report('stdout x hung (stopped)', rig);
      expectAccounted(rig);
    },
  },
  'disk full': {
    'a full device: retried, then dead letters, and no more is held than the queue allows': async () => {
      const rig = startOn(fileOf('/dev/full', 'w'));
      await rig.until('dead letters', () => rig.count('dead_lettered') > 2_000);
      expect(rig.count('retries')).toBeGreaterThanOrEqual(4);
      expect(await rig.drain()).toEqual(E.right('drained'));
      report('stdout x disk full', rig);
      expectAccounted(rig);
      expect(rig.count('dead_lettered')).toBe(rig.produced());
      expect(rig.letters()).toHaveLength(rig.produced());
    },
    [`the program into a file that may not grow (RLIMIT_FSIZE): no torn event, and on when it may ${NEEDS_BASH} ${NEEDS_PRLIMIT}`]:
      withBash(async () => {
        const { folder, child, exited, err } = program('> out.log');
        const path = join(folder, 'out.log');
        const size = (): number => (fs.existsSync(path) ? fs.statSync(path).size : 0);
        await eventually(async () => (size() > 0 ? true : null), 'the first events');
        const pid = child.pid ?? 0;
        limitFiles(pid, size() + 20_000);
        await eventually(
          async () => (err().includes('its events are lost') ? true : null),
          'a write that failed',
        );
        const stuck = size();
        limitFiles(pid, 'unlimited');
        await eventually(async () => (size() > stuck ? true : null), 'events after the limit');
        child.kill('SIGTERM');
        expect(await exited).toBe(143);
        const counts = summaryOf(err());
        process.stderr.write(`stdout x disk full (RLIMIT_FSIZE): ${JSON.stringify(counts)}\n`);
        const { produced = 0, written = 0, failed = 0 } = counts;
        expect(written + failed).toBe(produced);
        expect(failed).toBeGreaterThan(0);
        const lines = fs.readFileSync(path, 'utf8').split('\n').slice(0, -1);
        expect(lines.filter((line) => !WHOLE.test(line))).toEqual([]);
        // An event torn by the error counts as failed, although its rest is written if possible.
        expect(lines.length - written).toBeGreaterThanOrEqual(0);
        expect(lines.length - written).toBeLessThanOrEqual(1);
      }, hasPrlimit),
  },
  permission: {
    'a file that is only open for reading: the run fails at once, says what to do, and makes nothing':
      async () => {
        const path = join(newFolder(), 'read-only');
        fs.writeFileSync(path, '');
        const rig = startOn(fileOf(path, 'r'));
        expect(await rig.ended).toMatchObject({
          left: { code: 'output_failed', message: expect.stringContaining('only open for reading (EBADF)') },
        });
        expect(rig.account()).toMatchObject({ produced: 0, sums: [0] });
      },
  },
});
