import * as E from 'fp-ts/lib/Either.js';
import type { Clock } from '../../../ports/clock.js';
import type { ValueOf } from '../../../schema/shape.js';
import { compileValue } from '../../shared/text/field.js';
import { type RequestError, retryableError } from '../shared/errors.js';
import type { LogServer } from '../shared/http/logServer.js';
import { statusError } from '../shared/http/replies.js';
import type { HttpReply } from '../shared/http/request.js';
import type { hecFields } from './spec.js';

export type HecParams = ValueOf<typeof hecFields>;

interface Accepted extends HecReply {
  readonly sent_bytes: number;
}

export interface RefusedEvents {
  readonly error: RequestError;
  readonly reply: HecReply | null;
  readonly sent_bytes: number;
}

/** The requests of HEC. */
export interface Collector {
  /** Returns an error when the request was not accepted as a whole. */
  readonly send: (
    body: Buffer,
    channel: string,
    signal: AbortSignal,
  ) => Promise<E.Either<RefusedEvents, Accepted>>;
  /** Resolves when the indexers have confirmed the request. Returns an error when they have not. */
  readonly confirmed: (
    ackId: number,
    channel: string,
    signal: AbortSignal,
  ) => Promise<E.Either<RequestError, void>>;
  /** Asks for the state of one request. */
  readonly ask: (
    ackId: number,
    channel: string,
    signal: AbortSignal,
  ) => Promise<E.Either<RequestError, boolean>>;
}

const BASE = '/services/collector';

/** The address of an endpoint; a path up to `/services/collector` in front is kept. */
const collectorAddressOf = (url: string, endpoint: string, query: Readonly<Record<string, string>>): URL => {
  const address = new URL(url);
  const at = address.pathname.indexOf(BASE);
  const prefix = (at < 0 ? address.pathname : address.pathname.slice(0, at)).replace(/\/+$/, '');
  address.pathname = `${prefix}${BASE}/${endpoint}`;
  address.search = new URLSearchParams(query).toString();
  return address;
};

/** With the endpoint `raw` these are constants, and belong to the request. */
const rawQuery = (params: HecParams, generator: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    (['host', 'source', 'sourcetype', 'index'] as const).flatMap((name) => {
      const written = params[name];
      return written === null ? [] : [[name, String(compileValue(written, { generator }).value(undefined))]];
    }),
  );

const isConfirmed = (body: string, ackId: number): boolean => {
  try {
    const { acks } = JSON.parse(body) as { readonly acks?: Readonly<Record<string, unknown>> };
    return acks?.[String(ackId)] === true;
  } catch {
    return false;
  }
};

const isSuccess = ({ status }: HttpReply, { code }: HecReply): boolean =>
  status >= 200 && status < 300 && (code === null || code === SUCCESS);

export const makeCollector = (
  server: LogServer,
  params: HecParams,
  { clock, generator }: { readonly clock: Clock; readonly generator: string },
): Collector => {
  const { endpoint, ack_interval, ack_timeout } = params;
  const target = collectorAddressOf(
    params.url,
    endpoint,
    endpoint === 'raw' ? rawQuery(params, generator) : {},
  );
  const headers = (channel: string) => ({
    Authorization: `Splunk ${params.token}`,
    'Content-Type': endpoint === 'raw' ? 'text/plain; charset=utf-8' : 'application/json',
    'X-Splunk-Request-Channel': channel,
  });

  const ask: Collector['ask'] = async (ackId, channel, signal) => {
    const reply = await server.post({
      url: collectorAddressOf(params.url, 'ack', { channel }),
      headers: { ...headers(channel), 'Content-Type': 'application/json' },
      body: Buffer.from(JSON.stringify({ acks: [ackId] })),
      mayCompress: false,
      signal,
    });
    if (E.isLeft(reply)) return reply;
    const { status, text } = reply.right;
    return status >= 200 && status < 300
      ? E.right(isConfirmed(text, ackId))
      : E.left(hecError(reply.right, readReply(text)));
  };

  return {
    ask,
    send: async (body, channel, signal) => {
      const reply = await server.post({ url: target, headers: headers(channel), body, signal });
      if (E.isLeft(reply)) return E.left({ error: reply.left, reply: null, sent_bytes: 0 });
      const { sent_bytes } = reply.right;
      const read = readReply(reply.right.text);
      return isSuccess(reply.right, read)
        ? E.right({ ...read, sent_bytes })
        : E.left({ error: hecError(reply.right, read), reply: read, sent_bytes });
    },
    confirmed: async (ackId, channel, signal) => {
      const until_ms = clock.monotonicMs() + ack_timeout * 1_000;
      let last: RequestError | null = null;
      while (!signal.aborted && clock.monotonicMs() < until_ms) {
        await clock.sleepMs(ack_interval * 1_000, signal);
        const asked = await ask(ackId, channel, signal);
        if (E.isRight(asked) && asked.right) return E.right(undefined);
        // A server that restarts answers again soon; one that refuses the question leaves the batch unconfirmed.
        if (E.isLeft(asked) && !asked.left.isRetryable) return E.left({ ...asked.left, isRetryable: true });
        last = E.isLeft(asked) ? asked.left : null;
      }
      const unconfirmed = `the indexers have not confirmed the batch within ${signal.aborted ? '`write_timeout`' : `ack_timeout (${ack_timeout} s)`}`;
      return E.left(
        retryableError(
          last === null ? unconfirmed : `${unconfirmed}: ${last.what}`,
          'Check the indexers, or raise `ack_timeout` and `write_timeout`.',
        ),
      );
    },
  };
};

/** A reply of the HTTP Event Collector, as its documentation describes it. */
interface HecReply {
  readonly code: number | null;
  readonly text: string;
  readonly ackId: number | null;
  /** Position of the first invalid event in the request. Null when the whole request is at fault, or the server. */
  readonly invalid: number | null;
}

const SUCCESS = 0;
export const NO_DATA = 5;
const ACK_DISABLED = 14;
export const INCORRECT_INDEX = 7;

const again = (remedy: string) => ({ isRetryable: true, remedy });
const never = (remedy: string) => ({ isRetryable: false, remedy });

const TOKEN = never('Check `token`, and that it is enabled.');
const BUSY = again('The indexer is overloaded: send less, or larger batches.');
const DATA = never('Check the formatter, `content` and `fields`.');
const CHANNEL = never('Remove `channel`, or set it to a GUID.');

/** Meaning of the codes of HEC; those of other failures are retried by their HTTP status. */
const BY_CODE: ReadonlyMap<number, Pick<RequestError, 'isRetryable' | 'remedy'>> = new Map([
  ...[1, 2, 3, 4, 21, 22].map((code) => [code, TOKEN] as const),
  [NO_DATA, DATA],
  [6, DATA],
  [INCORRECT_INDEX, never('Check `index`, and the indexes that the token allows.')],
  [8, again('Check the log of Splunk.')],
  [9, BUSY],
  [10, CHANNEL],
  [11, CHANNEL],
  [12, DATA],
  [13, DATA],
  [ACK_DISABLED, never('Turn on indexer acknowledgement for the token, or remove `acknowledge`.')],
  [15, never('Check `fields`: HEC takes flat values only.')],
  [16, never('Remove the token from `url`.')],
  // Queues and the acknowledgement service are full or away; the server shuts down.
  ...[18, 19, 20, 23, 24, 25, 26, 27].map((code) => [code, BUSY] as const),
]);

const numberOr = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;

/** HEC counts from 0, but has gone on by one when it finds a wrong index. */
const positionOf = (code: number | null, given: number | null): number | null =>
  given === null || code !== INCORRECT_INDEX ? given : Math.max(0, given - 1);

const readReply = (body: string): HecReply => {
  try {
    const read = JSON.parse(body) as Record<string, unknown> | null;
    const code = numberOr(read?.['code']);
    const text = read?.['text'];
    return {
      code,
      text: typeof text === 'string' ? text : '',
      ackId: numberOr(read?.['ackId']),
      invalid: positionOf(code, numberOr(read?.['invalid-event-number'])),
    };
  } catch {
    return { code: null, text: '', ackId: null, invalid: null };
  }
};

/** Error of a reply that is no success; by the status where the code is unknown, as with replies of proxies. */
const hecError = (reply: HttpReply, { code, text }: HecReply): RequestError => {
  const meaning = code === null ? undefined : BY_CODE.get(code);
  if (code === null || meaning === undefined) return statusError(reply);
  return { what: text, origin: `HEC code ${code}, HTTP status ${reply.status}`, ...meaning, code };
};
