import * as E from 'fp-ts/lib/Either.js';
import type { Result } from '../../../domain/errors.js';
import { serialQueue } from '../../../domain/serialQueue.js';
import type { Micros } from '../../../domain/time/micros.js';
import type { Output, PluginContext } from '../../kit.js';
import { closedFailure } from '../shared/streamOutput.js';

interface Current {
  readonly path: string;
  readonly output: Output;
}

/**
 * Writes each batch to the path of its time. A new path is opened before the old one is flushed and closed: if that
 * fails, the write fails and the old file stays.
 */
export const pathOutput = async (
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
