import * as E from 'fp-ts/lib/Either.js';
import type { StreamPosition } from '../../../../../src/domain/checkpoint.js';
import { globalsView, makeOwnedGlobals } from '../../../../../src/domain/globals/owned.js';
import type { Partition } from '../../../../../src/domain/partitions.js';
import { seededRandom } from '../../../../../src/domain/random.js';
import { replayPlugin } from '../../../../../src/plugins/events/replay/plugin.js';
import type { EventProducer, Input } from '../../../../../src/plugins/kit.js';
import { paramsShape } from '../../../../../src/plugins/shapes.js';
import { decode, showPath } from '../../../../../src/schema/index.js';
import { memoryLog } from '../../../../support/logs.js';
import { inputContext } from '../../../../support/pipelines/inputs.js';
import { savedRun } from '../../../../support/pipelines/savedRun.js';
import { PLAIN_TEMPLATES } from '../../../../support/templates/templates.js';
import { inputOf } from '../../../inputs/recorded/support.js';

/** A producer of the records of the input, or the problem of its parameters. */
export const producerOf = async (
  params: object,
  more: { readonly partition?: Partition; readonly zoneId?: string } = {},
): Promise<{ readonly producer: EventProducer; readonly lines: ReturnType<typeof memoryLog>['lines'] }> => {
  const decoded = decode(paramsShape(replayPlugin.spec), { from: 'recorded', ...params });
  if (E.isLeft(decoded)) {
    throw new Error(decoded.left.map(({ path, message }) => `${showPath(path)} ${message}`).join('; '));
  }
  const { log, lines } = memoryLog();
  const built = await replayPlugin.build(decoded.right, {
    ...inputContext({ ...more, log, random: seededRandom(1) }),
    ...(more.partition === undefined ? {} : { partition: more.partition }),
    templates: PLAIN_TEMPLATES,
    params: {},
    globals: globalsView(makeOwnedGlobals('home', {}, 0), []),
  });
  if (E.isLeft(built)) throw new Error(built.left.message);
  return { producer: built.right, lines };
};

/** All events that a producer gives for the timestamps of an input, in calls of `step`. */
export const eventsOf = async (input: Input, producer: EventProducer, most = 1_000, step = 7) => {
  const events: string[] = [];
  let failed = 0;
  const micros = new Float64Array(step);
  for (let total = 0; total < most; ) {
    const count = input.fill(micros.subarray(0, Math.min(step, most - total)));
    if (count === 0) break;
    for (let from = 0; from < count; ) {
      const made = await producer.produce({ micros, from, to: count, tagsOf: () => [], isSpent: () => true });
      events.push(...made.events.texts());
      failed += made.failed;
      from += made.consumed;
    }
    total += count;
  }
  return { events, failed };
};

/** Makes a producer follow an input; a problem throws. */
export const follow = (producer: EventProducer, input: Input, skip = 0): void => {
  const followed = producer.follow?.([input], skip);
  if (followed === undefined || E.isLeft(followed)) throw new Error('it does not follow');
};

export interface RunGiven {
  readonly input: object;
  readonly event?: object;
  readonly partition?: Partition | undefined;
  readonly from?: StreamPosition | null;
  readonly stopAfter?: number;
  readonly skipBefore?: number | null;
}

/** One run of `recorded` and `replay` in a pipeline, up to its end or stopped after some events. */
export const run = ({ input, event = {}, partition, ...more }: RunGiven) =>
  savedRun({
    input: () => inputOf(input),
    producer: async () => (await producerOf(event, partition === undefined ? {} : { partition })).producer,
    now: 0,
    turns: 200,
    partition,
    ...more,
  });
