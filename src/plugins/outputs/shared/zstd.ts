import type { Transform } from 'node:stream';
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';

/** Ends the message of an option that needs it. */
export const NEEDS_ZSTD = 'needs Node.js 22.15 or later. Update Node.js, or set gzip.';

interface Zstd {
  readonly compress: (bytes: Uint8Array) => Promise<Buffer>;
  readonly createStream: () => Transform;
}

/** Node has zstd (RFC 8878) from 22.15 and 23.8; `null`: this one has not. */
export const zstd: Zstd | null = (() => {
  const compress: unknown = Reflect.get(zlib, 'zstdCompress');
  const createStream: unknown = Reflect.get(zlib, 'createZstdCompress');
  return typeof compress === 'function' && typeof createStream === 'function'
    ? {
        compress: promisify<Uint8Array, Buffer>(compress as typeof zlib.gzip),
        createStream: createStream as () => Transform,
      }
    : null;
})();
