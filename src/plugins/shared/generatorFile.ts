import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { reasonOf } from '../../domain/errors.js';

/** Absolute path of a file that a config names: relative paths start at the folder of the generator. */
export const generatorFile = (context: { readonly directory: string }, path: string): string =>
  resolve(context.directory, path);

/**
 * Text of a small file, UTF-8 without byte order mark; never holds more than the limit, whatever the file
 * says its size is. Left: why it cannot be read, to stand behind the name of the file.
 */
export const readSmallText = async (
  file: string,
  max_mib: number,
): Promise<E.Either<string, string>> => {
  const max_bytes = max_mib * 1024 * 1024;
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    // `end` is the last place that is read: one byte more than allowed, to see that there is more.
    for await (const chunk of createReadStream(file, { end: max_bytes }) as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
    }
  } catch (thrown) {
    return E.left(`cannot be read: ${reasonOf(thrown)}`);
  }
  if (length > max_bytes) return E.left(`is larger than ${max_mib} MiB`);
  return E.right(Buffer.concat(chunks).toString('utf8').replace(/^\uFEFF/, ''));
};
