import * as E from 'fp-ts/lib/Either.js';
import type { ImperfectionChoices } from '../domain/imperfections.js';
import { type Edited, sealOf } from '../domain/marks/read.js';
import type { DrawKey } from '../domain/random.js';
import { MAX_MICROS, MICROS_PER_SECOND, MIN_MICROS, type Micros } from '../domain/time/micros.js';
import { compileStrptime, offsetReader } from '../domain/time/strptime.js';
import { fixedZone, type Zone } from '../domain/time/zone.js';
import { compilePattern } from '../domain/timestamps/pattern.js';
import { type Restamp, restampOf, type Span, spanFinder } from '../domain/timestamps/span.js';

/** What decides what happens to the events of an output. */
export interface ImperfectSource {
  readonly choices: ImperfectionChoices;
  readonly key: DrawKey;
  /** Moves timestamps by the error of the clock. Null when the clock is right. */
  readonly skew: Skew | null;
}

/** An item as a wrong clock writes it. */
export interface SkewedText {
  readonly text: string;
  /** How far its timestamps are ahead; negative: behind. */
  readonly seconds: number;
}

/**
 * Moves the timestamps of an item by the error of the clock. `event` is the item before the formatter, `micros` its
 * timestamp, or null when that is not known. Returns null when no timestamp was found.
 */
export type Skew = (item: string, event: string, micros: Micros | null) => SkewedText | null;

interface SkewOptions {
  readonly timestamp_pattern: string;
  readonly timestamp_format: string;
  readonly zone: Zone;
  /** In microseconds, at a true time. */
  readonly errorAt: (micros: Micros) => number;
}

/** Offsets that are remembered: a log has few. */
const MAX_OFFSETS = 64;

/** Writes a wrong time in the place of the text of a right one. */
type Rewrite = (wrong: Micros, original: string, right: Micros) => string;

/** Keeps an offset from UTC that is not the one of the zone. */
const rewriteIn = (format: string, zone: Zone): E.Either<string, Rewrite> => {
  const offsetIn = offsetReader(format);
  const foreign = new Map<number, Restamp>();
  return E.map((own: Restamp): Rewrite => {
    const foreignOf = (offset: number): Restamp => {
      const known = foreign.get(offset);
      if (known !== undefined) return known;
      const made = restampOf(format, fixedZone(offset));
      if (foreign.size === MAX_OFFSETS) foreign.clear();
      const restamp = E.isRight(made) ? made.right : own;
      foreign.set(offset, restamp);
      return restamp;
    };
    return (wrong, original, right) => {
      const offset = offsetIn(original);
      const isOwn = offset === null || offset === zone.offsetSecondsAt(right);
      return (isOwn ? own : foreignOf(offset))(wrong, original);
    };
  })(restampOf(format, zone));
};

interface Edit {
  readonly span: Span;
  readonly text: string;
}

const editedBy =
  (item: string, edits: readonly Edit[]): Edited =>
  (from, to) => {
    let text = '';
    let at = from;
    for (const { span, text: written } of edits) {
      if (span[0] < from || span[1] > to) continue;
      text += item.slice(at, span[0]) + written;
      at = span[1];
    }
    return text + item.slice(at, to);
  };

/** Compiles a wrong clock. The error is one sentence about the pattern or the format. */
export const compileSkew = ({
  timestamp_pattern,
  timestamp_format,
  zone,
  errorAt,
}: SkewOptions): E.Either<string, Skew> => {
  const pattern = compilePattern(timestamp_pattern);
  if (E.isLeft(pattern)) return E.left(`timestamp_pattern ${pattern.left}`);
  const readTime = compileStrptime(timestamp_format, zone);
  if (E.isLeft(readTime)) return E.left(`timestamp_format ${readTime.left}`);
  const rewrite = rewriteIn(timestamp_format, zone);
  if (E.isLeft(rewrite)) return E.left(`timestamp_format ${rewrite.left}`);
  const spansOf = spanFinder(pattern.right);

  /** The text may be the timestamp without its last digits: an error below a second needs them. */
  const trueTime = (original: string, micros: Micros | null): Micros | null => {
    if (micros !== null && rewrite.right(micros, original, micros) === original) return micros;
    return readTime.right(original, micros ?? 0);
  };

  const skew: Skew = (item, event, micros) => {
    const found = spansOf(item);
    if (found.length === 0) return null;
    const start = item.endsWith(event) ? item.length - event.length : 0;
    const seal = sealOf(item.slice(start));
    let error: number | null = null;
    const edits: Edit[] = [];
    for (const span of found) {
      if (seal !== null && span[0] < start + seal.to && span[1] > start + seal.from) continue;
      const original = item.slice(span[0], span[1]);
      const time = trueTime(original, micros);
      if (time === null) continue;
      const wrong: Micros = time + (error ?? errorAt(time));
      if (wrong > MAX_MICROS || wrong < MIN_MICROS) continue;
      error ??= wrong - time;
      edits.push({ span, text: rewrite.right(wrong, original, time) });
    }
    if (error === null) return null;
    const edited = editedBy(item, edits);
    const inEvent: Edited = (from, to) => edited(start + from, start + to);
    const rest = seal === null ? inEvent(0, item.length - start) : seal.renewed(inEvent);
    return { text: edited(0, start) + rest, seconds: error / MICROS_PER_SECOND };
  };
  return E.right(skew);
};
