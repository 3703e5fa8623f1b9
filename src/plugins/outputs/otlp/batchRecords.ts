import type { Log } from '../../../ports/log.js';
import type { LogRecord, RecordMaker } from './record.js';

const MAX_LOGGED = 3;

/** Returns what makes the records of events; those that must be JSON and are not are logged and left out. */
export const batchRecords =
  ({ recordOf }: Pick<RecordMaker, 'recordOf'>, log: Log) =>
  (events: readonly string[], now: bigint): readonly LogRecord[] => {
    const records: LogRecord[] = [];
    let logged = 0;
    for (const event of events) {
      const record = recordOf(event, now);
      if (record !== null) records.push(record);
      else if (logged++ < MAX_LOGGED) {
        log.write('error', 'event dropped: it is not JSON', { original_event: event });
      }
    }
    return records;
  };
