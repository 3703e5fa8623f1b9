import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result } from '../../../domain/errors.js';
import { NEEDS_ZSTD, zstd } from '../shared/zstd.js';
import type { Compression } from './protocol/recordBatch.js';

interface Compressor {
  readonly compression: Compression;
  readonly compress: ((bytes: Uint8Array) => Promise<Buffer>) | null;
}

const gzip = promisify<Uint8Array, Buffer>(zlib.gzip);

/** Returns an error when this Node lacks the compression. */
export const compressorOf = (type: 'gzip' | 'zstd' | 'snappy' | 'lz4' | null): Result<Compressor> => {
  if (type === 'gzip') return E.right({ compression: 'gzip', compress: gzip });
  if (type === 'zstd') {
    return zstd === null
      ? E.left(failure('plugin_failed', `output kafka: compression_type zstd ${NEEDS_ZSTD}`))
      : E.right({ compression: 'zstd', compress: zstd.compress });
  }
  return E.right({ compression: 'none', compress: null });
};
