import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result, type SpateError } from '../../../domain/errors.js';
import { documentsOf, type EventBatch } from '../../../domain/events/eventBatch.js';
import type { Missed, Output, Written } from '../../kit.js';
import { payloadsOf } from '../shared/brokers/payloads.js';
import type { ErrorReporter } from '../shared/requestErrors.js';
import { closedFailure } from '../shared/streamOutput.js';
import type { CommandMaker, Value } from './commands.js';
import type { RedisError } from './replyErrors.js';
import type { Session } from './session.js';

const NOTHING: Written = { written: 0, failed: 0, bytes: 0 };
const NO_KEY = 'the event is not JSON, or lacks a value that `key` names. Correct the template or `key`.';

/** Items by the message of their error. */
const collector = () => {
  const groups = new Map<string, { readonly items: number[]; readonly reason: SpateError }>();
  return {
    add: (items: readonly number[], reason: SpateError): void => {
      const known = groups.get(reason.message) ?? { items: [], reason };
      groups.set(reason.message, known);
      for (const item of items) known.items.push(item);
    },
    groups: (): readonly Missed[] =>
      [...groups.values()].map(({ items, reason }) => ({ items: items.sort((a, b) => a - b), reason })),
  };
};

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
  const closing = new AbortController();
  /** Writes and the close follow each other. */
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <A>(work: () => Promise<A>): Promise<A> => {
    const next = last.then(work);
    last = next.catch(() => {});
    return next;
  };

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
    const { add, groups } = collector();
    if (unfit.length > 0) add(unfit, failure('rejected', `cannot write to ${name}: ${NO_KEY}`));
    if (commands.length === 0) return E.right({ ...NOTHING, missed: groups() });
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
      } else add(items, report('cannot write to', error));
    }
    if (errors.some((error) => error?.needsReconnect === true)) {
      await ready.right.close();
    }
    const missed = groups();
    const [only] = missed;
    if (written === 0 && missed.length === 1 && only !== undefined) return E.left(only.reason);
    return E.right({ written, failed: 0, bytes, ...(missed.length === 0 ? {} : { missed }) });
  };

  const attempt = async (batch: EventBatch, signal: AbortSignal): Promise<Result<Written>> => {
    if (closing.signal.aborted) return E.left(closedFailure(name));
    const ending = new AbortController();
    const stop = (): void => ending.abort();
    signal.addEventListener('abort', stop, { once: true });
    closing.signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    try {
      return await deliver(batch, ending.signal);
    } finally {
      signal.removeEventListener('abort', stop);
      closing.signal.removeEventListener('abort', stop);
    }
  };

  return {
    isBulk: true,
    isOrdered: true,
    write: (batch, signal) =>
      batch.count === 0 ? Promise.resolve(E.right(NOTHING)) : inTurn(() => attempt(batch, signal)),
    flush: async () => E.right(undefined),
    close: async () => {
      closing.abort();
      await inTurn(async () => {
        await session?.close();
        session = null;
      });
      return E.right(undefined);
    },
  };
};
