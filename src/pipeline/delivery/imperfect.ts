import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result } from '../../domain/errors.js';
import { type EventBatch, textBatch } from '../../domain/events/eventBatch.js';
import type { OUTPUT_SLOTS } from '../../domain/stats/stats.js';
import { isoFormatter } from '../../domain/time/iso.js';
import { utc } from '../../domain/time/zone.js';
import { applyImperfections, type EventsOfItems, type Imperfect } from '../../imperfections/apply.js';
import { type Displaced, type Hit, labelOf, whatOf } from '../../imperfections/label.js';
import { displacementOf } from '../../imperfections/times.js';
import type { Imperfections } from '../../plugins/kit.js';
import type { Clock } from '../../ports/clock.js';
import { attemptWrite, type RetryOptions, withRetries } from './attempts.js';

export interface ImperfectOptions extends RetryOptions {
  readonly clock: Clock;
  readonly write_timeout_ms: number;
  readonly count: (name: keyof typeof OUTPUT_SLOTS, amount: number) => void;
  /** No timestamp that the clock of this event could skew was found. */
  readonly onNotSkewed: (event: string) => void;
}

/** The items with their imperfections, labelled and counted. */
export interface MadeImperfect extends Pick<Imperfect, 'batch' | 'places'> {}

/**
 * Applies the imperfections of an output to a batch of items. Returns null when the batch stays as it is. Labels come
 * before the items, so that no unlabelled one arrives. Returns an error when they cannot be written; nothing has
 * happened then.
 */
export const makeImperfect = async (
  imperfections: Imperfections,
  items: EventBatch,
  events: EventsOfItems,
  options: ImperfectOptions,
): Promise<Result<MadeImperfect | null>> => {
  const { choices, key } = imperfections;
  const made = applyImperfections(imperfections, items, events);
  const displaced = events.ordinals.flatMap((ordinal, item): readonly Displaced[] => {
    const displacement = displacementOf(choices, key, ordinal, events.times?.[item] ?? null);
    return displacement === null ? [] : [{ item, ordinal, displacement }];
  });
  const hits = [...(made?.flawed ?? []), ...(made?.skewed ?? []), ...displaced];
  const labelled = await writeLabels(imperfections, hits, events.texts, options);
  if (E.isLeft(labelled)) return labelled;
  for (const hit of hits) options.count(`imperfect_${whatOf(hit)}`, 1);
  for (const item of made?.notSkewed ?? []) {
    options.count('imperfect_not_skewed', 1);
    options.onNotSkewed(events.texts()[item] as string);
  }
  return E.right(made);
};

const writeLabels = async (
  { output, truth }: Imperfections,
  hits: readonly Hit[],
  texts: EventsOfItems['texts'],
  options: ImperfectOptions,
): Promise<Result<void>> => {
  if (truth === null || hits.length === 0) return E.right(undefined);
  const events = texts();
  const about = { at: isoFormatter(utc)(options.clock.now()), output };
  const lines = hits.map((hit) => JSON.stringify(labelOf(hit, events[hit.item] as string, about)));
  const batch = textBatch(lines);
  return withRetries(async () => {
    const written = await attemptWrite(truth, batch, options);
    if (E.isLeft(written)) return E.left(unlabelled(written.left.message));
    return written.right.written === batch.count ? E.right(undefined) : E.left(unlabelled('a part failed'));
  }, options);
};

const unlabelled = (reason: string) =>
  failure('unwritable', `the ground truth of the imperfections cannot be written: ${reason}`);
