import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { ioError } from '../../../adapters/files/ioError.js';
import { failure, type Result } from '../../../domain/errors.js';
import { type Records, recordsOf } from '../../../learn/records.js';
import { MAX_RECORDS } from './limits.js';

export interface ReadLogs extends Records {
  /** Logs of which only the start was read. */
  readonly cut_logs: readonly string[];
}

interface Start {
  readonly text: string;
  readonly isCut: boolean;
}

/** Bytes of a compressed file. */
const GZIP = [0x1f, 0x8b];

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
      const last = isCut ? buffer.lastIndexOf(0x0a, length - 1) + 1 : length;
      if (GZIP.every((byte, at) => buffer[at] === byte))
        return E.left(failure('invalid', `${path} is compressed. Decompress it first.`));
      return E.right({ text: buffer.toString('utf8', 0, last > 0 ? last : length), isCut });
    } finally {
      await file.close();
    }
  } catch (thrown) {
    return E.left(ioError('unreadable', 'read', path, thrown));
  }
};

/** The records of all logs in turn. Left: one cannot be read. */
export const readLogs = async (
  paths: readonly string[],
  cwd: string,
  max_bytes: number,
): Promise<Result<ReadLogs>> => {
  const records: string[] = [];
  const cut_logs: string[] = [];
  const left = { too_long: 0, binary: 0, bad_characters: 0 };
  for (const path of paths) {
    const start = await readStart(resolve(cwd, path), max_bytes);
    if (E.isLeft(start)) return start;
    const found = recordsOf(start.right.text);
    const room = MAX_RECORDS - records.length;
    for (const record of found.records.slice(0, room)) records.push(record);
    if (start.right.isCut || found.records.length > room) cut_logs.push(path);
    left.too_long += found.too_long;
    left.binary += found.binary;
    left.bad_characters += found.bad_characters;
  }
  if (records.length === 0) {
    const why = left.binary + left.too_long > 0 ? 'only binary data or lines that are too long' : 'no lines';
    return E.left(
      failure('invalid', `${paths.join(', ')}: ${why}. Give a text log with at least one event.`),
    );
  }
  return E.right({ records, ...left, cut_logs });
};
