import { createHash } from 'node:crypto';
import * as E from 'fp-ts/lib/Either.js';
import type { PluginContext } from '../../kit.js';
import type { RequestError } from '../shared/errors.js';
import { makePause } from '../shared/http/replies.js';
import type { HttpClient, HttpReply } from '../shared/http/request.js';
import type { BucketAddress } from './address.js';
import { replyCodeOf, type S3Error, s3ReplyError } from './replies.js';
import { type Credentials, EMPTY_HASH, encodePath, encodeQuery, sign } from './sign.js';

export interface Call {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  /** Key of an object. Null for the bucket itself. */
  readonly key: string | null;
  readonly query?: Readonly<Record<string, string>>;
  /** All of them are signed. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: ObjectBody;
  readonly signal: AbortSignal;
}

/** A body with its hash in hex. */
export interface ObjectBody {
  readonly pieces: readonly Uint8Array[];
  readonly sha256: string;
}

/** A status of 2xx, and a body that is no error. */
export type CallResult = Promise<E.Either<S3Error | RequestError, HttpReply>>;

/** Signed requests to one bucket. */
export type Calls = (call: Call) => CallResult;

interface CallOptions {
  readonly client: HttpClient;
  readonly address: BucketAddress;
  readonly credentials: Credentials;
  readonly region: string;
  readonly concurrency: number;
  readonly request_timeout: number;
}

const MICROS_PER_MS = 1_000;
/** Statuses with which a server may ask to wait. */
const PAUSING: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);

export const textBody = (text: string): ObjectBody => {
  const bytes = Buffer.from(text, 'utf8');
  return { pieces: [bytes], sha256: createHash('sha256').update(bytes).digest('hex') };
};

export const makeCalls = (
  options: CallOptions,
  { clock, log }: Pick<PluginContext, 'clock' | 'log'>,
): Calls => {
  const { client, address, credentials, region } = options;
  const inTurn = makeLimit(options.concurrency);
  const pause = makePause(clock);
  /** Server time less ours, once the server has refused ours. */
  let skew_micros = 0;

  const send = ({ method, key, query = {}, headers = {}, body, signal }: Call) => {
    const path = encodePath(`${address.prefix}/${key ?? ''}`);
    const url = new URL(address.origin);
    url.pathname = path;
    url.search = encodeQuery(query);
    const signed = sign(
      {
        method,
        path,
        query,
        headers: { ...headers, host: url.host },
        payload_hash: body?.sha256 ?? EMPTY_HASH,
      },
      { credentials, region, now: clock.now() + skew_micros },
    );
    return client.send({
      method,
      url,
      headers: signed,
      body: body?.pieces ?? [],
      signal,
      limit_ms: options.request_timeout * 1_000,
      limit_name: 'request_timeout',
    });
  };

  /** Takes the time of a server that refuses ours; false: it is the one we have used. */
  const adjustClock = ({ headers }: HttpReply): boolean => {
    const server_ms = Date.parse(headers.date ?? '');
    const skew = server_ms * MICROS_PER_MS - clock.now();
    if (!Number.isFinite(skew) || Math.abs(skew - skew_micros) < 2_000 * MICROS_PER_MS) return false;
    skew_micros = skew;
    log.write('warning', 'the clock of this machine is wrong; requests use the time of the S3 server', {
      seconds: Math.round(skew / 1_000_000),
      hint: 'set the clock of this machine',
    });
    return true;
  };

  const attempt = async (call: Call, isLast: boolean): CallResult => {
    await pause.over(call.signal);
    const sent = await send(call);
    if (E.isLeft(sent)) return sent;
    const reply = sent.right;
    const code = replyCodeOf(reply);
    if (reply.status >= 200 && reply.status < 300 && code === null) return sent;
    if (PAUSING.has(reply.status)) pause.note(reply.headers['retry-after']);
    if (code === 'RequestTimeTooSkewed' && !isLast && adjustClock(reply)) return attempt(call, true);
    return E.left(s3ReplyError(reply, region));
  };

  return (call) => inTurn(() => attempt(call, false));
};

/** Runs at most `most` tasks at once; others wait in call order. */
const makeLimit = (most: number): (<A>(task: () => Promise<A>) => Promise<A>) => {
  let free = most;
  const waiting: (() => void)[] = [];
  const take = (): Promise<void> | undefined => {
    if (free > 0) {
      free--;
      return undefined;
    }
    return new Promise((resolve) => waiting.push(resolve));
  };
  return async (task) => {
    await take();
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free++;
      else next();
    }
  };
};
