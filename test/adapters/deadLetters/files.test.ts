import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { deadLetterFiles } from '../../../src/adapters/deadLetters/files.js';
import { failure } from '../../../src/domain/errors.js';
import { fakeClock } from '../../support/clocks/fakeClock.js';

const WHY = failure('output_failed', 'no route to host');
const clock = fakeClock(Date.parse('2026-11-20T19:05:09Z') * 1_000);

describe('dead letters in files', () => {
  let root = '';
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'spate-letters-'));
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  const linesOf = async (folder: string, file: string): Promise<readonly unknown[]> =>
    (await readFile(join(folder, file), 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);

  test('hold any event unchanged, with reason and time', async () => {
    const folder = join(root, 'deep', '1-file');
    const events = ['plain', 'two\nlines', '"quoted"', '\u0000\ud800', ''];
    expect(E.isRight(await deadLetterFiles(folder, clock).put(events, WHY))).toBe(true);
    const lines = (await linesOf(folder, '00000001.jsonl')) as readonly { event: string }[];
    expect(lines.map(({ event }) => event)).toEqual(events);
    expect(lines[0]).toEqual({
      at: '2026-11-20T19:05:09+00:00',
      code: 'output_failed',
      reason: 'no route to host',
      event: 'plain',
    });
  });

  test('many at once do not mix', async () => {
    const letters = deadLetterFiles(root, clock);
    await Promise.all(Array.from({ length: 50 }, (_, n) => letters.put([`${n} a`, `${n} b`], WHY)));
    const events = ((await linesOf(root, '00000001.jsonl')) as readonly { event: string }[]).map(
      ({ event }) => event,
    );
    expect(events).toEqual(Array.from({ length: 50 }, (_, n) => [`${n} a`, `${n} b`]).flat());
  });

  test('go on where an earlier run ended, in a new file when that is large', async () => {
    await deadLetterFiles(root, clock).put(['first'], WHY);
    await deadLetterFiles(root, clock).put(['second'], WHY);
    expect(await linesOf(root, '00000001.jsonl')).toHaveLength(2);
    await writeFile(join(root, '00000002.jsonl'), Buffer.alloc(16 * 1024 * 1024, 0x20));
    await deadLetterFiles(root, clock).put(['third'], WHY);
    expect((await readdir(root)).sort()).toEqual(['00000001.jsonl', '00000002.jsonl', '00000003.jsonl']);
    expect((await stat(join(root, '00000003.jsonl'))).size).toBeLessThan(200);
  });

  test('that cannot be written say where and why, and work again when they can', async () => {
    const blocked = join(root, 'file');
    await writeFile(blocked, '');
    const letters = deadLetterFiles(join(blocked, 'box'), clock);
    const refused = await letters.put(['x'], WHY);
    expect(E.isLeft(refused) ? refused.left.message : '').toContain(join(blocked, 'box'));
    await rm(blocked);
    expect(E.isRight(await letters.put(['y'], WHY))).toBe(true);
  });
});
