import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result, reasonOf } from '../../../domain/errors.js';
import { textBatch } from '../../../domain/events/eventBatch.js';
import { isJsonObject, type Json } from '../../../domain/json.js';
import type { MarkMode } from '../../../domain/marks/mark.js';
import { type Partition, WHOLE } from '../../../domain/partitions.js';
import type { Micros } from '../../../domain/time/micros.js';
import { type Restamp, restampOf } from '../../../domain/timestamps/span.js';
import type { EventContext, EventProducer, Input, Produced, ProduceRequest } from '../../kit.js';
import type { PlayedRecord, RecordPlayer } from '../../pairs.js';
import { makeMarker } from '../../shared/marker.js';
import { problemLog } from '../../shared/problemLog.js';
import type { Remap } from './remap.js';

interface RecordedParams {
  readonly keep_timestamps: boolean;
  readonly marks: MarkMode | null;
}

const EVENTS_PER_LOOK = 100;

const recordProblems = ({ log, clock }: EventContext) => {
  const failed = problemLog(log, clock, 'error', 'record failed');
  return {
    of: ({ file, line }: PlayedRecord, reason: string): void =>
      failed.report(() => ({ file_path: file, line, reason })),
    without: (reason: string): void => failed.report(() => ({ reason })),
    close: failed.close,
  };
};

const NO_INPUT = 'it is given by the input `recorded`, which is not here. Previews of events have no inputs';

/** Gives each timestamp of the input `recorded` its record, with a new time in it. */
export const recordedProducer = async (
  params: RecordedParams,
  remap: Remap | null,
  context: EventContext,
): Promise<Result<EventProducer>> => {
  const problems = recordProblems(context);
  const marker = params.marks === null ? null : makeMarker(params.marks, context.random);
  const follower = makeFollower(context.partition ?? WHOLE);
  let restamp: Restamp | null = null;

  const follow = (inputs: readonly Input[], skip: number): Result<void> => {
    const [input] = inputs;
    if (inputs.length !== 1 || input?.records === undefined) {
      return E.left(failure('invalid', 'event.replay.from: it needs the input `recorded`, as the only one'));
    }
    const made = restampOf(input.records.timestamp_format, context.zone);
    if (E.isLeft(made)) return E.left(failure('invalid', `timestamp_format ${made.left}`));
    restamp = params.keep_timestamps ? null : made.right;
    follower.begin(input.records.player(), skip);
    return E.right(undefined);
  };

  const withNewTime = (text: string, { span }: PlayedRecord, micros: Micros): string => {
    if (restamp === null || span === null) return text;
    return text.slice(0, span[0]) + restamp(micros, text.slice(span[0], span[1])) + text.slice(span[1]);
  };

  /** Returns the event of a record, or null when it has none, which is logged. */
  const eventOf = (record: PlayedRecord, micros: Micros): string | null => {
    const text = record.text();
    if (text === null) {
      problems.of(record, record.isTooLong ? 'it is longer than 1 MiB' : 'it is not valid UTF-8');
      return null;
    }
    const timed = withNewTime(text, record, micros);
    const event = remap === null ? timed : remap(timed);
    if (marker === null) return event;
    const marked = marker.mark(event, micros);
    if (E.isRight(marked)) return marked.right;
    problems.of(record, marked.left);
    return null;
  };

  const produce = (request: ProduceRequest): Produced | Promise<Produced> => {
    const events: string[] = [];
    let consumed = 0;
    const done = (): Produced => ({
      consumed,
      events: textBatch(events),
      failed: consumed - events.length,
      dropped: 0,
      exhausted: false,
    });
    for (const want = request.to - request.from; consumed < want; consumed++) {
      const micros = request.micros[request.from + consumed] as Micros;
      let event: string | null = null;
      try {
        const found = follower.recordAt(micros);
        if (found === 'behind') {
          return consumed > 0 ? done() : context.clock.yieldTurn().then(() => produce(request));
        }
        if (typeof found === 'object') event = eventOf(found, micros);
        else
          problems.without(
            found === 'none' ? NO_INPUT : 'the recording changed: it has no record for the timestamp',
          );
      } catch (thrown) {
        problems.without(reasonOf(thrown));
      }
      if (event !== null) events.push(event);
      if (consumed % EVENTS_PER_LOOK === EVENTS_PER_LOOK - 1 && request.isSpent()) {
        consumed++;
        break;
      }
    }
    return done();
  };

  return E.right({
    produce,
    follow,
    close: async () => problems.close(),
    // A producer of a file has its name here: neither continues where the other was.
    snapshot: (): Json => ({
      file: null,
      records: follower.snapshot(),
      ...(marker === null ? {} : { marks: marker.snapshot() }),
    }),
    restore: (state) => {
      const { records = null, marks } = isJsonObject(state) ? state : {};
      if (records !== null) follower.restore(records);
      if (marks !== undefined) marker?.restore(marks);
    },
  });
};

/** Records passed in one turn of the event loop. */
const MAX_PASSED = 2_000;

/** Keeps records and timestamps together: both come in the same order, and timestamps may be left out. */
interface RecordFollower {
  /** Follows other timestamps. `skip`: of the records of the partition, so many are used already. */
  readonly begin: (player: RecordPlayer, skip: number) => void;
  /**
   * The record of the next timestamp, valid until the next call. `behind`: call again, after a turn of the event loop; `lost`:
   * there is none; `none`: there are no records. Throws if a file has changed.
   */
  readonly recordAt: (micros: Micros) => PlayedRecord | 'behind' | 'lost' | 'none';
  /** Returns the position in the records, or null when there are none. */
  readonly snapshot: () => Json;
  /** Continues where another follower of the same records was; without records it does nothing. */
  readonly restore: (state: Json) => void;
}

/** Number `k` of the records belongs to partition `k mod count`, as number `k` of the timestamps does. */
const makeFollower = ({ index, count }: Partition): RecordFollower => {
  let player: RecordPlayer | null = null;
  let left = 0;
  /** The next own record, read ahead because its timestamp is later. */
  let ahead: PlayedRecord | null = null;

  return {
    begin: (next, skip) => {
      player = next;
      left = skip;
      ahead = null;
    },
    recordAt: (micros) => {
      if (player === null) return 'none';
      for (let passed = 0; passed < MAX_PASSED; passed++) {
        let record = ahead;
        if (record === null) {
          const isOwn = player.ordinal() % count === index;
          record = player.next();
          if (record === null) return 'lost';
          if (!isOwn) continue;
          if (left > 0) {
            left--;
            continue;
          }
        }
        ahead = record.micros > micros ? record : null;
        if (record.micros === micros) return record;
        if (record.micros > micros) return 'lost';
        // Timestamps that a partition missed are left out, and their records with them.
      }
      return 'behind';
    },
    snapshot: () => player?.snapshot() ?? null,
    restore: (state) => {
      player?.restore(state);
      ahead = null;
      left = 0;
    },
  };
};
