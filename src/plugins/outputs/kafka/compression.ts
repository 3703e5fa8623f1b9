import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result } from '../../../domain/errors.js';
import type { Compression } from './protocol/recordBatch.js';

type Compress = (bytes: Uint8Array) => Promise<Buffer>;

interface Compressor {
  readonly compression: Compression;
  readonly compress: Compress | null;
}

const gzip = promisify<Uint8Array, Buffer>(zlib.gzip);

/** Node has zstd from 22.15 and 23.8. */
const zstd = (): Compress | null => {
  const found: unknown = Reflect.get(zlib, 'zstdCompress');
  return typeof found === 'function' ? promisify<Uint8Array, Buffer>(found as typeof zlib.gzip) : null;
};

/** Left: this Node cannot compress so. */
export const compressorOf = (type: 'gzip' | 'zstd' | 'snappy' | 'lz4' | null): Result<Compressor> => {
  if (type === 'gzip') return E.right({ compression: 'gzip', compress: gzip });
  if (type === 'zstd') {
    const compress = zstd();
    if (compress !== null) return E.right({ compression: 'zstd', compress });
    return E.left(
      failure(
        'plugin_failed',
        'output kafka: compression_type zstd needs Node.js 22.15 or later. Update Node.js, or set gzip.',
      ),
    );
  }
  return E.right({ compression: 'none', compress: null });
};
