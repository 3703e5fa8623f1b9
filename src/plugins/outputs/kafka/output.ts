import * as E from 'fp-ts/lib/Either.js';
import type { Result } from '../../../domain/errors.js';
import type { EventBatch } from '../../../domain/events/eventBatch.js';
import { serialQueue } from '../../../domain/serialQueue.js';
import type { Missed, Output, Written } from '../../kit.js';
import type { ErrorReporter } from '../shared/requestErrors.js';
import { closedFailure } from '../shared/streamOutput.js';
import { NOTHING, writtenResult } from '../shared/written.js';
import type { Prepared } from './messages.js';
import type { Send, Sent } from './producer.js';

interface KafkaOutputOptions {
  readonly prepare: (batch: EventBatch) => Prepared;
  readonly send: Send;
  readonly name: string;
  readonly report: ErrorReporter;
  /** Sequence numbers need one write at a time. */
  readonly isOrdered: boolean;
  readonly close: () => Promise<void>;
}

/** Items that did not arrive, at their positions in the batch. */
const missedOf = (sent: Sent, { positions }: Prepared, report: ErrorReporter): readonly Missed[] =>
  [...sent.missed.values()].map(({ error, items }) => ({
    items: items.map((item) => positions?.[item] ?? item).sort((a, b) => a - b),
    reason: report('cannot write to', error),
  }));

export const kafkaOutput = (options: KafkaOutputOptions): Output => {
  const { prepare, send, name, report, isOrdered } = options;
  const inTurn = serialQueue();
  let isClosed = false;

  const write = async (batch: EventBatch, signal: AbortSignal): Promise<Result<Written>> => {
    if (isClosed) return E.left(closedFailure(name));
    if (batch.count === 0) return E.right(NOTHING);
    const prepared = prepare(batch);
    const sent = await send(prepared.messages, signal);
    if (E.isLeft(sent)) return E.left(report('cannot write to', sent.left));
    const { written, bytes } = sent.right;
    return writtenResult({ written, failed: prepared.failed, bytes }, missedOf(sent.right, prepared, report));
  };

  return {
    isBulk: true,
    isOrdered,
    write: (batch, signal) => (isOrdered ? inTurn(() => write(batch, signal)) : write(batch, signal)),
    flush: async () => E.right(undefined),
    close: async () => {
      isClosed = true;
      await options.close();
      return E.right(undefined);
    },
  };
};
