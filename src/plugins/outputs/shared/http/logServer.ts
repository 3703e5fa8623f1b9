import * as E from 'fp-ts/lib/Either.js';
import type { Result } from '../../../../domain/errors.js';
import type { PluginContext } from '../../../kit.js';
import type { ErrorReporter, RequestError } from '../errors.js';
import { type HttpParams, headersOf, openHttp } from './open.js';
import { makePause } from './replies.js';
import type { HttpReply } from './request.js';

/** Connections to one server, kept open for reuse. */
const MAX_CONNECTIONS = 32;
/** Statuses with which a server may ask to wait. */
const PAUSING: ReadonlySet<number> = new Set([429, 502, 503, 504]);

export interface Post {
  readonly url: URL;
  /** Headers of the config win. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly signal: AbortSignal;
  /** Compress the body if the config says so; default: yes. */
  readonly mayCompress?: boolean;
}

/** A server that receives logs by HTTP POST. */
export interface LogServer {
  /** Waits first for as long as the server asked with `Retry-After`. Returns an error when there is no reply. */
  readonly post: (post: Post) => Promise<E.Either<RequestError, HttpReply>>;
  readonly report: ErrorReporter;
  readonly close: () => void;
}

interface LogServerOptions {
  /** Name of the plugin. */
  readonly output: string;
  readonly url: URL;
  readonly params: HttpParams;
  /** More texts that must not show in messages. */
  readonly secrets?: readonly string[];
}

/** Returns an error when a file or the proxy address is invalid. Nothing is connected yet. */
export const makeLogServer = async (
  { output, url, params, secrets = [] }: LogServerOptions,
  context: Pick<PluginContext, 'directory' | 'clock'>,
): Promise<Result<LogServer>> => {
  const target = { url, name: url.origin, field: 'url', max_connections: MAX_CONNECTIONS, secrets };
  const opened = await openHttp(output, params, target, context);
  if (E.isLeft(opened)) return opened;
  const { client, report } = opened.right;
  const pause = makePause(context.clock);
  const own = headersOf(params);
  return E.right({
    report,
    close: client.close,
    post: async ({ url: address, headers, body, signal, mayCompress = true }) => {
      await pause.over(signal);
      const reply = await client.send({
        method: 'POST',
        url: address,
        headers: { ...headers, ...own },
        body: [body],
        isGzip: mayCompress && params.compression === 'gzip',
        signal,
        limit_ms: params.request_timeout * 1_000,
        limit_name: 'request_timeout',
      });
      if (E.isRight(reply) && PAUSING.has(reply.right.status)) {
        pause.note(reply.right.headers['retry-after']);
      }
      return reply;
    },
  });
};
