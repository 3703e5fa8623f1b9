import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result } from '../../domain/errors.js';
import type { LogRecords } from './records.js';

const GZIP = [0x1f, 0x8b];
const LINE_FEED = 0x0a;

/** Text of the start of a log; `isCut`: up to its last whole line. `shown`: its name in errors. */
export const textOfLog = (bytes: Buffer, isCut: boolean, shown: string): Result<string> => {
  if (GZIP.every((byte, at) => bytes[at] === byte))
    return E.left(failure('invalid', `${shown} is compressed. Decompress it first.`));
  const last = isCut ? bytes.lastIndexOf(LINE_FEED) + 1 : bytes.length;
  return E.right(bytes.toString('utf8', 0, last > 0 ? last : bytes.length));
};

/** Returns the records, or an error when there are none. */
export const someRecords = <A extends LogRecords>(found: A, shown: string): Result<A> => {
  if (found.records.length > 0) return E.right(found);
  const why = found.binary + found.too_long > 0 ? 'only binary data or lines that are too long' : 'no lines';
  return E.left(failure('invalid', `${shown}: ${why}. Give a text log with at least one event.`));
};
