import * as E from 'fp-ts/lib/Either.js';
import type { ValueOf } from '../../../schema/shape.js';
import type { OutputPlugin } from '../../kit.js';
import { generatorFile } from '../../shared/generatorFile.js';
import { ownDescriptor } from '../shared/descriptor.js';
import { makeEncoder } from '../shared/encoder.js';
import { systemFailure } from '../shared/errno.js';
import { streamOutput } from '../shared/streamOutput.js';
import { modeBits } from './fileMode.js';
import { fileOutput } from './fileOutput.js';
import { openPath } from './openPath.js';
import type { RotationOptions } from './rotation.js';
import { type fileFields, fileSpec } from './spec.js';

const BYTES_PER_MB = 1_000_000;

/** `null`: the file only grows. */
const rotationOf = (params: ValueOf<typeof fileFields>): RotationOptions | null => {
  const { rotate_size, rotate_every, rotate_keep, rotate_compression } = params;
  if (rotate_size === null && rotate_every === null) return null;
  return {
    max_bytes: rotate_size === null ? null : rotate_size * BYTES_PER_MB,
    every: rotate_every,
    keep: rotate_keep,
    isCompressed: rotate_compression === 'gzip',
  };
};

export const filePlugin: OutputPlugin<typeof fileFields> = {
  spec: fileSpec,
  open: async (params, context) => {
    const path = generatorFile(context, params.path);
    const mode = modeBits(params.file_mode);
    const encoder = makeEncoder(params.encoding, params.separator, context.log);
    if (E.isLeft(encoder)) return encoder;
    try {
      const opened = await openPath(path, { mode, isEmptied: params.write_mode === 'overwrite' });
      if (!opened.isFile) {
        return E.right(streamOutput(ownDescriptor(opened.fd, false), path, encoder.right, context));
      }
      const options = {
        path,
        mode,
        flush_interval_ms: params.flush_interval * 1000,
        cleanup_interval_ms: params.cleanup_interval * 1000,
        fsync_interval_ms: params.fsync_interval === null ? null : params.fsync_interval * 1000,
        rotation: rotationOf(params),
        encoder: encoder.right,
      };
      return E.right(await fileOutput(opened, options, context));
    } catch (thrown) {
      return E.left(systemFailure('output_failed', `cannot open ${path}`, thrown));
    }
  },
};
