import * as E from 'fp-ts/lib/Either.js';
import type { Result } from '../../../../domain/errors.js';
import type { ValueOf } from '../../../../schema/shape.js';
import type { PluginContext } from '../../../kit.js';
import type { TlsOptions } from '../tls/files.js';
import { type Address, connector } from './connect.js';
import type { streamFields } from './fields.js';
import { makeStreamSender, type StreamSender } from './streamSender.js';

interface OpenOptions {
  /** For messages. */
  readonly name: string;
  readonly params: ValueOf<typeof streamFields> & Address;
  readonly tls: TlsOptions | null;
  readonly preamble: Uint8Array;
  readonly context: Pick<PluginContext, 'clock' | 'log' | 'signal'>;
}

/** Returns a connected sender, or an error that says why there is no connection. */
export const openStreamSender = async ({
  name,
  params,
  tls,
  preamble,
  context,
}: OpenOptions): Promise<Result<StreamSender>> => {
  const { clock, log, signal } = context;
  const { host, port } = params;
  const sender = makeStreamSender({
    name,
    connect: connector({ host, port, tls, connect_timeout_ms: params.connect_timeout * 1000, clock }),
    preamble,
    stall_ms: params.stall_timeout * 1000,
    resend_ms: params.resend_seconds * 1000,
    resend_bytes: params.resend_bytes,
    clock,
    log,
  });
  const opened = await sender.open(signal);
  return E.isLeft(opened) ? opened : E.right(sender);
};
