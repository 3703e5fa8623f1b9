import * as E from 'fp-ts/lib/Either.js';
import { isJsonObject, type Json } from '../../../domain/json.js';
import { hex8, type MarkMode } from '../../../domain/marks/mark.js';
import { PUT_MARK } from '../../../domain/marks/put.js';
import type { Random } from '../../../domain/random/random.js';
import type { Micros } from '../../../domain/time/micros.js';
import { remembering } from './remembering.js';

/** Marks the events of one run of a generator, one after the other. */
export interface Marker {
  /** The event with its mark; Left: one sentence why it cannot carry one, and no number was used. */
  readonly mark: (event: string, micros: Micros) => E.Either<string, string>;
  /**
   * Marks all of some events, which share a timestamp. All or none: with the sentence of the first
   * that cannot carry a mark, none is marked and no number was used. `null`: all are marked.
   */
  readonly markAll: (events: string[], micros: Micros) => string | null;
  readonly snapshot: () => Json;
  /** Goes on after a snapshot. Throws when the state is none of a marker. */
  readonly restore: (state: Json) => void;
}

const isUint32 = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= 0xffff_ffff;

const isSequence = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

/** Makes a marker; `random` is that of the plugin, whose own draws stay as they are. */
export const makeMarker = (mode: MarkMode, random: Random): Marker => {
  const put = PUT_MARK[mode];
  let stream = random.fork('marks').uint32();
  let streamText = hex8(stream);
  /** Of the last event. */
  let sequence = 0;
  const microsText = remembering(String);

  const mark: Marker['mark'] = (event, micros) => {
    const marked = put(event, `${streamText}:${sequence + 1}:${microsText(micros)}`);
    if (E.isRight(marked)) sequence++;
    return marked;
  };

  return {
    mark,
    markAll: (events, micros) => {
      const before = sequence;
      const marked: string[] = [];
      for (const event of events) {
        const result = mark(event, micros);
        if (E.isLeft(result)) {
          sequence = before;
          return result.left;
        }
        marked.push(result.right);
      }
      for (const [index, event] of marked.entries()) events[index] = event;
      return null;
    },
    snapshot: () => ({ stream, sequence }),
    restore: (saved) => {
      const { stream: savedStream, sequence: savedSequence } = isJsonObject(saved) ? saved : {};
      if (!isUint32(savedStream) || !isSequence(savedSequence)) {
        throw new Error('the state of the marks has not the form that was saved');
      }
      stream = savedStream;
      streamText = hex8(stream);
      sequence = savedSequence;
    },
  };
};
