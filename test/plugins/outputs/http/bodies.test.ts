import { describe, expect, test } from '@jest/globals';
import { bytesBatch, textBatch } from '../../../../src/domain/events/eventBatch.js';
import { seededRandom } from '../../../../src/domain/random.js';
import { type HttpBody, itemBodies, joinedBodies } from '../../../../src/plugins/outputs/http/output.js';

const textOf = ({ pieces }: HttpBody): string => Buffer.concat(pieces).toString('utf8');
const shown = (bodies: readonly HttpBody[]) => bodies.map((body) => [body.from, body.to, textOf(body)]);

describe('bodies of items', () => {
  test('have one item each, whatever is in it', () => {
    expect(shown(itemBodies(textBatch(['a', '', 'é\nü', '😀'])))).toEqual([
      [0, 1, 'a'],
      [1, 2, ''],
      [2, 3, 'é\nü'],
      [3, 4, '😀'],
    ]);
  });
});

describe('joined bodies', () => {
  test.each([
    ['\n', 1_000, [[0, 4, 'aa\nbb\n\ncccccc\n']]],
    [
      '\n',
      6,
      [
        [0, 2, 'aa\nbb\n'],
        [2, 3, '\n'],
        [3, 4, 'cccccc\n'],
      ],
    ],
    [
      '',
      4,
      [
        [0, 3, 'aabb'],
        [3, 4, 'cccccc'],
      ],
    ],
    [
      ' | ',
      1,
      [
        [0, 1, 'aa | '],
        [1, 2, 'bb | '],
        [2, 3, ' | '],
        [3, 4, 'cccccc | '],
      ],
    ],
  ])('separator %j, at most %d bytes', (separator, max_bytes, expected) => {
    const events = ['aa', 'bb', '', 'cccccc'];
    expect(shown(joinedBodies(textBatch(events), separator, max_bytes))).toEqual(expected);
    const bytes = Buffer.from(`${events.join('\n')}\n`);
    expect(shown(joinedBodies(bytesBatch(bytes, 4), separator, max_bytes))).toEqual(expected);
  });

  test('any batch: all items in order, within the limit unless one is longer alone, as few as that allows', () => {
    const random = seededRandom(7);
    const upTo = (most: number): number => Math.floor(random.next() * (most + 1));
    for (let round = 0; round < 300; round++) {
      const events = Array.from({ length: upTo(40) }, () => 'aé😀\n'.repeat(upTo(4)).slice(0, upTo(9)));
      const separator = ['\n', '', ',', '\r\n'][upTo(3)] as string;
      const limit = 1 + upTo(60);
      const bodies = joinedBodies(textBatch(events), separator, limit);
      expect(bodies.map(textOf).join('')).toBe(
        events.map((event) => Buffer.from(event).toString() + separator).join(''),
      );
      let next = 0;
      for (const [index, body] of bodies.entries()) {
        expect(body.from).toBe(next);
        next = body.to;
        const size = Buffer.byteLength(textOf(body));
        if (size > limit) expect(body.to - body.from).toBe(1);
        const after = events[body.to];
        if (after === undefined) expect(index).toBe(bodies.length - 1);
        else expect(size + Buffer.byteLength(after + separator)).toBeGreaterThan(limit);
      }
      expect(next).toBe(events.length);
    }
  });
});
