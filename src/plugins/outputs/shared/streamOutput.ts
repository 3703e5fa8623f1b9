import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result, type SpateError } from '../../../domain/errors.js';
import { serialQueue } from '../../../domain/waiting.js';
import type { Clock } from '../../../ports/clock.js';
import type { Log } from '../../../ports/log.js';
import type { Output, PluginContext, Written } from '../../kit.js';
import { type Descriptor, type Progress, writeAll } from './descriptor.js';
import { cutAt, type Encoded, type Encoder } from './encoder.js';
import { systemFailure } from './errors.js';
import { closedFailure } from './written.js';

/** Time for the reader to take the rest of an event on close. */
const CLOSE_GRACE_MS = 1_000;

/** Output on a pipe, terminal, socket or redirected stream. */
export const streamOutput = (
  descriptor: Descriptor,
  name: string,
  encoder: Encoder,
  { clock, log }: Pick<PluginContext, 'clock' | 'log'>,
): Output => {
  const { separator, preamble, encode } = encoder;
  const writer = makeResumingWriter({ descriptor, name, separator, preamble, clock, log });
  const inTurn = serialQueue();
  let isClosed = false;

  const finish = async (): Promise<Result<void>> => {
    const ending = new AbortController();
    const done = new AbortController();
    const deadline = clock.sleepMs(CLOSE_GRACE_MS, done.signal).then(() => ending.abort());
    const finished = await writer.finish(ending.signal);
    done.abort();
    await deadline;
    return finished;
  };

  const close = async (): Promise<Result<void>> => {
    if (isClosed) return E.right(undefined);
    isClosed = true;
    const finished = await finish();
    try {
      await descriptor.close();
    } catch (thrown) {
      return E.left(systemFailure('unwritable', `cannot close ${name}`, thrown));
    }
    return finished;
  };

  return {
    isBulk: false,
    isOrdered: true,
    isPacedByReader: !descriptor.isFile,
    write: (batch, signal) =>
      inTurn(async () => (isClosed ? E.left(closedFailure(name)) : writer.write(encode(batch), signal))),
    // Only the rest of a torn event is ever pending.
    flush: () => inTurn(async () => (isClosed ? E.right(undefined) : finish())),
    close: () => inTurn(close),
  };
};

/** Writes batches to a stream that cannot be truncated: pipe, terminal, redirected stream. */
interface ResumingWriter {
  readonly write: (encoded: Encoded, signal: AbortSignal) => Promise<Result<Written>>;
  readonly finish: (signal: AbortSignal) => Promise<Result<void>>;
}

interface ResumingOptions {
  readonly descriptor: Descriptor;
  readonly name: string;
  readonly separator: Buffer;
  /** Bytes before the first event, such as a byte order mark. */
  readonly preamble: Buffer;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Completes a torn event before the next write, so readers never see half an event followed by another. A torn event
 * counts as written after an abort, as failed after an error.
 */
export const makeResumingWriter = (options: ResumingOptions): ResumingWriter => {
  const { descriptor, name, separator, clock, log } = options;
  let rest = options.preamble;

  const put = (bytes: Buffer, signal: AbortSignal): Promise<Progress> =>
    writeAll(descriptor, bytes, separator, { clock, signal });

  const stopped = ({ error }: Progress): SpateError =>
    error === null
      ? failure('timed_out', `cannot write to ${name}: its reader does not read. Start or resume the reader.`)
      : systemFailure('unwritable', `cannot write to ${name}`, error);

  const finishRest = async (signal: AbortSignal): Promise<Progress> => {
    const progress = await put(rest, signal);
    rest = rest.subarray(progress.bytes);
    return progress;
  };

  const stoppedOnTheWay = (encoded: Encoded, progress: Progress, bytes: number): Written => {
    const { whole, end } = cutAt(encoded.ends(), progress.bytes);
    // A copy: the pipeline reuses the buffer.
    rest = Buffer.from(encoded.bytes.subarray(progress.bytes, end));
    const written = progress.error === null && rest.length > 0 ? whole + 1 : whole;
    const failed = encoded.count - written;
    const reason = stopped(progress);
    log.write('error', 'partial write', { reason: reason.message, written, failed });
    return { written, failed: failed + encoded.failed, bytes, stopped: { count: failed, reason } };
  };

  return {
    write: async (encoded, signal) => {
      const before = await finishRest(signal);
      if (rest.length > 0) return E.left(stopped(before));
      const progress = await put(encoded.bytes, signal);
      const bytes = before.bytes + progress.bytes;
      if (progress.bytes === encoded.bytes.length) {
        return E.right({ written: encoded.count, failed: encoded.failed, bytes });
      }
      if (progress.bytes === 0) return E.left(stopped(progress));
      return E.right(stoppedOnTheWay(encoded, progress, bytes));
    },
    finish: async (signal) => {
      // A preamble alone is not a torn event: without events, write nothing.
      if (rest.length === 0 || rest === options.preamble) return E.right(undefined);
      const progress = await finishRest(signal);
      if (rest.length === 0) return E.right(undefined);
      const lost = `the last event on ${name} is incomplete: `;
      const reason = stopped(progress);
      return E.left({ ...reason, message: lost + reason.message });
    },
  };
};
