import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { failure } from '../../src/domain/errors.js';
import { type EventBatch, textBatch } from '../../src/domain/events/eventBatch.js';
import { deliver } from '../../src/pipeline/delivery/deliver.js';
import type { Formatter, Output } from '../../src/plugins/kit.js';
import { memoryOutput, partsOf } from '../support/pipelines/pipelineParts.js';

/** Delivers one batch to the outputs; `released`: number of releases so far. */
const delivering = (outputs: readonly Output[], retries = 1) => {
  const { parts, clock } = partsOf({
    inputs: [],
    outputs,
    more: { retry: { attempts: retries, base_ms: 100, cap_ms: 100 } },
  });
  const delivery = deliver({ ...parts, max_event_batches: 1, onLowWater: () => {} });
  let released = 0;
  const events: EventBatch = { ...textBatch(['a', 'b']), release: () => released++ };
  return {
    clock,
    released: () => released,
    accepted: delivery.accept({ sequence: 1, events, firstEvent: 0, tags: [], producedAtMs: 0 }),
    finish: delivery.finish,
  };
};

/** Delivers one batch that a formatter replaces by another; `released`: releases of the other so far. */
const formatting = (output: Output, retries = 1) => {
  const { parts, clock } = partsOf({
    inputs: [],
    outputs: [output],
    more: { retry: { attempts: retries, base_ms: 100, cap_ms: 100 } },
  });
  let released = 0;
  const batch: EventBatch = { ...textBatch(['formatted']), release: () => released++ };
  const formatter: Formatter = { joins: false, format: () => ({ batch, eventsPerItem: 1, failures: [] }) };
  const destinations = parts.destinations.map((destination) => ({ ...destination, formatter }));
  const delivery = deliver({ ...parts, destinations, max_event_batches: 1, onLowWater: () => {} });
  return {
    clock,
    released: () => released,
    accepted: delivery.accept({
      sequence: 1,
      events: textBatch(['a']),
      firstEvent: 0,
      tags: [],
      producedAtMs: 0,
    }),
  };
};

const refusing = (times: number): Output => {
  const output = memoryOutput();
  let left = times;
  return {
    ...output,
    write: async (batch, signal) =>
      left-- > 0 ? E.left(failure('output_failed', 'no')) : output.write(batch, signal),
  };
};

describe('the memory of a batch', () => {
  test('is released once, after the last output has written it', async () => {
    let letGo = (): void => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const { accepted, released, clock } = delivering([memoryOutput(), memoryOutput(() => held)]);
    await clock.settle();
    expect(released()).toBe(0);
    letGo();
    await accepted;
    expect(released()).toBe(1);
  });

  test('is released after a bulk output has written its collection', async () => {
    const { accepted, released, finish } = delivering([{ ...memoryOutput(), isBulk: true }]);
    await accepted;
    expect(released()).toBe(0);
    await finish();
    expect(released()).toBe(1);
  });

  test('is never released after a failed write, which may continue in the background', async () => {
    const { accepted, released } = delivering([memoryOutput(), refusing(1)]);
    await accepted;
    expect(released()).toBe(0);
  });

  test('is never released after a retry: the first attempt may continue', async () => {
    const { accepted, released, clock } = delivering([refusing(1)], 2);
    await clock.advanceMs(100);
    await accepted;
    expect(released()).toBe(0);
  });

  test('that a formatter made is released after the write', async () => {
    const { accepted, released } = formatting(memoryOutput());
    await accepted;
    expect(released()).toBe(1);
  });

  test('that a formatter made is never released after a retry', async () => {
    const { accepted, released, clock } = formatting(refusing(1), 2);
    await clock.advanceMs(100);
    await accepted;
    expect(released()).toBe(0);
  });
});
