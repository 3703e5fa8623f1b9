import { expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { lastValueFrom } from 'rxjs';
import { failure } from '../../../../src/domain/errors.js';
import { textBatch } from '../../../../src/domain/events/eventBatch.js';
import { readOutputStat } from '../../../../src/domain/stats/stats.js';
import { pipeline } from '../../../../src/pipeline/pipeline.js';
import { avroPlugin } from '../../../../src/plugins/formatters/avro/plugin.js';
import type { Missed, Output } from '../../../../src/plugins/kit.js';
import type { DeadLetters } from '../../../../src/ports/deadLetters.js';
import { listInput, memoryOutput, partsOf } from '../../../support/pipelines/pipelineParts.js';
import { built } from '../fields/support.js';
import { itemsOf } from './support.js';

/** Refuses item 2 of a write for now and item 4 for good; takes the others. */
const MISSED: readonly Missed[] = [
  { items: [1], reason: failure('output_failed', 'later') },
  { items: [3], reason: failure('rejected', 'never') },
];

test('a retry sends the same bytes; dead letters keep events, and give the same bytes again', async () => {
  const formatter = await built(avroPlugin, { schema: { type: 'record', name: 'R', fields: [] } });
  const numbers = await built(avroPlugin, { schema: 'long' });
  const writes: (readonly Buffer[])[] = [];
  const output: Output = {
    ...memoryOutput(),
    write: async (batch) => {
      const missed = writes.length === 0 ? MISSED : [];
      writes.push(itemsOf(batch));
      return E.right({ written: batch.count - missed.length, failed: 0, bytes: 0, missed });
    },
  };
  const letters: string[] = [];
  const deadLetters: DeadLetters = {
    put: async (events) => {
      letters.push(...events);
      return E.right(undefined);
    },
  };
  const { parts, clock } = partsOf({
    inputs: [listInput([10, 20, 30, 40])],
    outputs: [output],
    more: { retry: { attempts: 3, base_ms: 100, cap_ms: 1_000 } },
  });
  const destinations = parts.destinations.map((each) => ({ ...each, formatter: numbers, deadLetters }));
  const running = lastValueFrom(pipeline({ ...parts, destinations }).flow, { defaultValue: 0 });
  await clock.advanceMs(60_000);
  await running;
  const all = itemsOf(numbers.format(textBatch(letters)).batch);
  expect(writes).toEqual([expect.any(Array), [writes[0]?.[1]]]);
  expect(writes[0]).toHaveLength(4);
  expect(letters).toHaveLength(1);
  expect(all).toEqual([writes[0]?.[3]]);
  expect(readOutputStat(parts.stats, 0, 'written')).toBe(3);
  expect(readOutputStat(parts.stats, 0, 'dead_lettered')).toBe(1);
  // Events that do not fit are counted, and are no items.
  const failed = formatter.format(textBatch(letters));
  expect([failed.batch.count, failed.failures.length]).toEqual([0, 1]);
});
