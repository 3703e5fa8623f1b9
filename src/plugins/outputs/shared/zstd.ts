import type { Transform } from 'node:stream';
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';

/** Ends the message of an option that needs it. */
export const NEEDS_ZSTD = 'needs Node.js 22.15 or later. Update Node.js, or set gzip.';

interface Zstd {
  readonly compress: (bytes: Uint8Array) => Promise<Buffer>;
  readonly createStream: () => Transform;
}

/** Compression with zstd (RFC 8878), which Node has from 22.15 and 23.8. Null when this Node lacks it. */
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
