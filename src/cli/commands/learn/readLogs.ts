import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { ioError } from '../../../adapters/files/ioError.js';
import { failure, type Result } from '../../../domain/errors.js';
import type { Micros } from '../../../domain/time/micros.js';
import { MAX_RECORDS } from '../../../learn/limits.js';
import { someRecords, textOfLog } from '../../../learn/read.js';
import { type Records, recordsOf } from '../../../learn/records.js';

export interface ReadLogs extends Records {
  /** Logs of which only the start was read. */
  readonly cut_logs: readonly string[];
  /** When the newest of them was written. */
  readonly written: Micros;
}

interface Start {
  readonly text: string;
  readonly isCut: boolean;
  readonly written: Micros;
}

/** The start of a file, up to its last whole line. */
const readStart = async (path: string, max_bytes: number): Promise<Result<Start>> => {
  try {
    const file = await open(path, 'r');
    try {
      const stats = await file.stat();
      if (!stats.isFile())
        return E.left(
          failure(
            'unreadable',
            `${path} is ${stats.isDirectory() ? 'a directory' : 'no regular file'}. Name a log file.`,
          ),
        );
      const buffer = Buffer.alloc(Math.min(max_bytes, stats.size));
      let length = 0;
      while (length < buffer.length) {
        const { bytesRead } = await file.read(buffer, length, buffer.length - length, length);
        if (bytesRead === 0) break;
        length += bytesRead;
      }
      const isCut = stats.size > length;
      return E.map((text: string): Start => ({ text, isCut, written: Math.floor(stats.mtimeMs * 1_000) }))(
        textOfLog(buffer.subarray(0, length), isCut, path),
      );
    } finally {
      await file.close();
    }
  } catch (thrown) {
    return E.left(ioError('unreadable', 'read', path, thrown));
  }
};

/** Reads the records of all logs in turn. Returns an error when a log cannot be read. */
export const readLogs = async (
  paths: readonly string[],
  cwd: string,
  max_bytes: number,
): Promise<Result<ReadLogs>> => {
  const records: string[] = [];
  const cut_logs: string[] = [];
  const left = { too_long: 0, binary: 0, bad_characters: 0 };
  let written = 0;
  for (const path of paths) {
    const start = await readStart(resolve(cwd, path), max_bytes);
    if (E.isLeft(start)) return start;
    const found = recordsOf(start.right.text);
    const room = MAX_RECORDS - records.length;
    for (const record of found.records.slice(0, room)) records.push(record);
    if (start.right.isCut || found.records.length > room) cut_logs.push(path);
    written = Math.max(written, start.right.written);
    left.too_long += found.too_long;
    left.binary += found.binary;
    left.bad_characters += found.bad_characters;
  }
  return someRecords({ records, ...left, cut_logs, written }, paths.join(', '));
};
