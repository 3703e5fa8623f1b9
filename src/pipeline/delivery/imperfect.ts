import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result } from '../../domain/errors.js';
import { type EventBatch, textBatch } from '../../domain/events/eventBatch.js';
import { applyImperfections, type Flawed, type Imperfect } from '../../domain/imperfections/apply.js';
import { type Displacement, displacementOf } from '../../domain/imperfections/displace.js';
import { displacedLabel, labelOf } from '../../domain/imperfections/label.js';
import type { OUTPUT_SLOTS } from '../../domain/stats/stats.js';
import { isoFormatter } from '../../domain/time/iso.js';
import { utc } from '../../domain/time/zone.js';
import type { Imperfections } from '../../plugins/kit.js';
import type { Clock } from '../../ports/clock.js';
import { attemptWrite, type RetryOptions, withRetries } from './attempts.js';

export interface ImperfectOptions extends RetryOptions {
  readonly clock: Clock;
  readonly write_timeout_ms: number;
  readonly count: (name: keyof typeof OUTPUT_SLOTS, amount: number) => void;
}

/** The items with their imperfections, labelled and counted. */
export interface MadeImperfect extends Pick<Imperfect, 'batch' | 'places'> {}

/**
 * Applies the imperfections of an output to a batch of items. `null`: none in this batch. Labels come before the items,
 * so that no unlabelled one arrives; Left: they cannot be written, and nothing has happened. `ordinals`: the number of
 * each item in the stream; `texts`: their events before the formatter.
 */
export const makeImperfect = async (
  imperfections: Imperfections,
  items: EventBatch,
  ordinals: readonly number[],
  texts: () => readonly string[],
  options: ImperfectOptions,
): Promise<Result<MadeImperfect | null>> => {
  const { choices, key } = imperfections;
  const made = applyImperfections(choices, key, items, ordinals);
  const flawed = made?.flawed ?? [];
  const displaced = ordinals.flatMap((ordinal, item) => {
    const displacement = displacementOf(choices, key, ordinal);
    return displacement === null ? [] : [{ item, ordinal, displacement }];
  });
  const labelled = await writeLabels(imperfections, [...flawed, ...displaced], texts, options);
  if (E.isLeft(labelled)) return labelled;
  for (const { flaw } of flawed) options.count(`imperfect_${flaw}`, 1);
  for (const { displacement } of displaced) options.count(`imperfect_${displacement.what}`, 1);
  return E.right(made);
};

interface Displaced {
  readonly item: number;
  readonly ordinal: number;
  readonly displacement: Displacement;
}

const writeLabels = async (
  { output, truth }: Imperfections,
  hit: readonly (Flawed | Displaced)[],
  texts: () => readonly string[],
  options: ImperfectOptions,
): Promise<Result<void>> => {
  if (truth === null || hit.length === 0) return E.right(undefined);
  const events = texts();
  const about = { at: isoFormatter(utc)(options.clock.now()), output };
  const labelled = hit.map((one) => {
    const text = events[one.item] as string;
    return 'flaw' in one
      ? labelOf(one, text, about)
      : displacedLabel(one.ordinal, one.displacement, text, about);
  });
  const lines = labelled.map((label) => JSON.stringify(label));
  const batch = textBatch(lines);
  return withRetries(async () => {
    const written = await attemptWrite(truth, batch, options);
    if (E.isLeft(written)) return E.left(unlabelled(written.left.message));
    return written.right.written === batch.count ? E.right(undefined) : E.left(unlabelled('a part failed'));
  }, options);
};

const unlabelled = (reason: string) =>
  failure('unwritable', `the ground truth of the imperfections cannot be written: ${reason}`);
