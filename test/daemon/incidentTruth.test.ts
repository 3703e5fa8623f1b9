import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { readTruth } from '../../src/daemon/incidentFiles.js';
import type { JsonObject } from '../../src/domain/json.js';
import { left, right } from '../support/either.js';

const label = (event: number, incident = 'theft'): string =>
  JSON.stringify({ at: '2026-01-05T08:00:00Z', generator: 'door', event, mark: null, incident });

describe('the ground truth of an incident', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'spate-truth-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const file = (name: string): string => join(folder, name);
  const into = (path: string): JsonObject => ({ file: { path: file(path) } });
  const read = async (
    ground_truth: JsonObject | null = into('{member}.jsonl'),
    after: string | null = null,
    members: readonly string[] = ['door', 'safe'],
  ) => right(await readTruth({ name: 'theft', ground_truth }, members, after));

  test('is read from the files of all members, and later only what is new', async () => {
    await writeFile(file('door.jsonl'), `${label(1)}\n${label(2)}\n`);
    const first = await read();
    expect(first).toMatchObject({
      lines: [label(1), label(2)],
      is_anew: true,
      is_more: false,
      problem: null,
    });
    await appendFile(file('door.jsonl'), `${label(3)}\n`);
    await writeFile(file('safe.jsonl'), `${label(4)}\n`);
    const second = await read(undefined, first.next);
    expect(second).toMatchObject({ lines: [label(3), label(4)], is_anew: false });
    expect((await read(undefined, second.next)).lines).toEqual([]);
  });

  test('waits for the end of a line', async () => {
    const [begin, end] = [label(1).slice(0, 20), label(1).slice(20)];
    await writeFile(file('door.jsonl'), begin);
    const first = await read();
    expect(first.lines).toEqual([]);
    await appendFile(file('door.jsonl'), `${end}\n`);
    expect((await read(undefined, first.next)).lines).toEqual([label(1)]);
  });

  test('begins anew when a file was emptied', async () => {
    await writeFile(file('door.jsonl'), `${label(1)}\n${label(2)}\n`);
    await writeFile(file('safe.jsonl'), `${label(3)}\n`);
    const { next } = await read();
    await writeFile(file('door.jsonl'), `${label(1)}\n`);
    expect(await read(undefined, next)).toMatchObject({ lines: [label(1), label(3)], is_anew: true });
  });

  test('comes in pieces, each line whole and once', async () => {
    const lines = Array.from({ length: 20_000 }, (_, index) => label(index + 1));
    await writeFile(file('door.jsonl'), `${lines.join('\n')}\n`);
    const found: string[] = [];
    let after: string | null = null;
    let pieces = 0;
    for (let isMore = true; isMore; pieces++) {
      const part = await read(undefined, after);
      found.push(...part.lines);
      after = part.next;
      isMore = part.is_more;
    }
    expect(pieces).toBeGreaterThan(2);
    expect(found).toEqual(lines);
  });

  test('is nothing else that a file has: other lines stay where they are', async () => {
    const others = ['root:x:0:0', '{"password":"hunter2"}', '[1]', label(2, 'another')];
    await writeFile(file('door.jsonl'), `${[...others, label(1), ...others].join('\n')}\n`);
    expect((await read()).lines).toEqual([label(1)]);
  });

  test('that all members write into one file is read once', async () => {
    await writeFile(file('all.jsonl'), `${label(1)}\n${label(2)}\n`);
    expect((await read(into('all.jsonl'))).lines).toEqual([label(1), label(2)]);
  });

  test('that is no file says where it is', async () => {
    expect((await read(null)).problem).toMatch(/no `ground_truth`/);
    expect((await read({ kafka: { topic: 'truth' } })).problem).toBe(
      'The ground truth goes to kafka: look there.',
    );
    expect((await read(into('{date}.jsonl'))).problem).toMatch(/changes over time/);
  });

  test.each([['x'], ['1'], ['-1'], ['1.5-0'], ['0-0-0'], ['1e99-0']])(
    'is read from its beginning if %j is no place in it',
    async (after) => {
      await writeFile(file('door.jsonl'), `${label(1)}\n`);
      expect(await read(undefined, after)).toMatchObject({ lines: [label(1)], is_anew: true });
    },
  );

  test('is empty before the first run, and as a folder', async () => {
    expect((await read()).lines).toEqual([]);
    await mkdir(file('door.jsonl'));
    expect((await read()).lines).toEqual([]);
  });

  test('that cannot be read says why', async () => {
    const found = await readTruth({ name: 'theft', ground_truth: into('x'.repeat(300)) }, ['door'], null);
    expect(left(found).code).toBe('unreadable');
  });
});
