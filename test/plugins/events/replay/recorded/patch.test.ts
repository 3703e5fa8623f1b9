import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { makeStats } from '../../../../../src/domain/stats/stats.js';
import type { PartBuilders } from '../../../../../src/pipeline/build.js';
import type { ApplyPatch } from '../../../../../src/pipeline/patch.js';
import { DRAIN, runPipeline } from '../../../../../src/pipeline/run.js';
import type { EventProducer } from '../../../../../src/plugins/kit.js';
import {
  echoProducer,
  memoryOutput,
  partsOf,
  plainFormatter,
} from '../../../../support/pipelines/pipelineParts.js';
import { inputOf, isoAt, recording } from '../../../inputs/recorded/support.js';
import { producerOf } from './support.js';

const START = 1_700_000_000_000_000;

const logOf = (count: number): string =>
  Array.from({ length: count }, (_, i) => `${isoAt(i * 1_000_000)} ${i}\n`).join('');

/** A live run of `recorded`, a record a second, with an event plugin. */
const live = async (producer: EventProducer) => {
  const folder = recording({ 'a.log': logOf(100) });
  const draining = new AbortController();
  const output = memoryOutput();
  const { parts, clock } = partsOf({
    inputs: [],
    outputs: [output],
    more: { isLive: true, stats: makeStats(1, 1), draining },
  });
  const inputWith =
    (params: object): PartBuilders['inputs'][number] =>
    async (at) =>
      E.right(await inputOf({ path: `${folder}/a.log`, start: 'now', ...params }, at));
  let apply: ApplyPatch = async () => E.right(undefined);
  const ended = runPipeline({
    ...parts,
    tags: [[]],
    builders: {
      inputs: [inputWith({})],
      producer: async () => E.right(producer),
      formatters: [async () => E.right(plainFormatter)],
      outputs: [async () => E.right(output)],
    },
    outputLog: () => parts.log,
    deadLetters: () => null,
    start: () => ({ now: START, skipPast: false }),
    checkpoint: null,
    onRunning: (given) => {
      apply = given;
    },
  });
  const patch = (given: { readonly input?: object; readonly producer?: EventProducer }) =>
    apply({
      builders: {
        inputs: [inputWith(given.input ?? {})],
        producer: async () => E.right(given.producer ?? echoProducer),
        formatters: [],
        outputs: [],
      },
      tags: [[]],
      isInputNew: given.input !== undefined,
      isInputContinued: [given.input === undefined],
      isEventNew: given.producer !== undefined,
      isOutputNew: [false],
      formerTemplates: [],
      outputLog: () => parts.log,
      deadLetters: () => null,
      stats: makeStats(1, 1),
      onCommit: () => {},
    });
  const numbers = (): readonly string[] => output.events.map((event) => event.split(' ')[1] ?? '');
  const stop = async () => {
    draining.abort(DRAIN);
    await clock.advanceMs(1_000);
    return ended;
  };
  return { clock, patch, numbers, events: output.events, stop };
};

const paired = async (params: object = {}): Promise<EventProducer> => (await producerOf(params)).producer;

describe('a live patch', () => {
  test('of the event plugin goes on with the next record', async () => {
    const run = await live(await paired());
    await run.clock.advanceMs(2_500);
    expect(await run.patch({ producer: await paired({ keep_timestamps: true }) })).toEqual(
      E.right(undefined),
    );
    await run.clock.advanceMs(2_000);
    expect(run.numbers()).toEqual(['0', '1', '2', '3', '4']);
    expect(run.events[4]).toBe(`${isoAt(4_000_000)} 4`);
    expect(await run.stop()).toEqual(E.right('drained'));
  });

  test('of the input starts the recording over, with its records', async () => {
    const run = await live(await paired());
    await run.clock.advanceMs(2_500);
    expect(await run.patch({ input: { speed: 10 } })).toEqual(E.right(undefined));
    await run.clock.advanceMs(350);
    expect(run.numbers()).toEqual(['0', '1', '2', '0', '1', '2', '3']);
    expect(run.events.at(-1)).toBe(`${isoAt(2_800_000, START)} 3`);
    await run.stop();
  });

  test('of both starts over as well; the former records are not used', async () => {
    const run = await live(await paired());
    await run.clock.advanceMs(2_500);
    expect(await run.patch({ input: {}, producer: await paired() })).toEqual(E.right(undefined));
    await run.clock.advanceMs(1_500);
    expect(run.numbers()).toEqual(['0', '1', '2', '0', '1']);
    await run.stop();
  });

  test('cannot join the records of an input that has begun, and changes nothing then', async () => {
    const run = await live(echoProducer);
    await run.clock.advanceMs(500);
    const refused = await run.patch({ producer: await paired() });
    expect(refused).toMatchObject(E.left({ code: 'plugin_failed', issues: [{ path: ['event'] }] }));
    await run.clock.advanceMs(1_000);
    expect(run.events).toHaveLength(2);
    await run.stop();
  });
});
