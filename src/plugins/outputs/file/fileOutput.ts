import { stat } from 'node:fs/promises';
import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result, type SpateError } from '../../../domain/errors.js';
import type { Container, EventBatch } from '../../../domain/events/eventBatch.js';
import type { Micros } from '../../../domain/time/micros.js';
import { serialQueue } from '../../../domain/waiting.js';
import type { Output, PluginContext, Written } from '../../kit.js';
import { ownDescriptor } from '../shared/descriptor.js';
import type { Encoder } from '../shared/encoder.js';
import { systemFailure } from '../shared/errors.js';
import { closedFailure } from '../shared/written.js';
import { type FileWriter, makeFileWriter } from './fileWriter.js';
import { continuesContainer, isTorn, type OpenedPath, openPath, withoutHeader } from './openPath.js';
import { isFull, type RotationOptions, setAside, type Tidier } from './rotation.js';

interface FileOutputOptions {
  readonly path: string;
  readonly mode: number;
  readonly flush_interval_ms: number;
  readonly cleanup_interval_ms: number;
  /** Longest time until written events are synced to the disk. 0 means each write. Null leaves it to the system. */
  readonly fsync_interval_ms: number | null;
  readonly rotation: RotationOptions | null;
  readonly encoder: Encoder;
  /** Other partitions append to the file. */
  readonly isShared: boolean;
  /** Its owner ends it. */
  readonly tidier: Tidier;
}

interface OpenFile {
  readonly writer: FileWriter;
  /** When its first event was written, as far as known. */
  begun: Micros;
  /** Whether it may hold the container that is written. */
  isChecked: boolean;
  readonly closing: AbortController;
}

export const fileOutput = async (
  first: OpenedPath,
  options: FileOutputOptions,
  { clock, log, zone }: Pick<PluginContext, 'clock' | 'log' | 'zone'>,
): Promise<Output> => {
  const { path, encoder, rotation, tidier } = options;
  const syncing = makeSyncer(path, options.fsync_interval_ms, { clock, log });
  const inTurn = serialQueue();
  let current: OpenFile | null = null;
  let isClosed = false;
  let lastWriteMs = 0;
  let lastLookMs = 0;

  /** `isTorn`, but not for the write of another partition that is under way. */
  const isCut = async (size: number): Promise<boolean | null> => {
    const torn = await isTorn(path, size, encoder.separator);
    if (torn !== true || !options.isShared) return torn;
    await clock.sleepMs(WRITE_MS, new AbortController().signal);
    const { size: later } = await stat(path);
    return later === size;
  };

  const adopt = async ({ fd, size, changed }: OpenedPath): Promise<OpenFile> => {
    const torn = await isCut(size);
    if (torn === null) log.write('warning', UNREADABLE, { file_path: path });
    if (torn === true) log.write('warning', TORN, { file_path: path });
    const head = size === 0 ? encoder.preamble : torn === true ? encoder.separator : EMPTY;
    const writer = makeFileWriter({
      fd,
      descriptor: ownDescriptor(fd, true),
      path,
      size,
      head,
      separator: encoder.separator,
      clock,
      log,
    });
    const begun = size === 0 ? clock.now() : changed;
    const opened = { writer, begun, isChecked: size === 0, closing: new AbortController() };
    lastWriteMs = lastLookMs = clock.monotonicMs();
    current = opened;
    void closeWhenIdle(opened);
    return opened;
  };

  const release = async (): Promise<Result<void>> => {
    const released = current;
    current = null;
    if (released === null) return E.right(undefined);
    released.closing.abort();
    try {
      await syncing.now(released.writer);
      await released.writer.close();
      return E.right(undefined);
    } catch (thrown) {
      return E.left(systemFailure('unwritable', `cannot close ${path}`, thrown));
    }
  };

  /** Closes the file after `cleanup_interval_ms` without a write. Ends with the file. */
  const closeWhenIdle = async (opened: OpenFile): Promise<void> => {
    const leftMs = (): number => lastWriteMs + options.cleanup_interval_ms - clock.monotonicMs();
    while (current === opened) {
      await clock.sleepMs(Math.max(0, leftMs()), opened.closing.signal);
      await inTurn(async () => {
        if (current !== opened || leftMs() > 0) return;
        const released = await release();
        if (E.isLeft(released)) log.write('error', released.left.message, { file_path: path });
      });
    }
  };

  /** Gives a full file its own name; the next write opens a new one. A file that cannot be renamed grows on. */
  const rotate = async (file: OpenFile, bytes: number): Promise<void> => {
    const now = clock.now();
    const size = file.writer.size();
    if (size === 0) file.begun = now;
    if (rotation === null || !isFull(rotation, zone, { size, begun: file.begun }, { bytes, now })) return;
    try {
      await setAside(path, now);
    } catch (thrown) {
      const reason = systemFailure('unwritable', `cannot rename ${path}`, thrown).message;
      log.write('error', 'a full file grows on', { reason, file_path: path });
      return;
    }
    await release();
    tidier.start(path);
  };

  const openFile = async (): Promise<OpenFile> =>
    current ?? (await adopt(await openPath(path, { mode: options.mode, isEmptied: false })));

  /** The open file for a container: another one is set aside, and so is one with a write that a crash interrupted. */
  const openContainer = async (container: Container): Promise<OpenFile> => {
    const file = await openFile();
    if (file.isChecked || (await continuesContainer(path, file.writer.size(), container))) {
      file.isChecked = true;
      return file;
    }
    await setAside(path, clock.now());
    log.write('warning', OTHER, { file_path: path });
    await release();
    return openFile();
  };

  /** The open file; reopened after an idle close, a failed write, a deletion or a rotation. */
  const ready = async (bytes: number, container?: Container): Promise<Result<FileWriter>> => {
    try {
      const now = clock.monotonicMs();
      if (current !== null && now - lastLookMs >= options.flush_interval_ms) {
        lastLookMs = now;
        if (await current.writer.isDeleted()) await release();
      }
      if (current !== null) await rotate(current, bytes);
      const opened = await (container === undefined ? openFile() : openContainer(container));
      return E.right(opened.writer);
    } catch (thrown) {
      return E.left(systemFailure('unwritable', `cannot open ${path} again`, thrown));
    }
  };

  const write = async (batch: EventBatch, signal: AbortSignal): Promise<Result<Written>> => {
    if (isClosed) return E.left(closedFailure(path));
    if (signal.aborted) return E.left(failure('timed_out', `${path} was busy until the write timed out`));
    const { container } = batch;
    if (container !== undefined && options.isShared)
      return E.left(failure('rejected', `${path}: the format has a header; ${NEEDS_PARTITION}`));
    const made = encoder.encode(batch);
    if (made.count === 0) return E.right({ written: 0, failed: made.failed, bytes: 0 });
    const writer = await ready(made.bytes.length, container);
    if (E.isLeft(writer)) return writer;
    const isBegun = container !== undefined && writer.right.size() > 0;
    const encoded = isBegun ? withoutHeader(made, container) : made;
    const result = await writer.right.write(encoded, signal);
    lastWriteMs = clock.monotonicMs();
    if (E.isLeft(result) || result.right.written < encoded.count) await release();
    return E.isRight(result) ? syncing.after(writer.right, result.right) : result;
  };

  await adopt(first);
  tidier.start(path);
  return {
    isBulk: false,
    isOrdered: true,
    write: (batch, signal) => inTurn(() => write(batch, signal)),
    // Writes reach the system at once; a flush waits for earlier writes, and for the disk if that is wanted.
    flush: () =>
      inTurn(async () => {
        if (current !== null) await syncing.now(current.writer);
        return E.right(undefined);
      }),
    close: () =>
      inTurn(async () => {
        isClosed = true;
        return release();
      }),
  };
};

export const NEEDS_PARTITION =
  'partitions would share the file. Put `{partition}` into `path`, or append lines without rotation';
/** A write of another partition takes less. */
const WRITE_MS = 50;
const EMPTY = Buffer.alloc(0);
const OTHER = 'the file has another schema, or a write was interrupted; it is set aside';
const UNREADABLE = 'the file is not readable: a line torn by a crash cannot be detected';
const TORN =
  'the file does not end with the separator, a write was interrupted; adding one before the next event';

/** Brings written events to the disk: with each write (`interval_ms` 0), within the interval, or never (`null`). */
const makeSyncer = (
  path: string,
  interval_ms: number | null,
  { clock, log }: Pick<PluginContext, 'clock' | 'log'>,
) => {
  let cancel: (() => void) | null = null;
  let running: Promise<void> | null = null;
  const failed = (thrown: unknown): SpateError => systemFailure('unwritable', `cannot sync ${path}`, thrown);

  /** The events have counted as written: a failure can only be reported. */
  const sync = async (writer: FileWriter): Promise<void> => {
    try {
      await writer.sync();
    } catch (thrown) {
      const reason = failed(thrown).message;
      log.write('error', 'written events may not be on the disk', { reason, file_path: path });
    }
    running = null;
  };

  return {
    /** After a write: what it counts as. */
    after: async (writer: FileWriter, written: Written): Promise<Result<Written>> => {
      if (interval_ms === null) return E.right(written);
      if (interval_ms > 0) {
        cancel ??= clock.after(interval_ms, () => {
          cancel = null;
          running ??= sync(writer);
        });
        return E.right(written);
      }
      try {
        await writer.sync();
        return E.right(written);
      } catch (thrown) {
        return E.left(failed(thrown));
      }
    },
    /** Resolves once everything is on the disk that should be; call it before the file is closed. */
    now: async (writer: FileWriter): Promise<void> => {
      await running;
      if (cancel === null) return;
      cancel();
      cancel = null;
      await sync(writer);
    },
  };
};
