import { describe, expect, test } from '@jest/globals';
import { linesOf, verified } from '../../../analysis/verify/support.js';
import { ask, drain, fileWith, start } from './support.js';

const CONTENT = Array.from({ length: 3_000 }, (_, i) => `line ${i} ${i % 3 === 0 ? 'é' : ''}\n`).join('');
const STAMPED = { timestamp_pattern: String.raw`(?P<timestamp>\d+)`, timestamp_format: '%s' };

const marksOf = async (content: string | Buffer, params: Record<string, unknown>, step = 1_000) => {
  const { producer, lines } = await start({ path: await fileWith(content), ...params });
  const drained = await drain(producer, 20_000, step);
  await producer.close();
  return { ...drained, lines };
};

/** Microseconds of each mark. */
const microsIn = (events: readonly string[]): readonly number[] =>
  events.map((event) => Number(/:(\d+):[0-9a-f]{8}"?\s*}?$/.exec(event)?.[1]));

describe('replay with marks', () => {
  test.each([
    ['text', {}],
    ['text', STAMPED],
    ['text', { encoding: 'latin-1' }],
    ['tsv', {}],
    ['tsv', STAMPED],
  ])('%s: every line carries the next number and its timestamp %j', async (marks, params) => {
    const plain = await marksOf(CONTENT, params);
    const { events } = await marksOf(CONTENT, { marks, ...params }, 7);
    const mark = marks === 'text' ? / spate=[0-9a-f:]+$/ : /\t[0-9a-f:]+$/;
    expect(events.map((event) => event.replace(mark, ''))).toEqual(plain.events);
    const report = verified([linesOf(events)], { expected: 3_000, chunk_bytes: 10_000 });
    expect(report).toMatchObject({ ok: true, events: 3_000, unchecked: 0, streams: [{ out_of_order: 0 }] });
    // Timestamp number i of a call is i seconds after the epoch.
    expect(microsIn(events)).toEqual(events.map((_, i) => i * 1_000_000));
  });

  test('json: every line that is an object carries one; the others are failed events with their number', async () => {
    const content = '{"a": 1}\nno\n{ }\n\n[1]\n{"spate":1}\n{"b":[2]}\n';
    const { events, failed, consumed, lines } = await marksOf(content, { marks: 'json' });
    expect([failed, consumed]).toEqual([4, 7]);
    expect(events.map((event) => Object.keys(JSON.parse(event) as object))).toEqual([
      ['a', 'spate'],
      ['spate'],
      ['b', 'spate'],
    ]);
    expect(verified([linesOf(events)], { expected: 3 })).toMatchObject({ ok: true, unchecked: 0 });
    expect(microsIn(events).map((micros) => micros / 1_000_000)).toEqual([0, 2, 6]);
    expect(lines).toEqual(
      [2, 4, 5, 6].map((line) =>
        expect.objectContaining({
          level: 'error',
          message: 'line failed: it cannot carry a mark',
          context: expect.objectContaining({ line, reason: expect.stringMatching(/json/i) }),
        }),
      ),
    );
  });

  test('a line that cannot be decoded uses no number; the next one has its own timestamp', async () => {
    const bad = Buffer.from([0xff, 0x0a]);
    const content = Buffer.concat([
      Buffer.from('é1\n'),
      bad,
      bad,
      Buffer.from('x2\n'),
      bad,
      Buffer.from('y'),
    ]);
    for (const step of [1, 4, 100]) {
      const { events, failed } = await marksOf(content, { marks: 'text' }, step);
      expect(failed).toBe(3);
      expect(verified([linesOf(events)], { expected: 3 })).toMatchObject({ ok: true });
      expect(microsIn(events).map((micros) => micros / 1_000_000)).toEqual([0, 3, 5]);
    }
  });

  test('the stream follows the seed, and is another part of it than the draws', async () => {
    const [one, two] = [await marksOf('a', { marks: 'text' }), await marksOf('a', { marks: 'text' })];
    expect(one.events).toEqual(two.events);
    expect(one.events[0]).toMatch(/^a spate=[0-9a-f]{8}:1:0:[0-9a-f]{8}$/);
  });

  test('without marks lines stay bytes', async () => {
    const { producer } = await start({ path: await fileWith('a\nb\n') });
    const { events } = await ask(producer, 0, 2);
    expect(events.bytes('\n')).toBe(events.bytes('\n'));
    const buffer = Buffer.from(events.bytes('\n').buffer);
    expect(buffer.includes('a\nb\n')).toBe(true);
    expect(buffer.length).toBeGreaterThan(4_000);
  });
});
