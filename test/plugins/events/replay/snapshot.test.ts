import { appendFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Json } from '../../../../src/domain/json.js';
import type { EventProducer } from '../../../../src/plugins/kit.js';
import { ask, directory, drain, fileWith, start } from './support.js';

/** A state as a checkpoint file gives it back. */
const saved = (producer: EventProducer): Json => JSON.parse(JSON.stringify(producer.snapshot?.())) as Json;

const resumed = async (params: Record<string, unknown>, state: Json) => {
  const { producer, lines } = await start(params);
  await producer.restore?.(state);
  return { producer, lines };
};

interface Step {
  readonly count: number;
  readonly isSpent: boolean;
  readonly isResumed: boolean;
}

/** What each call of a run gives, where some calls are followed by a resume in a new producer. */
const runIn = async (params: Record<string, unknown>, steps: readonly Step[]) => {
  let { producer } = await start(params);
  const given: unknown[] = [];
  let at = 0;
  for (const { count, isSpent, isResumed } of steps) {
    const produced = await ask(producer, at, at + count, () => isSpent);
    at += produced.consumed;
    given.push(produced.events.texts(), produced.failed, produced.consumed);
    if (produced.exhausted) break;
    if (!isResumed) continue;
    const state = saved(producer);
    await producer.close();
    ({ producer } = await resumed(params, state));
  }
  await producer.close();
  return given;
};

const step = fc.record({
  count: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 900 })),
  isSpent: fc.boolean(),
  isResumed: fc.boolean(),
});

const line = fc.constantFrom('a', '', 'é1', '12', 'x'.repeat(300), 'crlf\r', '{"a":1}', '\u0000', '漢 7');

const PARAMS: readonly Record<string, unknown>[] = [
  {},
  { repeat: true },
  { chunk_size: 1, repeat: true },
  { chunk_size: 0 },
  { timestamp_pattern: String.raw`(?P<timestamp>\d+)`, timestamp_format: '<%s>', repeat: true },
  { timestamp_pattern: String.raw`(?P<timestamp>\d+)`, timestamp_format: 'T%n' },
  { marks: 'text', repeat: true },
  { marks: 'json', chunk_size: 1, repeat: true },
  { marks: 'tsv', timestamp_pattern: String.raw`(?P<timestamp>\d+)`, timestamp_format: '%s' },
  { encoding: 'utf_16', repeat: true },
  { encoding: 'latin-1', marks: 'text' },
];

describe('replay resumed from a snapshot', () => {
  test.each(PARAMS)('gives at every boundary what an uninterrupted run gives: %j', async (params) => {
    const encoding = params['encoding'] === 'utf_16' ? 'utf16le' : 'utf8';
    const content = fc
      .tuple(fc.array(line, { maxLength: 400 }), fc.boolean())
      .map(([lines, isEnded]) => lines.join('\n') + (isEnded ? '\n' : ''));
    await fc.assert(
      fc.asyncProperty(content, fc.array(step, { minLength: 1, maxLength: 12 }), async (text, steps) => {
        const mark = encoding === 'utf16le' ? '\ufeff' : '';
        const path = await fileWith(Buffer.from(mark + text, encoding));
        const all = { path, ...params };
        const uninterrupted = steps.map((one) => ({ ...one, isResumed: false }));
        expect(await runIn(all, steps)).toEqual(await runIn(all, uninterrupted));
        await rm(join(directory, path));
      }),
      { numRuns: 40, seed: 1 },
    );
  });

  test('also in the middle of a run of lines, and with bytes that are not valid', async () => {
    const bytes = Buffer.concat(
      Array.from({ length: 900 }, (_, i) =>
        Buffer.from(i % 5 === 0 ? [0xff, 0x0a] : [0x61 + (i % 26), 0x0a]),
      ),
    );
    const path = await fileWith(bytes);
    for (const marks of [null, 'text']) {
      const steps = Array.from({ length: 60 }, (_, i) => ({
        count: 1 + (i % 31),
        isSpent: false,
        isResumed: true,
      }));
      const whole = steps.map((one) => ({ ...one, isResumed: false }));
      expect(await runIn({ path, marks }, steps)).toEqual(await runIn({ path, marks }, whole));
    }
  });

  test('a line over the limit is passed once, before or after the boundary', async () => {
    const path = await fileWith(`a\n${'x'.repeat(17 * 1024 * 1024)}\nb\n`);
    const params = { path, chunk_size: 100_000, marks: 'text' };
    const steps = Array.from({ length: 4 }, () => ({ count: 1, isSpent: false, isResumed: true }));
    const whole = steps.map((one) => ({ ...one, isResumed: false }));
    expect(await runIn(params, steps)).toEqual(await runIn(params, whole));
  });

  test('lines appended meanwhile follow, also when the end was reached before', async () => {
    for (const count of [2, 3, 9]) {
      const path = await fileWith('1\n2\n3\n');
      const { producer } = await start({ path, marks: 'text' });
      const { events } = await drain(producer, count);
      const state = saved(producer);
      await appendFile(join(directory, path), '4\n5');
      const { producer: next, lines } = await resumed({ path, marks: 'text' }, state);
      const all = [...events, ...(await drain(next)).events];
      expect(all.map((event) => event.replace(/ spate=.*$/, ''))).toEqual(['1', '2', '3', '4', '5']);
      expect(all.map((event) => event.split(':')[1])).toEqual(['1', '2', '3', '4', '5']);
      expect(lines).toEqual([]);
    }
  });

  test('a file that has become shorter is refused, with what to do', async () => {
    const path = await fileWith('1\n2\n3\n');
    const { producer } = await start({ path });
    await drain(producer, 2);
    const state = saved(producer);
    await truncate(join(directory, path), 2);
    const again = await start({ path });
    await expect(async () => again.producer.restore?.(state)).rejects.toThrow(
      /ends before byte 4 \(line 3\), the position of the checkpoint\. .* start without the checkpoint/,
    );
  });

  test('with repeat it begins again with the first line, and says so', async () => {
    const path = await fileWith('1\n2\n3\n');
    const params = { path, repeat: true, marks: 'text' };
    const { producer } = await start(params);
    await drain(producer, 2);
    const state = saved(producer);
    await writeFile(join(directory, path), 'n\n');
    const { producer: next, lines } = await resumed(params, state);
    const { events } = await drain(next, 2);
    expect(events.map((event) => event.replace(/^(.*) spate=[0-9a-f]+:(\d+):.*$/, '$1$2'))).toEqual([
      'n3',
      'n4',
    ]);
    expect(lines).toMatchObject([{ level: 'warning', context: { offset: 4, line: 3 } }]);
  });

  test('a place that is in the middle of a line now is said', async () => {
    const path = await fileWith('1\n2\n3\n');
    const { producer } = await start({ path });
    await drain(producer, 2);
    const state = saved(producer);
    await writeFile(join(directory, path), 'something else\nb\n');
    const { producer: next, lines } = await resumed({ path }, state);
    expect((await drain(next)).events).toEqual(['thing else', 'b']);
    expect(lines).toMatchObject([{ level: 'warning', message: expect.stringContaining('middle of a line') }]);
  });

  test('marks that were switched on or off since: a stream of their own, or none', async () => {
    const path = await fileWith('1\n2\n3\n');
    const plain = await start({ path });
    await drain(plain.producer, 1);
    const marked = await resumed({ path, marks: 'text' }, saved(plain.producer));
    expect((await drain(marked.producer, 1)).events[0]).toMatch(/^2 spate=[0-9a-f]{8}:1:/);
    const off = await resumed({ path }, saved(marked.producer));
    expect((await drain(off.producer, 1)).events).toEqual(['3']);
  });

  test.each([
    null,
    [],
    {},
    { offset: 1 },
    { offset: -1, line: 1 },
    { offset: 1.5, line: 1 },
    { offset: 1, line: 0 },
    { offset: 0, line: 1, marks: { stream: -1, sequence: 1 } },
    { offset: 0, line: 1, marks: { stream: 1 } },
  ])('a state that was never saved is refused: %j', async (state) => {
    const { producer } = await start({ path: await fileWith('a'), marks: 'text' });
    await expect(async () => producer.restore?.(state as Json)).rejects.toThrow('is invalid');
  });

  test('a snapshot inside of a run has the position of the next line', async () => {
    const path = await fileWith('x\n'.repeat(60_000));
    const { producer } = await start({ path, marks: 'text' });
    await drain(producer, 15_000);
    expect(producer.snapshot?.()).toMatchObject({ offset: 30_000, line: 15_001 });
  });
});
