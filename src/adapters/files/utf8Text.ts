import { isUtf8 } from 'node:buffer';
import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result } from '../../domain/errors.js';

const LINE_FEED = 0x0a;

const firstBad = (line: Uint8Array): number => {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let start = 0;
  for (let at = 0; at < line.length; at++) {
    try {
      // The decoder returns a character with its last byte.
      if (decoder.decode(line.subarray(at, at + 1), { stream: true }) !== '') start = at + 1;
    } catch {
      return start;
    }
  }
  return start;
};

/** Line (from 1) and offset of the first bad byte. A line feed is never part of another character. */
const badPlace = (
  bytes: Buffer,
): { readonly line: number; readonly from: number; readonly offset: number } => {
  let from = 0;
  for (let line = 1; ; line++) {
    const end = bytes.indexOf(LINE_FEED, from);
    const whole = bytes.subarray(from, end < 0 ? bytes.length : end);
    if (end < 0 || !isUtf8(whole)) return { line, from, offset: from + firstBad(whole) };
    from = end + 1;
  }
};

/** Decodes UTF-8 without the byte order mark. Left `invalid` names the first bad byte, from 0. */
export const utf8Text = (bytes: Buffer, path: string): Result<string> => {
  if (isUtf8(bytes)) return E.right(new TextDecoder().decode(bytes));
  const { line, from, offset } = badPlace(bytes);
  const message = `is not UTF-8 at byte ${offset}`;
  const issue = { path: [], type: 'bad_encoding', message, hint: 'Save it as UTF-8.' };
  return E.left(
    failure('invalid', `cannot read ${path}: it ${message}; save it as UTF-8`, {
      file: path,
      issues: [{ ...issue, line, column: offset - from + 1 }],
    }),
  );
};
