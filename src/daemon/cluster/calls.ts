import * as E from 'fp-ts/lib/Either.js';
import type { AskActor } from '../../../actors/ask.js';
import { ERRORS, failure, type Result, type SpateError } from '../../domain/errors.js';
import { isJsonObject, parsedJson } from '../../domain/json.js';
import { pullStream } from '../../http/streams/lasting.js';
import type { Requests } from '../../messages/ask.js';
import type { EndlessBytes, LogLines, LogStart } from '../../messages/observe.js';
import type { CallAnswer, NodeCalls } from '../../ports/cluster.js';
import { endlessOf } from './nodeStreams.js';

/** Requests that a node answers for others: about its generators, the scenarios it holds and what it has seen. */
export type RemoteType = Extract<
  keyof Requests,
  | `generators.${string}`
  | `globals.${string}`
  | `dead_letters.${string}`
  | 'observe.events'
  | 'observe.tail'
  | 'observe.tails'
  | 'observe.log'
  | 'observe.series'
  | 'observe.busiest'
  | 'cluster.read'
  | 'cluster.remove'
>;

const REMOTE =
  /^(?:generators|globals|dead_letters)\.|^observe\.(?:events|tails?|log|series|busiest)$|^cluster\.(?:read|remove)$/;

/** Names of requests in messages between nodes, where they differ: nodes of the version before know these. */
const NAMES_ON_THE_WIRE: Readonly<Partial<Record<RemoteType, string>>> = {
  'dead_letters.list': 'letters.list',
  'dead_letters.read': 'letters.read',
  'dead_letters.resend': 'letters.replay',
  'dead_letters.purge': 'letters.purge',
};

const TYPES_BY_NAME: ReadonlyMap<string, string> = new Map(
  Object.entries(NAMES_ON_THE_WIRE).map(([type, name]) => [name, type]),
);

interface RemoteRequest {
  readonly type: RemoteType;
  readonly payload: unknown;
}

const encode = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
const decode = (bytes: Uint8Array): unknown => parsedJson(new TextDecoder().decode(bytes));

const parseRequest = (bytes: Uint8Array): RemoteRequest | null => {
  const value = decode(bytes);
  if (!isJsonObject(value) || typeof value['type'] !== 'string') return null;
  const type = TYPES_BY_NAME.get(value['type']) ?? value['type'];
  return REMOTE.test(type) ? { type: type as RemoteType, payload: value['payload'] } : null;
};

const isStream = (value: unknown): value is EndlessBytes =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value;

/** An answer as bytes: streams follow their head. */
const answerOf = (type: RemoteType, answer: Result<unknown>): CallAnswer => {
  if (E.isLeft(answer)) return { head: encode({ left: answer.left }), stream: null };
  const { right } = answer;
  if (isStream(right)) return { head: encode({ right: null }), stream: right };
  if (type !== 'observe.log') return { head: encode({ right }), stream: null };
  const log = right as LogStart;
  return {
    head: encode({ right: { kind: log.kind } }),
    stream: log.kind === 'there' ? linesOf(log.open) : null,
  };
};

/** Answers the calls of other nodes from the actors of this one. */
export const answerCalls =
  (ask: AskActor) =>
  async (request: Uint8Array): Promise<CallAnswer> => {
    const parsed = parseRequest(request);
    if (parsed === null) {
      const reason = 'the request of another node is not known here: run the same version on all nodes';
      return { head: encode({ left: failure('unavailable', reason) }), stream: null };
    }
    // The sender has checked it against the contract.
    const payload = parsed.payload as never;
    return answerOf(parsed.type, await ask(parsed.type, payload));
  };

const isError = (value: unknown): value is SpateError =>
  isJsonObject(value) &&
  typeof value['message'] === 'string' &&
  typeof value['code'] === 'string' &&
  Object.hasOwn(ERRORS, value['code']);

/** Deadline of a request to another node: above that of every request there. */
const CALL_MS = 125_000;

/** Asks the actors of another node. Returns also the error `unavailable` when the node is gone. */
export const askNode =
  (calls: NodeCalls) =>
  async <K extends RemoteType>(
    node: string,
    type: K,
    payload: Requests[K]['payload'],
    timeout_ms: number = CALL_MS,
  ): Promise<Result<Requests[K]['answer']>> => {
    const called = await calls.call(
      node,
      encode({ type: NAMES_ON_THE_WIRE[type] ?? type, payload }),
      timeout_ms,
    );
    if (E.isLeft(called)) return called;
    const { head, stream } = called.right;
    const value = decode(head);
    if (!isJsonObject(value)) return E.left(failure('unavailable', `node "${node}" sent no answer`));
    if (isError(value['left'])) return E.left(value['left']);
    const answer: unknown = stream === null ? value['right'] : received(type, stream);
    return E.right(answer as Requests[K]['answer']);
  };

const received = (type: RemoteType, stream: AsyncIterable<Uint8Array>): EndlessBytes | LogStart =>
  type === 'observe.log'
    ? { kind: 'there', open: (onMore: () => void): LogLines => remoteLines(stream, onMore) }
    : endlessOf(stream);

type Lines = ReturnType<LogLines['take']>;

const NO_LINES: Lines = { lines: [], missed: 0 };

/** Lines of a log as JSON, one chunk whenever there are more. */
const linesOf = (open: (onMore: () => void) => LogLines): EndlessBytes => {
  const take = (): string | null => {
    const taken = log.take();
    return taken.lines.length > 0 || taken.missed > 0 ? JSON.stringify(taken) : null;
  };
  const stream = pullStream(take, () => log.close());
  const log = open(stream.wake);
  return stream;
};

const parse = (chunk: Uint8Array): Lines => {
  const value = decode(chunk);
  if (!isJsonObject(value) || !Array.isArray(value['lines'])) return NO_LINES;
  const lines = value['lines'].filter((line): line is string => typeof line === 'string');
  return { lines, missed: Number(value['missed']) || 0 };
};

/** The log of another node, one chunk at a time: the node that has it waits for a slow reader. */
const remoteLines = (stream: AsyncIterable<Uint8Array>, onMore: () => void): LogLines => {
  const chunks = stream[Symbol.asyncIterator]();
  let waiting = NO_LINES;
  let wake = (): void => {};
  const pull = async (): Promise<void> => {
    for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) {
      const taken = new Promise<void>((resolve) => {
        wake = resolve;
      });
      waiting = parse(next.value);
      onMore();
      await taken;
    }
  };
  // A node that is gone logs nothing more; the reader keeps what it has.
  void pull().catch(() => undefined);
  return {
    take: () => {
      const taken = waiting;
      waiting = NO_LINES;
      wake();
      return taken;
    },
    close: () => {
      void chunks.return?.();
      wake();
    },
  };
};
