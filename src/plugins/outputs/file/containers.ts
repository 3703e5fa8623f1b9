import { open } from 'node:fs/promises';
import type { Container } from '../../../domain/events/eventBatch.js';
import type { Encoded } from '../shared/encoded.js';

/** Whether more of a container may follow: the file begins with its header and ends with a whole write. */
export const continuesContainer = async (
  path: string,
  size: number,
  { header, trailer }: Container,
): Promise<boolean> => {
  if (size < header.length) return false;
  try {
    const file = await open(path, 'r');
    try {
      const [head, tail] = [Buffer.alloc(header.length), Buffer.alloc(trailer.length)];
      await file.read(head, 0, head.length, 0);
      await file.read(tail, 0, tail.length, size - tail.length);
      return head.equals(header) && tail.equals(trailer);
    } finally {
      await file.close();
    }
  } catch {
    return false;
  }
};

/** Without the header, for a file that has it. */
export const withoutHeader = (encoded: Encoded, { header }: Container): Encoded => ({
  ...encoded,
  bytes: encoded.bytes.subarray(header.length),
  ends: () => encoded.ends().map((end) => end - header.length),
});
