import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  binaryBatch,
  documentsOf,
  type EventBatch,
  textBatch,
} from '../../../src/domain/events/eventBatch.js';

const batchOf = (items: readonly Uint8Array[], documents: readonly string[]): EventBatch => {
  let end = 0;
  const ends = Uint32Array.from(items, ({ length }) => {
    end += length + 1;
    return end;
  });
  const bytes = Buffer.concat(items.flatMap((item) => [item, Buffer.from('\n')]));
  return binaryBatch({ bytes, ends }, documents);
};

const itemsIn = (batch: EventBatch): readonly string[] => {
  const { bytes, ends } = batch.encoded();
  return Array.from(ends, (end, index) =>
    Buffer.from(bytes.subarray(index === 0 ? 0 : ends[index - 1], end - 1)).toString('hex'),
  );
};

test('items of any bytes stay as they are, whatever is picked and put between them', () =>
  fc.assert(
    fc.property(
      fc.array(fc.uint8Array({ maxLength: 5 }), { minLength: 1, maxLength: 6 }),
      fc.constantFrom('', '\n', '\r\n', 'é'),
      fc.infiniteStream(fc.boolean()),
      (items, separator, isPicked) => {
        const hex = items.map((item) => Buffer.from(item).toString('hex'));
        const batch = batchOf(items, hex);
        expect(batch.count).toBe(items.length);
        expect(itemsIn(batch)).toEqual(hex);
        const joined = Buffer.concat(items.flatMap((item) => [item, Buffer.from(separator)]));
        expect(Buffer.from(batch.bytes(separator)).equals(joined)).toBe(true);
        const positions = [...items.keys()].filter(() => isPicked.next().value === true);
        if (positions.length === 0) return;
        const picked = batch.pick(positions);
        expect(itemsIn(picked)).toEqual(positions.map((position) => hex[position]));
        expect(documentsOf(picked)).toEqual(positions.map((position) => hex[position]));
      },
    ),
  ));

test('their texts and heads are Base64; keys are read from the events behind them', () => {
  const batch = batchOf([Buffer.of(0, 255), Buffer.of(10)], ['{"a":1}', '{"a":2}']);
  expect(batch.texts()).toEqual(['AP8=', 'Cg==']);
  expect(batch.heads({ count: 1, max_bytes: 3, total_bytes: 10 })).toEqual([
    { text: 'AP8', bytes: 3, is_cut: true },
  ]);
  expect(documentsOf(batch)).toEqual(['{"a":1}', '{"a":2}']);
  expect(documentsOf(batchOf([Buffer.of(0)], []).pick([0]))).toEqual([]);
  expect(documentsOf(textBatch(['x']))).toEqual(['x']);
});
