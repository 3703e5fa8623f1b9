import { emptyBatch } from '../domain/events/eventBatch.js';
import type { GlobalsReader } from '../domain/globals/globals.js';
import type { Micros } from '../domain/time/micros.js';
import type { Activity, Crowd } from '../world/activity/kinds.js';
import type { EventProducer, Produced, ProduceRequest } from './kit.js';
import type { Activities } from './pairs.js';

/** Activities that are looked up before their events are made: a change of `anomaly` must not wait for more. */
const MAX_AT_ONCE = 500;

/** Global that names the attack that is shown. */
export const ANOMALY_GLOBAL = 'anomaly';

/** Globals that say which part of a crowd is shown. */
export const PART_GLOBALS = { people: 'people_factor', outside: 'outside_factor' } as const;

/** A global that is no part leaves the crowd whole. */
const partOf = (crowd: Crowd, globals: Pick<GlobalsReader, 'get'>): number => {
  const value = globals.get(PART_GLOBALS[crowd]);
  return typeof value === 'number' && value >= 0 && value <= 1 ? value : 1;
};

/** The attack that an input shows now. */
export const attackShown = (
  { anomaly, isFixed }: Pick<Activities, 'anomaly' | 'isFixed'>,
  globals: Pick<GlobalsReader, 'get'>,
): string => (isFixed === true ? anomaly : String(globals.get(ANOMALY_GLOBAL) ?? anomaly));

/**
 * Gives a producer the activities of its timestamps, and leaves out those that are not shown. Without an input that has
 * activities it does nothing.
 */
export const withActivities = (inner: EventProducer, globals: Pick<GlobalsReader, 'get'>): EventProducer => {
  let sources: readonly (Activities | null)[] = [];
  let isUsed = false;

  const isShown = ({ truth, shown_from }: Activity, source: Activities, parts: Parts): boolean =>
    truth === null
      ? shown_from === null || shown_from.share <= parts[shown_from.crowd]
      : truth.attack === attackShown(source, globals);

  /** Returns undefined for an activity that is not shown. */
  const lookUp = (
    { micros, inputOf }: ProduceRequest,
    index: number,
    parts: Parts,
  ): Activity | null | undefined => {
    const source = sources[inputOf?.(index) ?? 0] ?? null;
    const activity = source?.at(micros[index] as Micros) ?? null;
    return activity === null || isShown(activity, source as Activities, parts) ? activity : undefined;
  };

  return {
    ...inner,
    observe: (inputs) => {
      sources = inputs.map(({ activities }) => activities ?? null);
      isUsed = sources.some((source) => source !== null);
      inner.observe?.(inputs);
    },
    produce: (request) => {
      const { from, inputOf } = request;
      if (!isUsed || from === request.to) return inner.produce(request);
      const to = Math.min(request.to, from + MAX_AT_ONCE);
      const parts = { people: partOf('people', globals), outside: partOf('outside', globals) };
      const shown: number[] = [];
      const found: (Activity | null)[] = [];
      for (let index = from; index < to; index++) {
        const activity = lookUp(request, index, parts);
        if (activity === undefined) continue;
        shown.push(index);
        found.push(activity);
      }
      if (shown.length === 0) return hidden(to - from);
      // The events of what is shown are made in one call: attacks that are not shown lie between it everywhere.
      const indexOf = (position: number): number => shown[position] as number;
      const micros = Float64Array.from(shown, (index) => request.micros[index] as number);
      const all = (produced: Produced): Produced => {
        const { consumed, dropped } = produced;
        const before = consumed < shown.length ? indexOf(consumed) : to;
        return {
          ...produced,
          consumed: before - from,
          dropped: dropped + before - from - consumed,
          used: micros.subarray(0, consumed),
        };
      };
      const produced = inner.produce({
        ...{ micros, from: 0, to: shown.length, isSpent: request.isSpent },
        tagsOf: (position) => request.tagsOf(indexOf(position)),
        ...(inputOf === undefined ? {} : { inputOf: (position) => inputOf(indexOf(position)) }),
        activityOf: (position) => found[position] ?? null,
      });
      return produced instanceof Promise ? produced.then(all) : all(produced);
    },
  };
};

/** The part of each crowd that is shown. */
type Parts = Readonly<Record<Crowd, number>>;

const hidden = (count: number): Produced => ({
  ...{ consumed: count, events: emptyBatch, failed: 0, dropped: count, exhausted: false },
});
