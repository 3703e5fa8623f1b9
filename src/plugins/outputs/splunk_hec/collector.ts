import * as E from 'fp-ts/lib/Either.js';
import type { Clock } from '../../../ports/clock.js';
import type { ValueOf } from '../../../schema/shape.js';
import { compileValue } from '../../shared/text/values.js';
import type { HttpReply } from '../shared/http/request.js';
import type { LogServer } from '../shared/logServer.js';
import { type RequestError, retryableError } from '../shared/requestErrors.js';
import { type HecReply, hecError, readReply, SUCCESS } from './replies.js';
import type { hecFields } from './spec.js';

export type HecParams = ValueOf<typeof hecFields>;

export interface Accepted extends HecReply {
  readonly sent_bytes: number;
}

export interface Refused {
  readonly error: RequestError;
  readonly reply: HecReply | null;
  readonly sent_bytes: number;
}

/** The requests of HEC. */
export interface Collector {
  /** Returns an error when the request was not accepted as a whole. */
  readonly send: (body: Buffer, channel: string, signal: AbortSignal) => Promise<E.Either<Refused, Accepted>>;
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
export const addressOf = (url: string, endpoint: string, query: Readonly<Record<string, string>>): URL => {
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
  const target = addressOf(params.url, endpoint, endpoint === 'raw' ? rawQuery(params, generator) : {});
  const headers = (channel: string) => ({
    Authorization: `Splunk ${params.token}`,
    'Content-Type': endpoint === 'raw' ? 'text/plain; charset=utf-8' : 'application/json',
    'X-Splunk-Request-Channel': channel,
  });

  const ask: Collector['ask'] = async (ackId, channel, signal) => {
    const reply = await server.post({
      url: addressOf(params.url, 'ack', { channel }),
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
