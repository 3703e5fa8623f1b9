import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result } from '../../../domain/errors.js';
import { documentsOf, type EventBatch } from '../../../domain/events/eventBatch.js';
import { serialQueue } from '../../../domain/serialQueue.js';
import type { Output, Written } from '../../kit.js';
import { makeAttempts } from '../shared/attempts.js';
import { payloadsOf } from '../shared/brokers/payloads.js';
import type { ErrorReporter } from '../shared/requestErrors.js';
import { closedFailure } from '../shared/streamOutput.js';
import { missedItems, NOTHING, writtenResult } from '../shared/written.js';
import type { CommandMaker, Value } from './commands.js';
import type { RedisError } from './replyErrors.js';
import type { Session } from './session.js';

const NO_KEY =
  'the event is not JSON, lacks a value that `key` names, or has too long a key. Correct the template or `key`.';

/** Texts, or bytes of the formatter. */
const valuesOf = (batch: EventBatch): readonly Value[] => {
  if (batch.documents === undefined) return batch.texts();
  const payloadOf = payloadsOf(batch);
  return Array.from({ length: batch.count }, (_, item) => {
    const { buffer, byteOffset, byteLength } = payloadOf(item);
    return Buffer.from(buffer, byteOffset, byteLength);
  });
};

export const redisOutput = ({
  session: first,
  open,
  commandsOf,
  name,
  report,
}: {
  readonly session: Session;
  readonly open: (signal: AbortSignal) => Promise<E.Either<RedisError, Session>>;
  readonly commandsOf: CommandMaker;
  readonly name: string;
  readonly report: ErrorReporter;
}): Output => {
  let session: Session | null = first;
  const attempts = makeAttempts();
  /** Writes and the close follow each other. */
  const inTurn = serialQueue();

  const connected = async (signal: AbortSignal): Promise<E.Either<RedisError, Session>> => {
    if (session?.isUsable() === true) return E.right(session);
    await session?.close();
    session = null;
    const opened = await open(signal);
    if (E.isRight(opened)) session = opened.right;
    return opened;
  };

  const deliver = async (batch: EventBatch, signal: AbortSignal): Promise<Result<Written>> => {
    const values = valuesOf(batch);
    const { commands, unfit } = commandsOf(documentsOf(batch), values);
    const missed = missedItems();
    if (unfit.length > 0) {
      missed.add('unfit', unfit, () => failure('unroutable', `cannot write to ${name}: ${NO_KEY}`));
    }
    if (commands.length === 0) return writtenResult(NOTHING, missed.list());
    const ready = await connected(signal);
    if (E.isLeft(ready)) return E.left(report('cannot write to', ready.left));
    const errors = await ready.right.send(commands, signal);
    let written = 0;
    let bytes = 0;
    for (const [i, { items }] of commands.entries()) {
      const error = errors[i] ?? null;
      if (error === null) {
        written += items.length;
        for (const item of items) bytes += Buffer.byteLength(values[item] as Value);
      } else {
        const reason = report('cannot write to', error);
        missed.add(reason.message, items, () => reason);
      }
    }
    if (errors.some((error) => error?.needsReconnect === true)) {
      await ready.right.close();
    }
    return writtenResult({ written, failed: 0, bytes }, missed.list());
  };

  return {
    isBulk: true,
    isOrdered: true,
    write: (batch, signal) =>
      batch.count === 0
        ? Promise.resolve(E.right(NOTHING))
        : inTurn(async () =>
            attempts.isClosed()
              ? E.left(closedFailure(name))
              : attempts.run(signal, (ending) => deliver(batch, ending)),
          ),
    flush: async () => E.right(undefined),
    close: async () => {
      attempts.close();
      await inTurn(async () => {
        await session?.close();
        session = null;
      });
      return E.right(undefined);
    },
  };
};
