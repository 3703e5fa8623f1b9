import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result } from '../../../domain/errors.js';
import type { Micros } from '../../../domain/time/micros.js';
import { serialQueue } from '../../../domain/waiting.js';
import type { ValueOf } from '../../../schema/shape.js';
import type { Output, OutputPlugin, PluginContext } from '../../kit.js';
import { generatorFile } from '../../shared/inputFile.js';
import { compileDatedText } from '../../shared/text/compile.js';
import { hasDates, isOfPartition } from '../../shared/text/placeholders.js';
import { generatorName } from '../../shared/text/routing.js';
import { ownDescriptor } from '../shared/descriptor.js';
import { makeEncoder } from '../shared/encoder.js';
import { systemFailure } from '../shared/errors.js';
import { streamOutput } from '../shared/streamOutput.js';
import { closedFailure } from '../shared/written.js';
import { NEEDS_ZSTD, zstd } from '../shared/zstd.js';
import { fileOutput, NEEDS_PARTITION } from './fileOutput.js';
import { openPath } from './openPath.js';
import { makeTidier, type RotationOptions } from './rotation.js';
import { type fileFields, fileSpec, modeBits } from './spec.js';

const BYTES_PER_MB = 1_000_000;
/** Time to compress the rest at a stop. */
const TIDY_GRACE_MS = 5_000;

/** Returns how the file rotates, or null when it only grows. */
const rotationOf = (params: ValueOf<typeof fileFields>): RotationOptions | null => {
  const { rotate_size, rotate_every, rotate_keep, rotate_keep_size, rotate_compression } = params;
  if (rotate_size === null && rotate_every === null) return null;
  return {
    max_bytes: rotate_size === null ? null : rotate_size * BYTES_PER_MB,
    every: rotate_every,
    keep: rotate_keep,
    keep_bytes: rotate_keep_size === null ? null : rotate_keep_size * BYTES_PER_MB,
    compression: rotate_compression === 'none' ? null : rotate_compression,
  };
};

/** A name without the characters that lead to another folder. */
export const safeName = (value: unknown): string => {
  const name = String(value).replace(/[/\\\0]/g, '_');
  return /^\.{0,2}$/.test(name) ? '_' : name;
};

/** The absolute path at a time; `isFixed`: it never changes. */
const pathMaker = (written: string, context: PluginContext) => {
  const at = compileDatedText(written, {
    generator: safeName(generatorName(context)),
    partition: context.partition?.index ?? 0,
    zone: context.zone,
  });
  return {
    pathAt: (now: Micros): string => generatorFile(context, at(now).constant ?? ''),
    isFixed: !hasDates(written),
  };
};

export const filePlugin: OutputPlugin<typeof fileFields> = {
  spec: fileSpec,
  open: async (params, context) => {
    const encoder = makeEncoder(params.encoding, params.separator, context.log);
    if (E.isLeft(encoder)) return encoder;
    if (params.rotate_compression === 'zstd' && zstd === null) {
      return E.left(failure('plugin_failed', `output file: rotate_compression zstd ${NEEDS_ZSTD}`));
    }
    const rotation = rotationOf(params);
    const isShared = (context.partition?.count ?? 1) > 1 && !isOfPartition(params.path);
    if (
      isShared &&
      (rotation !== null || params.write_mode === 'overwrite' || encoder.right.preamble.length > 0)
    )
      return E.left(failure('plugin_failed', `output file: ${NEEDS_PARTITION}`));
    const tidier = makeTidier(rotation, context);
    const options = {
      mode: modeBits(params.file_mode),
      flush_interval_ms: params.flush_interval * 1000,
      cleanup_interval_ms: params.cleanup_interval * 1000,
      fsync_interval_ms: params.fsync_interval === null ? null : params.fsync_interval * 1000,
      rotation,
      encoder: encoder.right,
      isShared,
      tidier,
    };
    const open = async (path: string, isFirst: boolean): Promise<Result<Output>> => {
      const isEmptied = isFirst && params.write_mode === 'overwrite';
      try {
        const opened = await openPath(path, { mode: options.mode, isEmptied });
        return E.right(
          opened.isFile
            ? await fileOutput(opened, { ...options, path }, context)
            : streamOutput(ownDescriptor(opened.fd, false), path, encoder.right, context),
        );
      } catch (thrown) {
        return E.left(systemFailure(isFirst ? 'output_failed' : 'unwritable', `cannot open ${path}`, thrown));
      }
    };
    const { pathAt, isFixed } = pathMaker(params.path, context);
    const opened = isFixed
      ? await open(pathAt(context.clock.now()), true)
      : await pathOutput(pathAt, open, context);
    if (E.isLeft(opened)) return opened;
    const close = async (): Promise<Result<void>> => {
      const closed = await opened.right.close();
      await tidier.end(TIDY_GRACE_MS);
      return closed;
    };
    return E.right({ ...opened.right, close });
  },
};

interface Current {
  readonly path: string;
  readonly output: Output;
}

/**
 * Writes each batch to the path of its time. A new path is opened before the old one is flushed and closed: if that
 * fails, the write fails and the old file stays.
 */
const pathOutput = async (
  pathAt: (now: Micros) => string,
  open: (path: string, isFirst: boolean) => Promise<Result<Output>>,
  { clock, log }: Pick<PluginContext, 'clock' | 'log'>,
): Promise<Result<Output>> => {
  const inTurn = serialQueue();
  let isClosed = false;

  const path = pathAt(clock.now());
  const first = await open(path, true);
  if (E.isLeft(first)) return first;
  let current: Current = { path, output: first.right };

  /** The output of the path of now. */
  const ready = async (): Promise<Result<Output>> => {
    const now = pathAt(clock.now());
    if (now === current.path) return E.right(current.output);
    const opened = await open(now, false);
    if (E.isLeft(opened)) return opened;
    const old = current;
    current = { path: now, output: opened.right };
    const closed = await old.output.close();
    if (E.isLeft(closed)) log.write('error', closed.left.message, { file_path: old.path });
    return opened;
  };

  return E.right({
    isBulk: first.right.isBulk,
    isOrdered: true,
    isPacedByReader: first.right.isPacedByReader === true,
    write: (batch, signal) =>
      inTurn(async () => {
        if (isClosed) return E.left(closedFailure(current.path));
        const output = await ready();
        return E.isLeft(output) ? output : output.right.write(batch, signal);
      }),
    flush: () => inTurn(() => current.output.flush()),
    close: () =>
      inTurn(() => {
        isClosed = true;
        return current.output.close();
      }),
  });
};
