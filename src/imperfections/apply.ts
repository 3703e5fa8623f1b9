import { type EventBatch, encodedBatch, textBatch } from '../domain/events/eventBatch.js';
import { flawOf, type ImperfectionKind, imperfectionOf, isSkewed } from '../domain/imperfections.js';
import { hashedDraw } from '../domain/random.js';
import type { Micros } from '../domain/time/micros.js';
import { type Damaged, malformed, truncated } from './damage.js';
import type { ImperfectSource, Skew } from './skew.js';
import { type Silence, silenceAt } from './times.js';

/** Number in the stream and time of each event of a batch, and its text before the formatter. */
export interface EventsOfItems {
  readonly ordinals: readonly number[];
  /** Times of the events. Null when they are not known. */
  readonly times: Float64Array | null;
  readonly texts: () => readonly string[];
}

interface HitItem {
  /** Position of the item in the batch. */
  readonly item: number;
  readonly ordinal: number;
}

export interface Flawed extends HitItem {
  readonly what: ImperfectionKind;
  /** What a truncated or malformed item becomes. Null for other flaws. */
  readonly damaged: Damaged | null;
}

export interface Silenced extends HitItem {
  readonly what: 'silenced';
  readonly silence: Silence;
}

export interface Skewed extends HitItem {
  readonly what: 'skewed';
  /** How far its timestamps are ahead; negative: behind. */
  readonly seconds: number;
}

export interface Imperfect {
  readonly batch: EventBatch;
  /** For each item of `batch` the position of its item in the batch before. */
  readonly places: readonly number[];
  /** Ascending. */
  readonly flawed: readonly (Flawed | Silenced)[];
  readonly skewed: readonly Skewed[];
  /** Items without a timestamp, which a wrong clock leaves unchanged. */
  readonly notSkewed: readonly number[];
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

const timeOf = ({ times }: EventsOfItems, item: number): Micros | null => times?.[item] ?? null;

interface Chosen {
  readonly flaws: readonly (Omit<Flawed, 'damaged'> | Silenced)[];
  readonly toSkew: readonly HitItem[];
}

const chosenOf = ({ choices, key, skew }: ImperfectSource, events: EventsOfItems): Chosen => {
  const flaws: Chosen['flaws'][number][] = [];
  const toSkew: HitItem[] = [];
  const losing = choices.silent?.events === 'lost' ? choices.silent : null;
  for (const [item, ordinal] of events.ordinals.entries()) {
    const silence = silenceAt(losing, key, timeOf(events, item));
    if (silence !== null) {
      flaws.push({ item, ordinal, what: 'silenced', silence });
      continue;
    }
    const what = flawOf(choices, key, ordinal);
    if (what !== null) flaws.push({ item, ordinal, what });
    if (skew !== null && what !== 'dropped' && isSkewed(choices, key, ordinal))
      toSkew.push({ item, ordinal });
  }
  return { flaws, toSkew };
};

/** Writes the texts of a wrong clock in place of those of right ones. */
const skewTexts = (
  skew: Skew,
  toSkew: readonly HitItem[],
  items: string[],
  events: EventsOfItems,
): Pick<Imperfect, 'skewed' | 'notSkewed'> => {
  const skewed: Skewed[] = [];
  const notSkewed: number[] = [];
  const before = events.texts();
  for (const { item, ordinal } of toSkew) {
    const made = skew(items[item] as string, before[item] as string, timeOf(events, item));
    if (made === null) notSkewed.push(item);
    else if (made.seconds !== 0) {
      items[item] = made.text;
      skewed.push({ item, ordinal, what: 'skewed', seconds: made.seconds });
    }
  }
  return { skewed, notSkewed };
};

const NOT_SKEWED: Pick<Imperfect, 'skewed' | 'notSkewed'> = { skewed: [], notSkewed: [] };

const damagedBy = (
  { choices, key }: ImperfectSource,
  { what, ordinal }: Omit<Flawed, 'damaged'>,
  text: string,
): Damaged | null => {
  const draws = (purpose: number): number => hashedDraw(key, ordinal, purpose);
  if (what === 'truncated') return truncated(text, draws);
  return what === 'malformed' ? malformed(text, imperfectionOf(choices, key, ordinal), draws) : null;
};

/** The items without those that are gone, with second copies and damage. `flawed`: ascending. */
const flawedItems = (
  texts: readonly string[],
  flawed: Imperfect['flawed'],
): Pick<Imperfect, 'batch' | 'places'> => {
  const items: (string | Buffer)[] = [];
  const places: number[] = [];
  let next = 0;
  for (const [item, text] of texts.entries()) {
    const one = flawed[next]?.item === item ? flawed[next++] : undefined;
    if (one?.what === 'dropped' || one?.what === 'silenced') continue;
    const damaged = one?.damaged ?? null;
    items.push(
      damaged === null ? text : damaged.kind === 'bad_encoding' ? damaged.bytes : damaged.bytes.toString(),
    );
    places.push(item);
    if (one?.what !== 'doubled') continue;
    items.push(text);
    places.push(item);
  }
  return { batch: batchOf(items), places };
};

/**
 * Skews, drops, doubles, truncates and malforms items. What happens to one depends on the key, its ordinal and its time
 * only. Returns null when nothing happens to this batch. The clock comes first, so that a truncated item can have its
 * time. A text of one character cannot be truncated and stays.
 */
export const applyImperfections = (
  source: ImperfectSource,
  batch: EventBatch,
  events: EventsOfItems,
): Imperfect | null => {
  const { flaws, toSkew } = chosenOf(source, events);
  if (flaws.length === 0 && toSkew.length === 0) return null;
  const texts = [...batch.texts()];
  const clock = source.skew === null ? NOT_SKEWED : skewTexts(source.skew, toSkew, texts, events);
  const flawed = flaws
    .map((one) =>
      one.what === 'silenced' ? one : { ...one, damaged: damagedBy(source, one, texts[one.item] as string) },
    )
    .filter((one) => one.what !== 'truncated' || one.damaged !== null);
  return { ...flawedItems(texts, flawed), flawed, ...clock };
};
