import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result, type SpateError } from '../../../domain/errors.js';
import { serialQueue } from '../../../domain/waiting.js';
import type { Output, PluginContext } from '../../kit.js';
import type { Descriptor } from './descriptor.js';
import type { Encoder } from './encoder.js';
import { systemFailure } from './errno.js';
import { makeResumingWriter } from './resumingWriter.js';

/** Time for the reader to take the rest of an event on close. */
const CLOSE_GRACE_MS = 1_000;

export const closedFailure = (name: string): SpateError =>
  failure('unwritable', `cannot write to ${name}: the output is closed. Start the generator again.`);

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
