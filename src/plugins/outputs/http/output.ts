import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result, type SpateError } from '../../../domain/errors.js';
import type { EventBatch } from '../../../domain/events/eventBatch.js';
import { givenText } from '../../../domain/json.js';
import type { Micros } from '../../../domain/time/micros.js';
import type { Zone } from '../../../domain/time/zone.js';
import type { ValueOf } from '../../../schema/shape.js';
import type { Output, PluginContext, Written } from '../../kit.js';
import { compileDatedText } from '../../shared/text/compile.js';
import type { ErrorReporter } from '../shared/errors.js';
import { headersOf } from '../shared/http/open.js';
import { makePause, statusError } from '../shared/http/replies.js';
import type { HttpClient } from '../shared/http/request.js';
import { closedFailure, missedItems, NOTHING, writtenResult } from '../shared/written.js';
import { isIn, type outputHttpFields } from './spec.js';

export type HttpOutputParams = ValueOf<typeof outputHttpFields>;

/** Failed requests in a row, for each one at once, after which a write sends no more. */
const FRUITLESS_ROUNDS = 2;

const STOPPED = failure('output_failed', 'the attempt ended before this was sent');

interface Surroundings {
  readonly generator: string;
  readonly zone: Zone;
}

/** The address of a request that starts at a time. */
export const urlMaker = (written: string, surroundings: Surroundings): ((now: Micros) => URL) => {
  const at = compileDatedText(written, {
    ...surroundings,
    spell: (value) => encodeURIComponent(givenText(value) ?? ''),
  });
  return (now) => new URL(at(now).constant ?? '');
};

const headerMaker = (written: Readonly<Record<string, string>>, surroundings: Surroundings) => {
  const headers = Object.entries(written).map(
    ([name, value]) => [name, compileDatedText(value, surroundings)] as const,
  );
  return (now: Micros): Readonly<Record<string, string>> =>
    Object.fromEntries(headers.map(([name, at]) => [name, at(now).constant ?? '']));
};

export const httpOutput = ({
  client,
  params,
  report,
  name,
  generator,
  context,
}: {
  readonly client: HttpClient;
  readonly params: HttpOutputParams;
  readonly report: ErrorReporter;
  readonly name: string;
  readonly generator: string;
  readonly context: Pick<PluginContext, 'clock' | 'zone'>;
}): Output => {
  const { method, batching, separator, max_batch_bytes, concurrency, compression } = params;
  const { clock, zone } = context;
  const urlAt = urlMaker(params.url, { generator, zone });
  const headersAt = headerMaker(params.headers, { generator, zone });
  const pause = makePause(clock);
  let isClosed = false;

  const send = async (body: HttpBody, signal: AbortSignal): Promise<Sent> => {
    await pause.over(signal);
    const now = clock.now();
    const reply = await client.send({
      method,
      url: urlAt(now),
      headers: headersOf({ ...params, headers: headersAt(now) }),
      body: body.pieces,
      isGzip: compression === 'gzip',
      signal,
      limit_ms: params.request_timeout * 1_000,
      limit_name: 'request_timeout',
    });
    const failed = (error: Parameters<ErrorReporter>[1]): Sent => ({
      body,
      error: report('cannot send to', error),
      bytes: 0,
    });
    if (E.isLeft(reply)) return failed(reply.left);
    const { status, headers: received, sent_bytes } = reply.right;
    if (isIn(params.success_code, status)) return { body, error: null, bytes: sent_bytes };
    pause.note(received['retry-after']);
    return failed(statusError(reply.right, isIn(params.retry_status, status)));
  };

  /** At most `concurrency` requests at once; gives up when only failures that may pass come back. */
  const sendAll = async (bodies: readonly HttpBody[], signal: AbortSignal): Promise<readonly Sent[]> => {
    const sent: Sent[] = [];
    let next = 0;
    let fruitless = 0;
    let last: SpateError = STOPPED;
    const work = async (): Promise<void> => {
      for (let body = bodies[next++]; body !== undefined; body = bodies[next++]) {
        const isHopeless = signal.aborted || fruitless >= FRUITLESS_ROUNDS * concurrency;
        const one: Sent = isHopeless ? { body, error: last, bytes: 0 } : await send(body, signal);
        sent.push(one);
        if (one.error?.code === 'output_failed') {
          fruitless++;
          last = one.error;
        } else fruitless = 0;
      }
    };
    await Promise.all(Array.from({ length: Math.min(concurrency, bodies.length) }, work));
    return sent.sort((a, b) => a.body.from - b.body.from);
  };

  return {
    // A request costs more than its events.
    isBulk: true,
    isOrdered: concurrency === 1,
    write: async (batch, signal) => {
      if (isClosed) return E.left(closedFailure(name));
      if (batch.count === 0) return E.right(NOTHING);
      const bodies =
        batching === 'joined' ? joinedBodies(batch, separator, max_batch_bytes) : itemBodies(batch);
      return outcomeOf(await sendAll(bodies, signal));
    },
    flush: async () => E.right(undefined),
    close: async () => {
      isClosed = true;
      client.close();
      return E.right(undefined);
    },
  };
};

/** Outcome of one request. */
interface Sent {
  readonly body: HttpBody;
  /** Why the request failed. Null when it was delivered. */
  readonly error: SpateError | null;
  readonly bytes: number;
}

/** Outcome of a write: requests that failed for one reason are one entry. */
const outcomeOf = (sent: readonly Sent[]): Result<Written> => {
  const missed = missedItems();
  let written = 0;
  let bytes = 0;
  for (const { body, error, bytes: sent_bytes } of sent) {
    if (error === null) {
      written += body.to - body.from;
      bytes += sent_bytes;
      continue;
    }
    for (let item = body.from; item < body.to; item++) {
      missed.add(`${error.code} ${error.message}`, item, () => error);
    }
  }
  return writtenResult({ written, failed: 0, bytes }, missed.list());
};

/** Body of one request, with the items `from <= i < to` of the batch. */
export interface HttpBody {
  readonly from: number;
  readonly to: number;
  readonly pieces: readonly Uint8Array[];
}

/** One body for each item. Does not copy items. */
export const itemBodies = (batch: EventBatch): readonly HttpBody[] => {
  const { bytes, ends } = batch.encoded();
  const bodies: HttpBody[] = [];
  let start = 0;
  for (let item = 0; item < batch.count; item++) {
    const end = ends[item] as number;
    bodies.push({ from: item, to: item + 1, pieces: [bytes.subarray(start, end - 1)] });
    start = end;
  }
  return bodies;
};

/**
 * Bodies of at most `max_bytes`, each with as many items as fit, in order, each followed by the separator. A longer
 * item has a body of its own.
 */
export const joinedBodies = (
  batch: EventBatch,
  separator: string,
  max_bytes: number,
): readonly HttpBody[] => {
  const { bytes, ends } = batch.encoded();
  const end = Buffer.from(separator, 'utf8');
  const bodies: HttpBody[] = [];
  let from = 0;
  let start = 0;
  let size = 0;
  const close = (to: number): void => {
    bodies.push({ from, to, pieces: piecesOf(bytes, ends, from, to, end) });
  };
  for (let item = 0; item < batch.count; item++) {
    const length = (ends[item] as number) - start - 1 + end.byteLength;
    if (item > from && size + length > max_bytes) {
      close(item);
      from = item;
      size = 0;
    }
    size += length;
    start = ends[item] as number;
  }
  if (batch.count > from) close(batch.count);
  return bodies;
};

const LINE_END = '\n'.charCodeAt(0);

const piecesOf = (
  bytes: Uint8Array,
  ends: Uint32Array,
  from: number,
  to: number,
  separator: Uint8Array,
): readonly Uint8Array[] => {
  let start = from === 0 ? 0 : (ends[from - 1] as number);
  // The batch already has line ends.
  if (separator.byteLength === 1 && separator[0] === LINE_END) {
    return [bytes.subarray(start, ends[to - 1])];
  }
  const parts: Uint8Array[] = [];
  for (let item = from; item < to; item++) {
    parts.push(bytes.subarray(start, (ends[item] as number) - 1), separator);
    start = ends[item] as number;
  }
  return [Buffer.concat(parts)];
};
