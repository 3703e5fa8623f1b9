import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import type { StreamPosition } from '../../src/domain/checkpoint.js';
import { failure } from '../../src/domain/errors.js';
import { textBatch } from '../../src/domain/events/eventBatch.js';
import { DRAIN, type RunOptions, runPipeline } from '../../src/pipeline/run.js';
import { restoreInput, trackInput } from '../../src/pipeline/schedule/trackInput.js';
import type { EventProducer, Input, Output } from '../../src/plugins/kit.js';
import { eventsGiven, limitedProducer } from '../../src/worker/bounds.js';
import type { FakeClock } from '../support/clocks/fakeClock.js';
import { listInput, memoryOutput, partsOf, plainFormatter } from '../support/pipelines/pipelineParts.js';

/** Numbers its events; up to `most` timestamps a call, each call after `wait`. */
const counting = (most: number, wait: (() => Promise<void>) | null = null): EventProducer => {
  let n = 0;
  const produce = ({ micros, from, to }: { micros: Float64Array; from: number; to: number }) => {
    const end = Math.min(to, from + most);
    const texts = Array.from({ length: end - from }, (_, i) => `${++n}@${micros[from + i]}`);
    return { consumed: end - from, events: textBatch(texts), failed: 0, dropped: 0, exhausted: false };
  };
  return {
    produce: (request) => (wait === null ? produce(request) : wait().then(() => produce(request))),
    close: async () => {},
    snapshot: () => n,
    restore: (state) => {
      n = state as number;
    },
  };
};

interface Saved {
  readonly position: StreamPosition;
  readonly isFinished: boolean;
  /** Events delivered before the save. */
  readonly arrived: number;
}

const STREAM = { input: 'inputs', event: 'event' };

interface Given {
  readonly fingerprint?: () => StreamPosition['fingerprint'];
  readonly inputs: readonly Input[];
  readonly producer: EventProducer;
  readonly output: Output & { readonly events: readonly string[] };
  readonly restored?: StreamPosition | null;
  readonly isLive?: boolean;
  readonly onSave?: () => Promise<E.Either<never, void> | E.Either<ReturnType<typeof failure>, void>>;
}

/** One run with a checkpoint; `saved` grows while it runs. */
const start = ({
  inputs,
  producer,
  output,
  restored = null,
  isLive = false,
  onSave,
  fingerprint = () => STREAM,
}: Given) => {
  const saved: Saved[] = [];
  const draining = new AbortController();
  const ending = new AbortController();
  const disowned = new AbortController();
  const { parts, clock, lines } = partsOf({
    inputs,
    outputs: [output],
    more: { isLive, draining, signal: ending.signal, batch: { size: 3, delay: 1 } },
  });
  const options: RunOptions = {
    ...parts,
    builders: {
      inputs: inputs.map((input) => async () => E.right(input)),
      producer: async () => E.right(producer),
      formatters: [async () => E.right(plainFormatter)],
      outputs: [async () => E.right(output)],
    },
    outputLog: () => parts.log,
    deadLetters: () => null,
    start: () => ({ now: START, skipPast: false }),
    checkpoint: {
      restored,
      disowned: disowned.signal,
      surroundings: () => ({ random: [], globals: null, fingerprint: fingerprint() }),
      save: async (position, isFinished) => {
        const result = await (onSave?.() ?? E.right(undefined));
        if (E.isRight(result)) saved.push({ position, isFinished, arrived: output.events.length });
        return result;
      },
    },
    onRunning: () => {},
  };
  const ended = runPipeline(options);
  const kill = async (): Promise<void> => {
    disowned.abort();
    ending.abort();
    draining.abort(DRAIN);
    await clock.advanceMs(3_000);
    await ended;
  };
  return { saved, clock, lines, ended, kill, drain: () => draining.abort(DRAIN) };
};

const START = 1_700_000_000_000_000;
/** `count` timestamps, one every 100 ms. */
const every100ms = (count: number): number[] =>
  Array.from({ length: count }, (_, i) => START + 50_000 + i * 100_000);
const numbersOf = (events: readonly string[]): number[] => events.map((event) => Number.parseInt(event, 10));
const last = <A>(items: readonly A[]): A => items.at(-1) as A;

/** Resets the clock for a new run. */
const advance = async (clock: FakeClock, ms: number): Promise<void> => {
  for (let at = 0; at < ms; at += 250) await clock.advanceMs(250);
};

describe('the position of an input', () => {
  test('is exact after any number of timestamps, in fills of any size', () => {
    const all = Array.from({ length: 50 }, (_, i) => i + 1);
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 20 }),
        fc.integer({ min: 1, max: 7 }),
        fc.array(fc.nat(50), { maxLength: 4 }),
        (fills, step, stops) => {
          const input = trackInput(listInput(all, step));
          let given = 0;
          for (const size of fills) given += input.fill(new Float64Array(size));
          for (const stop of stops.map((n) => n % (given + 1)).sort((a, b) => a - b)) {
            const again = listInput(all, step);
            restoreInput(again, input.positionAfter(stop));
            const out = new Float64Array(1);
            const next = again.fill(out) === 0 ? null : out[0];
            expect(next).toBe(stop < all.length ? stop + 1 : null);
          }
        },
      ),
    );
  });
});

describe('a checkpoint', () => {
  test('is saved before the first event, soon after it, each second while events flow, and at the end', async () => {
    const output = memoryOutput();
    const run = start({ inputs: [listInput(every100ms(35))], producer: counting(100), output, isLive: true });
    await advance(run.clock, 4_000);
    expect(await run.ended).toEqual(E.right('completed'));
    expect(run.saved.map(({ arrived }) => arrived)).toEqual([0, 1, 3, 7, 15, 25, 35]);
    expect(run.saved.map(({ isFinished }) => isFinished)).toEqual([...Array(6).fill(false), true]);
    expect(run.saved.map(({ position }) => position.event)).toEqual([0, 1, 3, 7, 15, 25, 35]);
  });

  test('is never ahead of the delivered events, for any behavior of the outputs', async () => {
    let held: (() => void) | null = null;
    const output = memoryOutput(async () => {
      if (output.events.length >= 5) await new Promise<void>((resolve) => (held = resolve));
    });
    const run = start({ inputs: [listInput(every100ms(30))], producer: counting(100), output, isLive: true });
    await advance(run.clock, 3_500);
    expect(held).not.toBeNull();
    for (const { position, arrived } of run.saved)
      expect(position.event as number).toBeLessThanOrEqual(arrived);
    await run.kill();
    // After an abort batches count as done that were not delivered: nothing may be saved.
    expect(last(run.saved).position.event as number).toBeLessThanOrEqual(5);
  });

  test('has the fingerprint of the config in force when it was taken, not when it was saved', async () => {
    let go = (): void => {};
    const output = memoryOutput(async () => {
      if (output.events.length === 3) await new Promise<void>((resolve) => (go = resolve));
    });
    let input = 'before';
    const run = start({
      inputs: [listInput(every100ms(30))],
      producer: counting(100),
      output,
      isLive: true,
      fingerprint: () => ({ ...STREAM, input }),
    });
    // Taken after 0.7 s; its fourth event is not delivered.
    await advance(run.clock, 1_000);
    const saved = run.saved.length;
    input = 'after';
    go();
    await run.clock.settle();
    expect(
      run.saved.slice(saved).map(({ position }) => [position.event, position.fingerprint.input]),
    ).toEqual([[7, 'before']]);
    await run.kill();
  });

  test('is complete after a stop: the next run duplicates and loses nothing', async () => {
    const output = memoryOutput();
    const times = every100ms(40);
    const first = start({ inputs: [listInput(times)], producer: counting(100), output, isLive: true });
    await advance(first.clock, 1_730);
    first.drain();
    expect(await first.ended).toEqual(E.right('drained'));
    expect(output.events.length).toBeGreaterThan(10);
    expect(output.events.length).toBeLessThan(40);
    const { position, isFinished } = last(first.saved);
    expect(isFinished).toBe(false);
    const second = start({ inputs: [listInput(times)], producer: counting(100), output, restored: position });
    await second.ended;
    expect(output.events).toEqual(times.map((time, i) => `${i + 1}@${time}`));
    expect(last(second.saved).isFinished).toBe(true);
  });

  test('is not finished after a stop that comes before the first event', async () => {
    const output = memoryOutput();
    let stop = (): void => {};
    const run = start({
      inputs: [listInput(every100ms(40))],
      producer: counting(100),
      output,
      isLive: true,
      onSave: async () => {
        stop();
        return E.right(undefined);
      },
    });
    stop = run.drain;
    expect(await run.ended).toEqual(E.right('drained'));
    expect(run.saved.map(({ isFinished }) => isFinished)).not.toContain(true);
  });

  test('is taken between two calls, also when calls take longer than the time between saves', async () => {
    const output = memoryOutput();
    const wait = async (): Promise<void> => run.clock.sleepMs(1_700, new AbortController().signal);
    const run = start({ inputs: [listInput(every100ms(11))], producer: counting(2, () => wait()), output });
    await advance(run.clock, 12_000);
    await run.ended;
    expect(output.events).toHaveLength(11);
    for (const { position } of run.saved) {
      const [input] = position.inputs;
      expect((input?.state as number) + (input?.skip ?? 0)).toBe(position.event);
    }
    expect(run.saved.length).toBeGreaterThan(4);
  });

  test('that cannot be saved before the first event prevents the start; later saves are retried', async () => {
    const refusal = failure('unwritable', 'the disk is full');
    const output = memoryOutput();
    const never = start({
      inputs: [listInput(every100ms(3))],
      producer: counting(9),
      output,
      onSave: async () => E.left(refusal),
    });
    expect(await never.ended).toEqual(E.left(refusal));
    expect(output.events).toEqual([]);
    let saves = 0;
    const later = start({
      inputs: [listInput(every100ms(25))],
      producer: counting(9),
      output,
      isLive: true,
      onSave: async () => (++saves === 2 ? E.left(refusal) : E.right(undefined)),
    });
    await advance(later.clock, 3_000);
    await later.ended;
    expect(later.lines.map(({ message }) => message)).toContain('the checkpoint could not be saved');
    expect(later.saved.map(({ arrived }) => arrived)).toEqual([0, 3, 7, 15, 25]);
  });

  test.each([
    { what: 'that failed', isSaved: false, next_ms: 1_000 },
    { what: 'that arrived', isSaved: true, next_ms: 10_000 },
  ])(
    'that took 15 s and $what is followed by the next one within $next_ms ms',
    async ({ isSaved, next_ms }) => {
      const begun: number[] = [];
      let clock: ReturnType<typeof start>['clock'] | null = null;
      const run = start({
        inputs: [listInput(every100ms(600))],
        producer: counting(9),
        output: memoryOutput(),
        isLive: true,
        onSave: async () => {
          begun.push(clock?.monotonicMs() ?? 0);
          if (begun.length !== 4) return E.right(undefined);
          await clock?.sleepMs(15_000, new AbortController().signal);
          return isSaved ? E.right(undefined) : E.left(failure('unavailable', 'NATS does not answer'));
        },
      });
      clock = run.clock;
      await advance(run.clock, 62_000);
      await run.ended;
      const [slow = 0, next = 0] = begun.slice(3);
      expect(next - slow - 15_000).toBeLessThanOrEqual(next_ms + 100);
      expect(next - slow - 15_000).toBeGreaterThan(0);
    },
  );

  test('that the event plugin rejects is an error with the reason', async () => {
    const producer = {
      ...counting(1),
      restore: () => Promise.reject(new Error('the file has become shorter')),
    };
    const { ended } = start({
      inputs: [listInput([1])],
      producer,
      output: memoryOutput(),
      restored: {
        inputs: [{ state: 0, skip: 0 }],
        event: 3,
        random: [],
        globals: null,
        last: null,
        fingerprint: STREAM,
      },
    });
    expect(await ended).toMatchObject({
      left: { code: 'bad_checkpoint', message: expect.stringContaining('the file has become shorter') },
    });
  });

  test('survives kills at any moment: no event is lost, and only events made since the last save are duplicated', async () => {
    const times = every100ms(60);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 50, max: 2_600 }), { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 1, max: 5 }),
        fc.boolean(),
        async (kills, most, isSlow) => {
          const arrived: number[] = [];
          let restored: StreamPosition | null = null;
          for (const [index, ms] of [...kills, 20_000].entries()) {
            const output = memoryOutput();
            const clock: { current: FakeClock | null } = { current: null };
            const wait = async (): Promise<void> =>
              clock.current?.sleepMs(180, new AbortController().signal) ?? Promise.resolve();
            const run = start({
              inputs: [
                listInput(
                  times.filter((_, i) => i % 2 === 0),
                  4,
                ),
                listInput(
                  times.filter((_, i) => i % 2 === 1),
                  3,
                ),
              ],
              producer: counting(most, isSlow ? wait : null),
              output,
              restored,
              isLive: true,
            });
            clock.current = run.clock;
            await advance(run.clock, ms);
            const isLast = index === kills.length;
            if (isLast) expect(await run.ended).toEqual(E.right('completed'));
            else await run.kill();
            const numbers = numbersOf(output.events);
            const before: number = restored === null ? 0 : Number(restored.event);
            expect(numbers).toEqual(numbers.map((_, i) => before + i + 1));
            for (const { position, arrived: count } of run.saved) {
              expect(Number(position.event)).toBeLessThanOrEqual(before + count);
            }
            arrived.push(...numbers);
            restored = run.saved.at(-1)?.position ?? restored;
          }
          expect([...new Set(arrived)].sort((a, b) => a - b)).toEqual(times.map((_, i) => i + 1));
        },
      ),
      { numRuns: 40 },
    );
  });
});

describe('a limit', () => {
  test('counts the events of earlier runs, and may change between runs', async () => {
    const request = { micros: new Float64Array(10), from: 0, to: 10, tagsOf: () => [], isSpent: () => false };
    const first = limitedProducer(counting(100), 4);
    expect(await first.produce(request)).toMatchObject({ consumed: 4, exhausted: true });
    const state = first.snapshot?.() ?? null;
    expect(eventsGiven(state)).toBe(4);
    const second = limitedProducer(counting(100), 6);
    await second.restore?.(state);
    const produced = await second.produce(request);
    expect(produced).toMatchObject({ consumed: 2, exhausted: true });
    expect(produced.events.texts()).toEqual(['5@0', '6@0']);
  });

  test('leaves out the templates of the events that it cuts off', async () => {
    const twice: EventProducer = {
      ...counting(100),
      produce: () => ({
        consumed: 1,
        events: textBatch(['a', 'b', 'c']),
        failed: 0,
        dropped: 0,
        exhausted: false,
        templates: Uint32Array.of(2, 0, 1),
      }),
    };
    const request = { micros: new Float64Array(1), from: 0, to: 1, tagsOf: () => [], isSpent: () => false };
    const { events, templates } = await limitedProducer(twice, 2).produce(request);
    expect([events.texts(), [...(templates ?? [])]]).toEqual([
      ['a', 'b'],
      [2, 0],
    ]);
  });
});
