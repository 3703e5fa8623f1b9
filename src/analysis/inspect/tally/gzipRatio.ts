import { createGzip } from 'node:zlib';
import type { GzipReport } from '../report.js';

const LEVEL = 6;

export interface GzipTally {
  /** Takes whole texts until `max_bytes` are compressed; false: the limit is reached. */
  readonly add: (text: string) => Promise<boolean>;
  /** Ends the stream. Returns null when it has no byte. */
  readonly end: () => Promise<GzipReport | null>;
}

export const gzipTally = (max_bytes: number): GzipTally => {
  const gzip = createGzip({ level: LEVEL });
  let bytes = 0;
  let compressed = 0;
  gzip.on('data', (chunk: Buffer) => {
    compressed += chunk.length;
  });
  return {
    add: async (text) => {
      if (bytes >= max_bytes) return false;
      const chunk = Buffer.from(text, 'utf8').subarray(0, max_bytes - bytes);
      bytes += chunk.length;
      await new Promise<void>((resolve) => gzip.write(chunk, () => resolve()));
      return true;
    },
    end: async () => {
      await new Promise<void>((resolve) => {
        gzip.on('end', resolve);
        gzip.end();
      });
      return bytes === 0
        ? null
        : { bytes, compressed_bytes: compressed, ratio: bytes / Math.max(1, compressed) };
    },
  };
};
