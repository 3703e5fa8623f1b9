import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result } from '../../../domain/errors.js';
import { documentsOf, type EventBatch } from '../../../domain/events/eventBatch.js';
import { parsedJson } from '../../../domain/json.js';
import { hostPort } from '../../../domain/text/shown.js';
import { serialQueue } from '../../../domain/waiting.js';
import type { Output, OutputPlugin, Written } from '../../kit.js';
import { LIMITS } from '../../shared/text/limits.js';
import { generatorName, limitOf, routingText } from '../../shared/text/routing.js';
import { makeAttempts } from '../shared/attempts.js';
import { payloadsOf } from '../shared/batchBytes.js';
import { type ErrorReporter, makeErrorReporter } from '../shared/errors.js';
import { readTls } from '../shared/tls.js';
import { closedFailure, missedItems, NOTHING, writtenResult } from '../shared/written.js';
import { type CommandMaker, commandMaker, type KeyOf, type RedisValue } from './commands.js';
import { openRedisSession, type RedisError, type RedisParams, type RedisSession } from './session.js';
import { type redisFields, redisSpec } from './spec.js';

/** Whether a fixed key has another type than the mode needs. A user without the right to ask passes. */
const typeProblem = async (
  session: RedisSession,
  { mode }: RedisParams,
  key: string | null,
  {
    name,
    report,
    signal,
  }: { readonly name: string; readonly report: ErrorReporter; readonly signal: AbortSignal },
): Promise<Result<void>> => {
  if (key === null || mode === 'pubsub') return E.right(undefined);
  const { error, reply } = await session.ask(['TYPE', key], signal);
  if (error !== null) {
    return error.origin === 'NOPERM'
      ? E.right(undefined)
      : E.left(report('cannot open', { ...error, isRetryable: true }));
  }
  if (reply === 'none' || reply === mode) return E.right(undefined);
  return E.left(
    failure(
      'output_failed',
      `cannot open ${name}: the key holds a ${String(reply)}. Choose another \`key\`, or correct \`mode\`.`,
    ),
  );
};

export const redisPlugin: OutputPlugin<typeof redisFields> = {
  spec: redisSpec,
  open: async (params, { directory, clock, signal }) => {
    const tls = await readTls('redis', params, { directory, clock });
    if (E.isLeft(tls)) return tls;
    const { host, port, username, password, database, mode, field, max_length, push } = params;
    const scheme = params.tls ? 'rediss' : 'redis';
    const name = `${scheme}://${hostPort({ host, port })}/${database}, ${mode} ${params.key}`;
    const report = makeErrorReporter(name, [{ username: username ?? 'default', password: password ?? '' }]);
    const key = routingText(params.key, { generator: generatorName({ directory }) });
    const misfitOf = limitOf(key, LIMITS['redis.key']);
    const keyOf: KeyOf = (event) => {
      const made = key.constant ?? key.text(parsedJson(event));
      return made === null || misfitOf(made) !== null ? null : made;
    };
    const open = (ending: AbortSignal) => openRedisSession({ params, tls: tls.right, clock }, ending);
    const opened = await open(signal);
    if (E.isLeft(opened)) return E.left(report('cannot open', { ...opened.left, isRetryable: true }));
    const session = opened.right;
    const limit = new AbortController();
    const stop = (): void => limit.abort();
    const stopWaiting = clock.after(params.connect_timeout * 1000, stop);
    signal.addEventListener('abort', stop, { once: true });
    const checked = await typeProblem(session, params, key.constant, { name, report, signal: limit.signal });
    stopWaiting();
    signal.removeEventListener('abort', stop);
    if (E.isLeft(checked)) {
      await session.close();
      return checked;
    }
    const commandsOf = commandMaker({ mode, keyOf, field, max_length, push });
    return E.right(redisOutput({ session, open, commandsOf, name, report }));
  },
};

const NO_KEY =
  'the event is not JSON, lacks a value that `key` names, or has too long a key. Correct the template or `key`.';

/** Texts, or bytes of the formatter. */
const valuesOf = (batch: EventBatch): readonly RedisValue[] => {
  if (batch.documents === undefined) return batch.texts();
  const payloadOf = payloadsOf(batch);
  return Array.from({ length: batch.count }, (_, item) => {
    const { buffer, byteOffset, byteLength } = payloadOf(item);
    return Buffer.from(buffer, byteOffset, byteLength);
  });
};

const redisOutput = ({
  session: first,
  open,
  commandsOf,
  name,
  report,
}: {
  readonly session: RedisSession;
  readonly open: (signal: AbortSignal) => Promise<E.Either<RedisError, RedisSession>>;
  readonly commandsOf: CommandMaker;
  readonly name: string;
  readonly report: ErrorReporter;
}): Output => {
  let session: RedisSession | null = first;
  const attempts = makeAttempts();
  /** Writes and the close follow each other. */
  const inTurn = serialQueue();

  const connected = async (signal: AbortSignal): Promise<E.Either<RedisError, RedisSession>> => {
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
        for (const item of items) bytes += Buffer.byteLength(values[item] as RedisValue);
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
