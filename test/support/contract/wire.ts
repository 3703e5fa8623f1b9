import { Agent, type ClientRequest, type IncomingMessage, request as open } from 'node:http';
import type { Duplex } from 'node:stream';

/** A request as it goes over the wire: nothing in its target is normalised, as `fetch` would do. */
export interface WireRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | null;
}

/** An answer, read whole or as far as a stream was read. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
  /** False for a stream that was left before its end. */
  readonly isWhole: boolean;
}

/** No answer may take longer. */
const ANSWER_DEADLINE_MS = 60_000;
/** How long a stream is looked at. */
const STREAM_LOOK_MS = 50;
/** No answer is kept beyond this. */
const MAX_KEPT_BYTES = 64 * 1_048_576;

const LATE = 408;

const isStream = ({ headers }: IncomingMessage): boolean =>
  String(headers['content-type'] ?? '').startsWith('text/event-stream');

type Settle = (answer: WireAnswer) => void;

/** Reads what comes until the end, or for a moment when it has none, and settles with it. */
const readFrom = (
  source: IncomingMessage | Duplex,
  message: IncomingMessage,
  isEndless: boolean,
  settle: Settle,
): void => {
  const chunks: Buffer[] = [];
  let size = 0;
  let isDone = false;
  const finish = (isWhole: boolean): void => {
    if (isDone) return;
    isDone = true;
    const { statusCode = 0, headers } = message;
    settle({ status: statusCode, headers, body: Buffer.concat(chunks), isWhole });
    if (!isWhole) source.destroy();
  };
  source.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= MAX_KEPT_BYTES) chunks.push(chunk);
  });
  source.once('end', () => finish(true));
  // An answer that is cut off is a fault; it ends as one that did not come.
  source.once('error', () => undefined);
  if (isEndless) setTimeout(() => finish(false), STREAM_LOOK_MS);
};

/** Connections to one server. */
export interface Wire {
  readonly send: (request: WireRequest) => Promise<WireAnswer>;
  readonly close: () => void;
}

const start = (port: number, agent: Agent, { method, target, headers }: WireRequest): ClientRequest =>
  open({ host: '127.0.0.1', port, agent, method, path: target, headers: { ...headers } });

/**
 * Opens connections to a port of this machine, one per request: the server may close an idle one while the next request is
 * on its way. A request rejects when no whole answer comes in time.
 */
export const openWire = (port: number): Wire => {
  const agent = new Agent({ keepAlive: false, maxSockets: 8 });
  const sendOnce = (wanted: WireRequest): Promise<WireAnswer> =>
    new Promise((resolve, reject) => {
      const bytes = wanted.body === null ? null : Buffer.from(wanted.body);
      const length = bytes === null ? {} : { 'content-length': String(bytes.length) };
      const request = start(port, agent, { ...wanted, headers: { ...wanted.headers, ...length } });
      let hasAnswered = false;
      const timer = setTimeout(() => {
        request.destroy();
        reject(new Error(`no answer within ${ANSWER_DEADLINE_MS} ms`));
      }, ANSWER_DEADLINE_MS);
      const settle: Settle = (answer) => {
        clearTimeout(timer);
        resolve(answer);
      };
      request.once('response', (response) => {
        hasAnswered = true;
        readFrom(response, response, isStream(response), settle);
        response.once('aborted', () => reject(new Error('the answer was cut off')));
      });
      request.once('upgrade', (response, socket) => {
        hasAnswered = true;
        readFrom(socket, response, true, settle);
      });
      // A server may refuse a body before it has all of it; only an answer that did not come is a fault.
      request.on('error', (thrown) => {
        if (hasAnswered) return;
        clearTimeout(timer);
        reject(thrown);
      });
      request.end(bytes ?? undefined);
    });
  const send = async (wanted: WireRequest): Promise<WireAnswer> => {
    const answer = await sendOnce(wanted);
    // This process was too busy to send its request in time; RFC 9110, 15.5.9: a client may repeat it.
    return answer.status === LATE ? sendOnce(wanted) : answer;
  };
  return { send, close: () => agent.destroy() };
};
