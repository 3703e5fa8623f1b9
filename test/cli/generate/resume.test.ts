import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { parseCheckpoint } from '../../../src/domain/checkpoint.js';
import { seededRandom } from '../../../src/domain/random.js';
import { runProgram } from '../../support/instance.js';
import { hasClickhouse, NEEDS_CLICKHOUSE, startClickhouse } from '../../support/servers/clickhouseServer.js';

/** `SPATE_TEST_KILLS=20` for the long form. */
const KILLS = Number(process.env['SPATE_TEST_KILLS'] ?? 5);
const PER_SECOND = 10_000;

const lines = (count: number): string =>
  Array.from({ length: count }, (_, i) => `${i + 1}\tevent ${i + 1} end\n`).join('');

/** Lines that the stream of a checkpoint has used up. */
const usedUp = async (file: string): Promise<number> => {
  const found = parseCheckpoint(await readFile(file, 'utf8'));
  if (found._tag === 'Left') throw new Error(found.left);
  const { inner } = found.right.event as { inner: { replay?: { line: number }; line?: number } };
  return (inner.replay?.line ?? inner.line ?? Number.NaN) - 1;
};

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'spate-resume-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const generate = (...more: readonly string[]) =>
  runProgram(['generate', '--path', folder, '--id', 'g', '--resume', ...more], { cwd: folder });

describe('spate generate --resume', () => {
  const config = (count: number): string => `
input: [linspace: {start: 2026-01-01T00:00:00Z, end: +1h, count: ${count}}]
event: {script: {path: produce.mjs}}
output: [file: {path: out.log}]
`;
  const script = `export const produce = ({timestamp, random, globals}) =>
    globals.increment('n') + ' ' + random.uint32() + ' ' + timestamp;`;

  test('resumes with the next event, random number and private global after Ctrl-C and with another limit', async () => {
    await writeFile(join(folder, 'generator.yml'), config(1_000));
    await writeFile(join(folder, 'produce.mjs'), script);
    const whole = await generate('--live-mode', 'false', '--seed', 's', '--state', 'other').exited;
    expect(whole.code).toBe(0);
    const expected = await readFile(join(folder, 'out.log'), 'utf8');
    await rm(join(folder, 'out.log'));
    for (const limit of ['10', '400', '401']) {
      const program = generate('--live-mode', 'false', '--seed', 's', '--limit', limit, '--quiet');
      expect([await program.exited, program.stderr()]).toEqual([{ code: 0, signal: null }, '']);
    }
    expect((await generate('--live-mode', 'false', '--seed', 's').exited).code).toBe(0);
    expect(await readFile(join(folder, 'out.log'), 'utf8')).toBe(expected);
    const again = generate('--live-mode', 'false', '--seed', 's');
    expect((await again.exited).code).toBe(0);
    expect(again.stderr()).toMatch(/nothing left to do/);
    expect(await readFile(join(folder, 'out.log'), 'utf8')).toBe(expected);
  });

  test('starts over with --state alone; a changed part of the config starts over too', async () => {
    await writeFile(join(folder, 'generator.yml'), config(5));
    await writeFile(join(folder, 'produce.mjs'), script);
    const count = async (): Promise<number> =>
      (await readFile(join(folder, 'out.log'), 'utf8')).split('\n').length - 1;
    expect((await generate('--live-mode', 'false').exited).code).toBe(0);
    const fresh = ['generate', '--path', folder, '--id', 'g', '--live-mode', 'false', '--state', 'state'];
    expect((await runProgram(fresh, { cwd: folder }).exited).code).toBe(0);
    expect(await count()).toBe(10);
    await writeFile(join(folder, 'generator.yml'), config(7));
    const changed = generate('--live-mode', 'false', '-vvv');
    expect((await changed.exited).code).toBe(0);
    expect(changed.stderr()).toMatch(/inputs of the config changed since the checkpoint/);
    expect(await count()).toBe(17);
    // The unchanged script continues counting.
    const last = (await readFile(join(folder, 'out.log'), 'utf8')).trimEnd().split('\n').at(-1) ?? '';
    expect(last).toMatch(/^12 /);
  });

  test('says what to do about a damaged checkpoint and changes nothing', async () => {
    await writeFile(join(folder, 'generator.yml'), config(5));
    await writeFile(join(folder, 'produce.mjs'), script);
    expect((await generate('--live-mode', 'false').exited).code).toBe(0);
    const file = join(folder, 'state', 'checkpoints', 'g.json');
    await writeFile(file, '{"version": 1, "fingerprint": "x"');
    const program = generate('--live-mode', 'false');
    expect((await program.exited).code).toBe(1);
    expect(program.stderr()).toMatch(/checkpoint .*g\.json cannot be used: it is not JSON\. Delete it/);
  });
});

(hasClickhouse ? describe : describe.skip)(`a checkpointed run into ClickHouse ${NEEDS_CLICKHOUSE}`, () => {
  test(`that is killed ${KILLS} times at random moments: every number is there, doubles only from the unsaved windows`, async () => {
    const seconds = Math.ceil(KILLS * 1.4) + 2;
    const count = seconds * PER_SECOND;
    const server = await startClickhouse();
    try {
      await server.query('CREATE TABLE events (n UInt32, text String) ENGINE = MergeTree ORDER BY n');
      await writeFile(join(folder, 'lines.tsv'), lines(count));
      await writeFile(
        join(folder, 'generator.yml'),
        `
input: [linspace: {start: now, end: +${seconds}s, count: ${count}}]
event: {replay: {path: lines.tsv}}
output: [clickhouse: {host: 127.0.0.1, port: ${server.port}, table: events}]
`,
      );
      const seed = String(process.env['SPATE_TEST_SEED'] ?? Date.now());
      const random = seededRandom(seed);
      const windows: string[] = [];
      for (let kill = 0; kill < KILLS; kill++) {
        const program = generate(
          '--skip-past',
          'false',
          '--batch.size',
          '2000',
          '--batch.delay',
          '0.2',
          '-vvv',
        );
        await sleep(random.integer(400, 2_000));
        program.child.kill('SIGKILL');
        expect(await program.exited).toEqual({ code: null, signal: 'SIGKILL' });
        const saved = await usedUp(join(folder, 'state', 'checkpoints', 'g.json')).catch(() => 0);
        // An insert in flight may still become visible.
        const inserts = "SELECT count() FROM system.processes WHERE lower(query) LIKE 'insert%'";
        while (Number(await server.query(inserts)) > 0) await sleep(20);
        const last = Number(await server.query('SELECT max(n) FROM events'));
        windows.push(`(n > ${saved} AND n <= ${Math.max(last, saved)})`);
      }
      const finish = generate('--skip-past', 'false', '--batch.size', '2000', '--batch.delay', '0.2', '-vvv');
      expect(await finish.exited).toEqual({ code: 0, signal: null });
      const whole = "text = concat('event ', toString(n), ' end')";
      const [rows, distinct, first, last] = (
        await server.query(`SELECT count(), uniqExact(n), min(n), max(n) FROM events WHERE ${whole}`)
      )
        .split('\t')
        .map(Number);
      const torn = await server.query(`SELECT count() FROM events WHERE NOT (${whole})`);
      const stray = await server.query(
        `SELECT count() FROM (SELECT n, count() AS times FROM events GROUP BY n HAVING times > 1) WHERE NOT (${windows.join(' OR ')})`,
      );
      process.stderr.write(
        `seed ${seed}: ${count} events, ${KILLS} kills, ${Number(rows) - count} doubles (${torn} torn rows), windows ${windows.join(' ')}\n`,
      );
      expect([distinct, first, last]).toEqual([count, 1, count]);
      expect(Number(stray)).toBe(0);
    } finally {
      await server.remove();
    }
  }, 180_000);
});
