import * as E from 'fp-ts/lib/Either.js';
import { isJsonObject, type Json } from '../../domain/json.js';
import { hex8, type MarkMode, PUT_MARK } from '../../domain/marks/mark.js';
import type { Random } from '../../domain/random.js';
import type { Micros } from '../../domain/time/micros.js';

export interface Marker {
  /** Marks an event. Returns an error when the event cannot carry a mark; no number is used then. */
  readonly mark: (event: string, micros: Micros) => E.Either<string, string>;
  /** Marks all events of a timestamp or none. Returns the first error, or null when all are marked. */
  readonly markAll: (events: string[], micros: Micros) => string | null;
  readonly snapshot: () => Json;
  /** Throws on an invalid state. */
  readonly restore: (state: Json) => void;
}

const isUint32 = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= 0xffff_ffff;

const isSequence = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

/** Makes a marker. It forks `random`, so the plugin's own draws do not change. */
export const makeMarker = (mode: MarkMode, random: Random): Marker => {
  const put = PUT_MARK[mode];
  let stream = random.fork('marks').uint32();
  let streamText = hex8(stream);
  /** Number of the last marked event. */
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
        throw new Error('the saved state of the marks is invalid');
      }
      stream = savedStream;
      streamText = hex8(stream);
      sequence = savedSequence;
    },
  };
};

/** Caches the text of the last timestamp. */
export const remembering = (textOf: (micros: Micros) => string): ((micros: Micros) => string) => {
  let last = Number.NaN;
  let text = '';
  return (micros) => {
    if (micros !== last) {
      text = textOf(micros);
      last = micros;
    }
    return text;
  };
};
