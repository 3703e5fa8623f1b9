import { type EventBatch, encodedBatch, textBatch } from '../events/eventBatch.js';
import { type DrawKey, hashedDraw } from '../random/hashedDraw.js';
import { flawOf, kindOf } from './choose.js';
import { type Damaged, malformed, truncated } from './damage.js';
import type { Flaw, ImperfectionChoices } from './imperfections.js';

export interface Flawed {
  /** Position of the item in the batch. */
  readonly item: number;
  readonly ordinal: number;
  readonly flaw: Flaw;
  /** Of truncated and malformed items. */
  readonly damaged: Damaged | null;
}

export interface Imperfect {
  readonly batch: EventBatch;
  /** For each item of `batch` the position of its item in the batch before. */
  readonly places: readonly number[];
  /** Ascending. */
  readonly flawed: readonly Flawed[];
}

const LINE_FEED = Buffer.from('\n');

const batchOf = (items: readonly (string | Buffer)[]): EventBatch => {
  if (items.every((item) => typeof item === 'string')) return textBatch(items);
  const parts = items.map((item) => (typeof item === 'string' ? Buffer.from(item) : item));
  const ends = new Uint32Array(parts.length);
  let end = 0;
  for (const [index, part] of parts.entries()) {
    end += part.length + 1;
    ends[index] = end;
  }
  return encodedBatch({ bytes: Buffer.concat(parts.flatMap((part) => [part, LINE_FEED])), ends });
};

const damagedBy = (
  flaw: Flaw,
  text: string,
  choices: ImperfectionChoices,
  key: DrawKey,
  ordinal: number,
): Damaged | null => {
  const draws = (purpose: number): number => hashedDraw(key, ordinal, purpose);
  if (flaw === 'truncated') return truncated(text, draws);
  return flaw === 'malformed' ? malformed(text, kindOf(choices, key, ordinal), draws) : null;
};

/**
 * Drops, doubles, truncates and malforms items. What happens to one depends on the key and its ordinal only. `null`:
 * nothing happens to this batch. A text of one character cannot be truncated and stays.
 */
export const applyImperfections = (
  choices: ImperfectionChoices,
  key: DrawKey,
  batch: EventBatch,
  ordinals: readonly number[],
): Imperfect | null => {
  const chosen = ordinals.flatMap((ordinal, item) => {
    const flaw = flawOf(choices, key, ordinal);
    return flaw === null ? [] : [{ item, ordinal, flaw }];
  });
  if (chosen.length === 0) return null;
  const texts = batch.texts();
  const flawed = chosen
    .map((one) => ({
      ...one,
      damaged: damagedBy(one.flaw, texts[one.item] as string, choices, key, one.ordinal),
    }))
    .filter(({ flaw, damaged }) => flaw !== 'truncated' || damaged !== null);
  const items: (string | Buffer)[] = [];
  const places: number[] = [];
  let next = 0;
  for (let item = 0; item < texts.length; item++) {
    const one = flawed[next]?.item === item ? flawed[next++] : undefined;
    if (one?.flaw === 'dropped') continue;
    const text = texts[item] as string;
    const { damaged = null } = one ?? {};
    items.push(
      damaged === null ? text : damaged.kind === 'bad_encoding' ? damaged.bytes : damaged.bytes.toString(),
    );
    places.push(item);
    if (one?.flaw !== 'doubled') continue;
    items.push(text);
    places.push(item);
  }
  return { batch: batchOf(items), places, flawed };
};
