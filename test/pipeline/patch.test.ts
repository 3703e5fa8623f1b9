import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import { failure } from '../../src/domain/errors.js';
import { textBatch } from '../../src/domain/events/eventBatch.js';
import {
  abandonedBy,
  closedStats,
  FATES,
  makeStats,
  readGenerated,
  readOutputStat,
  readStat,
  type Stats,
} from '../../src/domain/stats/stats.js';
import type { ApplyPatch, Patch } from '../../src/pipeline/patch.js';
import { DRAIN, runPipeline } from '../../src/pipeline/run.js';
import { timerPlugin } from '../../src/plugins/inputs/timer/plugin.js';
import type { EventProducer, Input, InputStart, Output, OutputRoute } from '../../src/plugins/kit.js';
import { buildInput } from '../support/pipelines/inputs.js';
import { memoryOutput, partsOf, plainFormatter } from '../support/pipelines/pipelineParts.js';

const START = 1_700_000_000_000_000;

/** An endless input with a timestamp every `step` microseconds, aligned like `cron`. */
const every =
  (step: number) =>
  ({ now, skipPast }: InputStart): Input => {
    let next = START;
    if (skipPast) while (next <= now) next += step;
    return {
      fill: (out) => {
        for (let i = 0; i < out.length; i++, next += step) out[i] = next;
        return out.length;
      },
      snapshot: () => next,
      restore: (state) => {
        next = state as number;
      },
    };
  };

/** Gives `label` + number + `@` + milliseconds since the start, number by number. */
const counting = (label: string): EventProducer & { readonly isClosed: () => boolean } => {
  let n = 0;
  let isClosed = false;
  return {
    produce: ({ micros, from, to }) => {
      const texts: string[] = [];
      for (let i = from; i < to; i++) texts.push(`${label}${++n}@${((micros[i] as number) - START) / 1_000}`);
      return { consumed: to - from, events: textBatch(texts), failed: 0, dropped: 0, exhausted: false };
    },
    close: async () => {
      isClosed = true;
    },
    isClosed: () => isClosed,
    snapshot: () => n,
    restore: (state) => {
      n = state as number;
    },
  };
};

const closing = (output: ReturnType<typeof memoryOutput>) => {
  let isClosed = false;
  return {
    ...output,
    close: async () => {
      isClosed = true;
      return E.right(undefined);
    },
    isClosed: () => isClosed,
  };
};

const NOTHING: Omit<Patch, 'stats'> = {
  builders: {
    producer: async () => E.left(failure('bug', 'not asked')),
    formatters: [],
    outputs: [],
    inputs: [],
  },
  tags: [],
  isInputNew: false,
  isInputContinued: [true],
  isEventNew: false,
  isOutputNew: [false],
  formerTemplates: [],
  outputLog: () => partsOf({ inputs: [], outputs: [] }).parts.log,
  deadLetters: () => null,
  onCommit: () => {},
};
const build =
  <A>(part: A) =>
  async () =>
    E.right(part);

const inputPatch = (input: (start: InputStart) => Input): Omit<Patch, 'stats'> => ({
  ...NOTHING,
  isInputNew: true,
  isInputContinued: [false],
  tags: [[]],
  builders: { ...NOTHING.builders, inputs: [async (start) => E.right(input(start))] },
});
const outputPatch = (outputs: readonly (Output | null)[]): Omit<Patch, 'stats'> => ({
  ...NOTHING,
  isOutputNew: outputs.map((output) => output !== null),
  builders: {
    ...NOTHING.builders,
    formatters: outputs.map(() => build(plainFormatter)),
    outputs: outputs.map((output) =>
      output === null ? async () => E.left(failure('bug', 'kept')) : build(output),
    ),
  },
});

const start = (options: {
  readonly input: (start: InputStart) => Input | Promise<E.Either<never, Input>>;
  readonly producer: EventProducer;
  readonly outputs: readonly Output[];
  readonly isLive?: boolean;
}) => {
  const draining = new AbortController();
  const { parts, clock } = partsOf({
    inputs: [],
    outputs: options.outputs,
    more: {
      isLive: options.isLive ?? true,
      stats: makeStats(1, options.outputs.length),
      draining,
      batch: { size: 50, delay: 1 },
    },
  });
  let apply: ApplyPatch = async () => E.left(failure('wrong_state', 'it does not flow yet'));
  const ended = runPipeline({
    ...parts,
    tags: [[]],
    builders: {
      inputs: [
        async (at) => {
          const made = await options.input(at);
          return 'fill' in made ? E.right(made) : made;
        },
      ],
      producer: build(options.producer),
      formatters: options.outputs.map(() => build(plainFormatter)),
      outputs: options.outputs.map((output) => build(output)),
    },
    outputLog: () => parts.log,
    deadLetters: () => null,
    start: () => ({ now: START, skipPast: false }),
    checkpoint: null,
    onRunning: (given) => {
      apply = given;
    },
  });
  const stop = async () => {
    draining.abort(DRAIN);
    await clock.advanceMs(3_000);
    return ended;
  };
  return {
    clock,
    stats: parts.stats,
    ended,
    stop,
    patch: (patch: Omit<Patch, 'stats'>) =>
      apply({ ...patch, stats: makeStats(1, patch.isOutputNew.length) }),
  };
};

/** Numbers and milliseconds of events like `a12@3400`. */
const read = (events: readonly string[]) =>
  events.map((event) => {
    const [, label = '', n = '', ms = ''] = /^([a-z]+)(\d+)@(-?[\d.]+)$/.exec(event) ?? [];
    return { label, n: Number(n), ms: Number(ms) };
  });
/** Events with a fate at an output, or accepted before it was added. */
const countedBy = (stats: Stats, output: number): number =>
  [...FATES, 'accepted_before' as const].reduce((sum, name) => sum + readOutputStat(stats, output, name), 0);
const counted = (count: number): readonly number[] => Array.from({ length: count }, (_, i) => i + 1);

describe('new inputs for a running generator', () => {
  test('one a second becomes a hundred a second, without gap or duplicate', async () => {
    const output = memoryOutput();
    const run = start({ input: every(1_000_000), producer: counting('a'), outputs: [output] });
    await run.clock.advanceMs(2_500);
    expect(output.events).toEqual(['a1@0', 'a2@1000', 'a3@2000']);
    expect(await run.patch(inputPatch(every(10_000)))).toEqual(E.right(undefined));
    await run.clock.advanceMs(1_000);
    const events = read(output.events);
    expect(events.map(({ n }) => n)).toEqual(counted(103));
    expect(events.slice(3).map(({ ms }) => ms)).toEqual(counted(100).map((i) => 2_500 + i * 10));
    // Counters of the new input start at 0, totals carry over.
    expect([readGenerated(run.stats, 0), readStat(run.stats, 'generated_before')]).toEqual([100, 3]);
    expect(readStat(run.stats, 'produced')).toBe(103);
    expect(await run.stop()).toEqual(E.right('drained'));
  });

  test('go on counting in the place of one of their kind, so that inputs and events add up', async () => {
    const output = memoryOutput();
    const run = start({ input: every(1_000_000), producer: counting('a'), outputs: [output] });
    await run.clock.advanceMs(2_500);
    await run.patch({ ...inputPatch(every(10_000)), isInputContinued: [true] });
    await run.clock.advanceMs(1_000);
    expect([readGenerated(run.stats, 0), readStat(run.stats, 'generated_before')]).toEqual([103, 0]);
    await run.stop();
  });

  test('end the total that the former ones told', async () => {
    const ending = (at: InputStart): Input => ({ ...every(1_000_000)(at), remaining: () => 9 });
    const run = start({ input: ending, producer: counting('a'), outputs: [memoryOutput()] });
    await run.clock.advanceMs(2_500);
    expect(readStat(run.stats, 'expected')).toBe(9);
    await run.patch({ ...inputPatch(every(10_000)), isInputContinued: [true] });
    expect(readStat(run.stats, 'expected')).toBe(0);
    await run.stop();
  });

  test('that are timers tick on time, however often they are exchanged', async () => {
    const output = memoryOutput();
    const timer = (seconds: number) => async (at: InputStart) =>
      E.right((await buildInput(timerPlugin, { seconds, count: 1 }, at)) as Input);
    const run = start({ input: timer(1), producer: counting('a'), outputs: [output] });
    const patch = async (seconds: number): Promise<void> => {
      const { builders, ...rest } = inputPatch(every(1));
      expect(await run.patch({ ...rest, builders: { ...builders, inputs: [timer(seconds)] } })).toEqual(
        E.right(undefined),
      );
    };
    const times = () => read(output.events).map(({ ms }) => ms);
    for (let ms = 0; ms < 3_500; ms += 10) {
      await run.clock.advanceMs(10);
      await patch(1);
    }
    expect(times()).toEqual([1_000, 2_000, 3_000]);
    // A slower timer counts from the last tick; one that is overdue ticks at once.
    await patch(2);
    await run.clock.advanceMs(1_500);
    expect(times().slice(3)).toEqual([5_000]);
    await run.clock.advanceMs(800);
    await patch(0.5);
    await run.clock.advanceMs(700);
    expect(times().slice(4)).toEqual([5_800, 6_300]);
    await run.stop();
  });

  test('cannot take over from one that waits for requests: its address is in use', async () => {
    const requests = {
      open: async () => E.right(undefined),
      next: async () => null,
      stop: () => {},
      close: async () => {},
    };
    const waiting = { ...every(1_000_000)({ now: START, skipPast: false }), requests };
    const output = memoryOutput();
    const run = start({ input: () => waiting, producer: counting('a'), outputs: [output] });
    await run.clock.advanceMs(500);
    const refused = await run.patch(inputPatch(every(10_000)));
    expect(refused).toMatchObject(E.left({ code: 'plugin_failed', issues: [{ path: ['input'] }] }));
    await run.clock.advanceMs(1_000);
    expect(output.events).toEqual(['a1@0', 'a2@1000']);
    expect(await run.stop()).toEqual(E.right('drained'));
  });

  test('take over at once from former ones with a backlog', async () => {
    let isHeld = true;
    const waits: (() => void)[] = [];
    const output = memoryOutput(async () => {
      if (isHeld) await new Promise<void>((resolve) => waits.push(resolve));
    });
    const run = start({ input: every(1_000), producer: counting('a'), outputs: [output] });
    await run.clock.advanceMs(5_000);
    const made = readStat(run.stats, 'produced');
    expect(made).toBeLessThan(5_000);
    expect(await run.patch(inputPatch(every(1_000_000)))).toEqual(E.right(undefined));
    isHeld = false;
    for (const go of waits) go();
    await run.clock.advanceMs(2_100);
    const events = read(output.events);
    expect(events.map(({ n }) => n)).toEqual(counted(events.length));
    // Timestamps after the last event come from the new input.
    expect(events.slice(made).map(({ ms }) => ms)).toEqual(
      counted(7)
        .map((second) => second * 1_000)
        .filter((ms) => ms > (events[made - 1]?.ms ?? 0) && ms <= 7_100),
    );
    await run.stop();
  });

  test('follow the last timestamp in sample mode', async () => {
    const output = memoryOutput(() => run.clock.sleepMs(10, new AbortController().signal));
    const run = start({ input: every(1_000), producer: counting('a'), outputs: [output], isLive: false });
    await run.clock.advanceMs(55);
    expect(await run.patch(inputPatch(every(7_000)))).toEqual(E.right(undefined));
    await run.clock.advanceMs(55);
    await run.stop();
    const events = read(output.events);
    expect(events.map(({ n }) => n)).toEqual(counted(events.length));
    const steps = events.slice(1).map(({ ms }, i) => ms - (events[i]?.ms ?? 0));
    const change = steps.findIndex((step) => step !== 1);
    expect(change).toBeGreaterThan(0);
    expect(steps.slice(change + 1).every((step) => step === 7)).toBe(true);
    expect(steps[change]).toBeGreaterThan(0);
  });

  test('keep a generator running when the last timestamps of former inputs are not due yet', async () => {
    const output = memoryOutput();
    const twice = (at: InputStart): Input => {
      const source = every(3_000_000)(at);
      let left = 2;
      return { ...source, fill: (out) => (left-- > 0 ? source.fill(out.subarray(0, 1)) : 0) };
    };
    const run = start({ input: twice, producer: counting('a'), outputs: [output] });
    await run.clock.advanceMs(1_000);
    expect(output.events).toEqual(['a1@0']);
    expect(await run.patch(inputPatch(every(1_000_000)))).toEqual(E.right(undefined));
    await run.clock.advanceMs(2_000);
    expect(output.events).toEqual(['a1@0', 'a2@2000', 'a3@3000']);
    await run.stop();
  });

  test('that cannot be built change nothing', async () => {
    const output = memoryOutput();
    const run = start({ input: every(1_000_000), producer: counting('a'), outputs: [output] });
    await run.clock.advanceMs(1_100);
    const refusal = failure('plugin_failed', 'the file is not there');
    const patch = {
      ...inputPatch(every(1)),
      builders: { ...NOTHING.builders, inputs: [async () => E.left(refusal)] },
    };
    expect(await run.patch(patch)).toMatchObject({
      left: { code: 'plugin_failed', message: refusal.message },
    });
    await run.clock.advanceMs(1_000);
    expect(output.events).toEqual(['a1@0', 'a2@1000', 'a3@2000']);
    await run.stop();
  });

  test('at any moments and rates: numbers without gap or repeat, times never go back', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            step: fc.constantFrom(500, 7_000, 100_000, 1_300_000),
            ms: fc.integer({ min: 0, max: 1_500 }),
          }),
          { minLength: 1, maxLength: 5 },
        ),
        fc.boolean(),
        async (changes, isSlow) => {
          const output = memoryOutput(async () => {
            if (isSlow) await run.clock.sleepMs(90, new AbortController().signal);
          });
          const run = start({ input: every(10_000), producer: counting('a'), outputs: [output] });
          for (const { step, ms } of changes) {
            await run.clock.advanceMs(ms);
            expect(await run.patch(inputPatch(every(step)))).toEqual(E.right(undefined));
          }
          await run.clock.advanceMs(700);
          await run.stop();
          const events = read(output.events);
          expect(events.map(({ n }) => n)).toEqual(counted(events.length));
          for (let i = 1; i < events.length; i++) {
            expect(events[i]?.ms).toBeGreaterThan(events[i - 1]?.ms as number);
          }
          const generated = readGenerated(run.stats, 0) + readStat(run.stats, 'generated_before');
          expect(generated).toBe(events.length);
          expect(readStat(run.stats, 'low_water')).toBe(readStat(run.stats, 'sequence'));
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('a new event plugin', () => {
  const eventPatch = (producer: EventProducer): Omit<Patch, 'stats'> => ({
    ...NOTHING,
    isEventNew: true,
    builders: { ...NOTHING.builders, producer: build(producer) },
  });

  test('takes over the state of the former one, which is closed', async () => {
    const output = memoryOutput();
    const former = counting('a');
    const run = start({ input: every(1_000_000), producer: former, outputs: [output] });
    await run.clock.advanceMs(1_500);
    expect(await run.patch(eventPatch(counting('b')))).toEqual(E.right(undefined));
    await run.clock.advanceMs(1_000);
    expect(output.events).toEqual(['a1@0', 'a2@1000', 'b3@2000']);
    expect(former.isClosed()).toBe(true);
    await run.stop();
  });

  test('that refuses the state changes nothing and is closed', async () => {
    const output = memoryOutput();
    const former = counting('a');
    const refusing = { ...counting('b'), restore: () => Promise.reject(new Error('another version')) };
    const run = start({ input: every(1_000_000), producer: former, outputs: [output] });
    await run.clock.advanceMs(500);
    expect(await run.patch(eventPatch(refusing))).toMatchObject({
      left: { code: 'plugin_failed', message: expect.stringContaining('another version') },
    });
    await run.clock.advanceMs(1_000);
    expect(output.events).toEqual(['a1@0', 'a2@1000']);
    expect([former.isClosed(), refusing.isClosed()]).toEqual([false, true]);
    await run.stop();
  });

  test('waits for the call in progress, up to a deadline', async () => {
    const never: EventProducer = {
      ...counting('a'),
      produce: (request) =>
        run.clock.sleepMs(60_000, new AbortController().signal).then(() => counting('a').produce(request)),
    };
    const output = memoryOutput();
    const run = start({ input: every(1_000_000), producer: never, outputs: [output] });
    await run.clock.advanceMs(100);
    const patched = run.patch(eventPatch(counting('b')));
    await run.clock.advanceMs(11_000);
    expect(await patched).toMatchObject({ left: { code: 'timed_out' } });
    await run.clock.advanceMs(60_000);
    expect(output.events.length).toBeGreaterThan(0);
    void run.stop();
    await run.clock.advanceMs(200_000);
  });
});

describe('new outputs', () => {
  test('get every event from the patch on; unchanged outputs miss none', async () => {
    const [kept, former, fresh] = [memoryOutput(), closing(memoryOutput()), memoryOutput()];
    const run = start({ input: every(100_000), producer: counting('a'), outputs: [kept, former] });
    await run.clock.advanceMs(1_050);
    expect(await run.patch(outputPatch([null, fresh]))).toEqual(E.right(undefined));
    await run.clock.advanceMs(1_000);
    await run.stop();
    expect(read(kept.events).map(({ n }) => n)).toEqual(counted(21));
    expect([...former.events, ...fresh.events]).toEqual(kept.events);
    expect(former.isClosed()).toBe(true);
    expect(readOutputStat(run.stats, 0, 'written')).toBe(21);
    expect(readOutputStat(run.stats, 1, 'written')).toBe(fresh.events.length);
    expect(readStat(run.stats, 'written_before')).toBe(former.events.length);
    expect(readStat(run.stats, 'low_water')).toBe(readStat(run.stats, 'sequence'));
  });

  test('replace one that hangs: events flow at once, and its writes are settled in the background', async () => {
    const stuck = closing(
      memoryOutput(
        (_, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
      ),
    );
    const fresh = memoryOutput();
    const run = start({ input: every(10_000), producer: counting('a'), outputs: [stuck] });
    await run.clock.advanceMs(1_000);
    const held = readStat(run.stats, 'produced');
    expect(held).toBeLessThan(60);
    expect(await run.patch(outputPatch([fresh]))).toEqual(E.right(undefined));
    await run.clock.advanceMs(1_000);
    expect(fresh.events.length).toBeGreaterThan(100);
    expect(stuck.isClosed()).toBe(false);
    // If it ended now, the events in flight at the former output would be abandoned, once.
    const [owed, closed] = [readStat(run.stats, 'owed_before'), closedStats(run.stats)];
    expect(owed).toBeGreaterThan(0);
    expect(readStat(closed, 'abandoned_before')).toBe(owed);
    expect(countedBy(closed, 0)).toBe(readStat(closed, 'produced'));
    void run.stop();
    await run.clock.advanceMs(200_000);
    expect([readStat(run.stats, 'owed_before'), abandonedBy(run.stats)]).toEqual([0, 0]);
    expect(countedBy(run.stats, 0)).toBe(readStat(run.stats, 'produced'));
    expect(stuck.isClosed()).toBe(true);
    expect(await run.ended).toEqual(E.right('drained'));
  });

  test('that only get other events stay open and keep their counters', async () => {
    const output = closing(memoryOutput());
    const run = start({ input: every(100_000), producer: counting('a'), outputs: [output] });
    await run.clock.advanceMs(1_050);
    const nothing: OutputRoute = { needsTags: false, choose: () => [] };
    const rerouted = (route: OutputRoute | null) => ({
      ...NOTHING,
      isRouteNew: [true],
      builders: { ...NOTHING.builders, routes: [build(route)] },
    });
    expect(await run.patch(rerouted(nothing))).toEqual(E.right(undefined));
    await run.clock.advanceMs(1_000);
    expect(await run.patch(rerouted(null))).toEqual(E.right(undefined));
    await run.clock.advanceMs(1_000);
    expect(output.isClosed()).toBe(false);
    await run.stop();
    const numbers = counted(31).filter((n) => n <= 11 || n > 21);
    expect(read(output.events).map(({ n }) => n)).toEqual(numbers);
    expect(['written', 'filtered'].map((name) => readOutputStat(run.stats, 0, name as 'written'))).toEqual([
      21, 10,
    ]);
  });

  test('that do not open change nothing; opened ones are closed', async () => {
    const [former, opens] = [memoryOutput(), closing(memoryOutput())];
    const refusal = failure('output_failed', 'the host refuses');
    const run = start({ input: every(100_000), producer: counting('a'), outputs: [former] });
    await run.clock.advanceMs(500);
    const patch = outputPatch([opens, opens]);
    const [first] = patch.builders.outputs;
    const broken = {
      ...patch,
      builders: {
        ...patch.builders,
        outputs: [first as () => Promise<E.Either<never, Output>>, async () => E.left(refusal)],
      },
    };
    expect(await run.patch(broken)).toMatchObject({
      left: { code: 'plugin_failed', message: refusal.message },
    });
    expect(opens.isClosed()).toBe(true);
    await run.clock.advanceMs(500);
    await run.stop();
    expect(read(former.events).map(({ n }) => n)).toEqual(counted(11));
  });
});

describe('a patch', () => {
  test('of a generator that has ended is refused', async () => {
    const none = (): Input => ({ fill: () => 0, snapshot: () => null, restore: () => {} });
    const run = start({ input: none, producer: counting('a'), outputs: [memoryOutput()] });
    await run.clock.settle();
    await run.ended;
    expect(await run.patch(inputPatch(every(1)))).toMatchObject({ left: { code: 'wrong_state' } });
  });
});
