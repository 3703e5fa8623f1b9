import { isUtf8 } from 'node:buffer';
import * as E from 'fp-ts/lib/Either.js';
import { reasonOf, systemCodeOf } from '../../../../../domain/errors.js';
import type { Clock } from '../../../../../ports/clock.js';
import { readInputFile } from '../../../../shared/inputFile.js';

/** Bytes. Rows take several times as much memory. */
const MAX_BYTES = 128 * 1024 * 1024;
const MAX_MEBIBYTES = MAX_BYTES / 1024 / 1024;

const BYTE_ORDER_MARK = Buffer.from('\uFEFF');
const LINE_END = 10;

/** Line (from 1) of the first invalid UTF-8; no character contains a line end byte. */
const firstBadLine = (bytes: Buffer): number => {
  let line = 1;
  let start = 0;
  for (;;) {
    const end = bytes.indexOf(LINE_END, start);
    if (end < 0 || !isUtf8(bytes.subarray(start, end))) return line;
    line++;
    start = end + 1;
  }
};

const withoutMark = (bytes: Buffer): Buffer =>
  bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)
    ? bytes.subarray(BYTE_ORDER_MARK.length)
    : bytes;

/**
 * Reads UTF-8 without BOM, from `draft` instead of the file if it is given. Returns an error of one sentence with the
 * reason and the fix, without the file name.
 */
export const readDataFile = async (
  file: string,
  clock: Clock,
  draft?: string,
): Promise<E.Either<string, Buffer>> => {
  try {
    const bytes = draft !== undefined ? Buffer.from(draft) : await readInputFile(file, clock, MAX_BYTES);
    if (bytes === null) return E.left(`the file is larger than ${MAX_MEBIBYTES} MiB: use a smaller file`);
    if (!isUtf8(bytes)) {
      return E.left(`line ${firstBadLine(bytes)} is not valid UTF-8: save the file as UTF-8`);
    }
    return E.right(withoutMark(bytes));
  } catch (thrown) {
    if (['ENOENT', 'ENOTDIR'].includes(systemCodeOf(thrown))) {
      return E.left("the file does not exist: correct the path, relative to the generator's folder");
    }
    return E.left(`cannot read the file: ${reasonOf(thrown)}`);
  }
};
