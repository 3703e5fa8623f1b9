import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result, reasonOf } from '../../domain/errors.js';

/** Reads standard input as UTF-8. Returns the error `too_large` or `unreadable` when it cannot. */
export const readStdin = async (max_bytes: number): Promise<Result<string>> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > max_bytes) {
        return E.left(failure('too_large', `standard input has more than ${max_bytes} bytes`));
      }
      chunks.push(chunk);
    }
  } catch (thrown) {
    return E.left(failure('unreadable', `cannot read standard input: ${reasonOf(thrown)}`));
  }
  try {
    return E.right(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)));
  } catch {
    return E.left(failure('unreadable', 'standard input is not UTF-8'));
  }
};
