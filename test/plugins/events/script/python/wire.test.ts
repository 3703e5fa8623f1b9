import { describe, expect, test } from '@jest/globals';
import { produceFrame, readEvents } from '../../../../../src/plugins/events/script/python/wire.js';
import { ADA, activityAt, hostAt } from '../../../../support/worlds.js';

const u32 = (...numbers: number[]): Buffer => Buffer.from(Uint32Array.from(numbers).buffer);

/** A frame as `child/_spate_batch.py` makes it. */
const events = (head: object, ...parts: Buffer[]): Buffer => {
  const text = Buffer.from(JSON.stringify(head));
  return Buffer.concat([Buffer.from('E'), u32(text.length, 0), text, ...parts]);
};

const HEAD = { consumed: 2, events: 2, dropped: 0, exhausted: false };

describe('frames to a Python script', () => {
  test('have the timestamps of the request, each list of tags once, and the list of each timestamp', () => {
    const lists = [Object.freeze(['a']), Object.freeze(['ż'])];
    const frame = produceFrame(
      {
        micros: Float64Array.of(0, 1, 2, 3, 4),
        from: 1,
        to: 5,
        tagsOf: (at) => lists[at % 2] ?? [],
        isSpent: () => false,
      },
      4,
    );
    const text = Buffer.from('[["ż"],["a"]]');
    expect(Buffer.from(frame)).toEqual(
      Buffer.concat([
        Buffer.from('P'),
        u32(3, text.length, 0),
        text,
        Buffer.from(Float64Array.of(1, 2, 3).buffer),
        Buffer.from(Uint16Array.of(0, 1, 0).buffer),
      ]),
    );
  });

  test('with one list of tags do not number it', () => {
    const tags: string[] = [];
    const frame = produceFrame(
      { micros: Float64Array.of(7, 8), from: 0, to: 2, tagsOf: () => tags, isSpent: () => false },
      2,
    );
    expect(frame.length).toBe(1 + 12 + '[[]]'.length + 16);
  });

  test('have what each timestamp observes, with people and hosts once', () => {
    const jump = hostAt('JUMP', 'jump_host', 'linux');
    const given = [
      activityAt(0, 1, { facts: { from: jump, type: 3 } }),
      null,
      activityAt(2, 2, { facts: { from: jump } }),
    ];
    const frame = produceFrame(
      {
        micros: Float64Array.of(0, 1, 2),
        from: 0,
        to: 3,
        tagsOf: () => [],
        activityOf: (at) => given[at] ?? null,
        isSpent: () => false,
      },
      3,
    );
    const lists = Buffer.from(frame).readUInt32LE(5);
    const length = Buffer.from(frame).readUInt32LE(9);
    const text = Buffer.from(frame.slice(13 + lists, 13 + lists + length)).toString();
    const [entities, activities] = JSON.parse(text) as [object[], (Record<string, unknown> | null)[]];
    expect(entities).toEqual([jump, ADA, ADA.workstation]);
    expect(activities[0]).toMatchObject({
      id: 1,
      person: { entity: 1 },
      facts: { from: { entity: 0 }, type: 3 },
      truth: null,
    });
    expect(activities[1]).toBeNull();
    expect(activities[2]).toMatchObject({ id: 2, host: { entity: 2 }, facts: { from: { entity: 0 } } });
  });
});

describe('events of a Python script', () => {
  test('are lines, or have their ends', () => {
    expect(readEvents(events(HEAD, Buffer.from('a\nb\n')))).toMatchObject({ count: 2, ends: null });
    const framed = readEvents(events({ ...HEAD, has_ends: true }, u32(4, 6), Buffer.from('a\nb\nc\n')));
    expect([...(framed.ends ?? [])]).toEqual([4, 6]);
    expect(Buffer.from(framed.bytes).toString()).toBe('a\nb\nc\n');
  });

  test('have each failed timestamp with its reason', () => {
    const head = {
      ...HEAD,
      events: 0,
      failed: [
        [0, 1],
        [1, 0],
      ],
      reasons: ['no', 'never'],
    };
    expect(readEvents(events(head)).failed).toEqual([
      [0, 'never'],
      [1, 'no'],
    ]);
  });

  test.each([
    ['nothing', Buffer.from('E')],
    ['a head that is cut', events({ ...HEAD, events: 0 }).subarray(0, 20)],
    ['a head that is a list', events([])],
    ['a negative number', events({ ...HEAD, events: 0, consumed: -1 })],
    ['a fraction', events({ ...HEAD, events: 1.5 })],
    ['ends that are cut', events({ ...HEAD, has_ends: true }, u32(1))],
    ['ends beyond the events', events({ ...HEAD, has_ends: true }, u32(2, 9), Buffer.from('a\nb\n'))],
    ['ends that go back', events({ ...HEAD, has_ends: true }, u32(9, 4), Buffer.from('a\nb\n'))],
    ['events without a last line end', events(HEAD, Buffer.from('a\nb'))],
    ['bytes without events', events({ ...HEAD, events: 0 }, Buffer.from('a\n'))],
    ['failures without reasons', events({ ...HEAD, events: 0, failed: [[0, 3]] })],
  ])('are refused: %s', (_, frame) => {
    expect(() => readEvents(frame)).toThrow();
  });
});
