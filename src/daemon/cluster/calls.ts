import * as E from 'fp-ts/lib/Either.js';
import type { AskActor } from '../../../actors/ask.js';
import { ERRORS, failure, type Result, type SpateError } from '../../domain/errors.js';
import { isJsonObject, parsedJson } from '../../domain/json.js';
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

const isLog = (value: unknown): value is LogStart =>
  typeof value === 'object' && value !== null && 'kind' in value;

/** An answer as bytes: streams follow their head. */
const answerOf = (type: RemoteType, answer: Result<unknown>): CallAnswer => {
  if (E.isLeft(answer)) return { head: encode({ left: answer.left }), stream: null };
  const { right } = answer;
  if (isStream(right)) return { head: encode({ right: null }), stream: right };
  if (type !== 'observe.log' || !isLog(right)) return { head: encode({ right }), stream: null };
  const stream = right.kind === 'there' ? linesOf(right.open) : null;
  return { head: encode({ right: { kind: right.kind } }), stream };
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

/** Lines that wait for a reader; then the node that has them waits. */
const MAX_WAITING = 2_000;

type Lines = ReturnType<LogLines['take']>;

/** Lines of a log as JSON, one chunk whenever there are more. */
async function* linesOf(open: (onMore: () => void) => LogLines): AsyncGenerator<Uint8Array> {
  let wake = (): void => {};
  const log = open(() => wake());
  try {
    for (;;) {
      const more = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const taken = log.take();
      if (taken.lines.length > 0 || taken.missed > 0) yield new TextEncoder().encode(JSON.stringify(taken));
      else await more;
    }
  } finally {
    log.close();
  }
}

const parse = (chunk: Uint8Array): Lines => {
  const value = parsedJson(new TextDecoder().decode(chunk));
  if (!isJsonObject(value) || !Array.isArray(value['lines'])) return { lines: [], missed: 0 };
  const lines = value['lines'].filter((line): line is string => typeof line === 'string');
  return { lines, missed: Number(value['missed']) || 0 };
};

/** The log of another node. */
const remoteLines = (stream: AsyncIterable<Uint8Array>, onMore: () => void): LogLines => {
  const state = { waiting: [] as string[], missed: 0, isOpen: true };
  let wake = (): void => {};
  const pull = async (): Promise<void> => {
    for await (const chunk of stream) {
      const more = parse(chunk);
      state.waiting.push(...more.lines);
      state.missed += more.missed;
      if (state.isOpen) onMore();
      while (state.isOpen && state.waiting.length > MAX_WAITING)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      if (!state.isOpen) return;
    }
  };
  // A node that is gone logs nothing more; the reader keeps what it has.
  void pull().catch(() => undefined);
  return {
    take: () => {
      const taken = { lines: state.waiting, missed: state.missed };
      state.waiting = [];
      state.missed = 0;
      wake();
      return taken;
    },
    close: () => {
      state.isOpen = false;
      wake();
      void stream[Symbol.asyncIterator]().return?.();
    },
  };
};
