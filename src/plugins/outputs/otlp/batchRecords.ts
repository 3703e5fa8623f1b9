import type { EventBatch } from '../../../domain/events/eventBatch.js';
import type { Log } from '../../../ports/log.js';
import { Utf8Text } from './protobufWriter.js';
import type { LogRecord, RecordMaker } from './record.js';

const MAX_LOGGED = 3;

/** Code units of a JSON object or list, and of white space before it. */
const OPENING: ReadonlySet<number> = new Set([0x7b, 0x5b]);
const SPACE = 0x20;

/** Whether an event may be an object or a list of JSON. */
const mayBeDocument = (bytes: Uint8Array, start: number, end: number): boolean => {
  let at = start;
  while (at < end && (bytes[at] as number) <= SPACE) at++;
  return OPENING.has(bytes[at] as number);
};

/** Returns what makes the records of a batch; events that must be JSON and are not are logged and left out. */
export const batchRecords = (
  {
    encoding,
    content,
  }: { readonly encoding: 'json' | 'protobuf'; readonly content: 'auto' | 'json' | 'text' },
  { recordOf, isUniform }: RecordMaker,
  log: Log,
): ((batch: EventBatch, now: bigint) => readonly LogRecord[]) => {
  const ofTexts = (batch: EventBatch, now: bigint): readonly LogRecord[] => {
    const records: LogRecord[] = [];
    let logged = 0;
    for (const event of batch.texts()) {
      const record = recordOf(event, now);
      if (record !== null) records.push(record);
      else if (logged++ < MAX_LOGGED) {
        log.write('error', 'event dropped: it is not JSON', { original_event: event });
      }
    }
    return records;
  };

  /** Texts go from the bytes of the batch to those of the request, without a string for each. */
  const ofBytes = (batch: EventBatch, now: bigint): readonly LogRecord[] => {
    const { bytes, ends } = batch.encoded();
    const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const shared = recordOf('', now) as LogRecord;
    const records: LogRecord[] = [];
    let start = 0;
    for (let item = 0; item < batch.count; item++) {
      const end = (ends[item] as number) - 1;
      const isDocument = content === 'auto' && mayBeDocument(bytes, start, end);
      records.push(
        isDocument
          ? (recordOf(batch.texts()[item] as string, now) as LogRecord)
          : { ...shared, body: new Utf8Text(source, start, end) },
      );
      start = end + 1;
    }
    return records;
  };

  return isUniform && encoding === 'protobuf' ? ofBytes : ofTexts;
};
