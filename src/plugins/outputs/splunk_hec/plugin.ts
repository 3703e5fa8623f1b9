import { createHash } from 'node:crypto';
import * as E from 'fp-ts/lib/Either.js';
import type { Result } from '../../../domain/errors.js';
import type { EventBatch } from '../../../domain/events/eventBatch.js';
import type { Clock } from '../../../ports/clock.js';
import type { Log } from '../../../ports/log.js';
import type { Missed, Output, OutputPlugin, Written } from '../../kit.js';
import { nanosNow } from '../../shared/eventTime.js';
import { LIMITS } from '../../shared/text/limits.js';
import { isOfEvent } from '../../shared/text/placeholders.js';
import { generatorName } from '../../shared/text/routing.js';
import { makeAttempts } from '../shared/attempts.js';
import { type RequestError, retryableError, unroutableError } from '../shared/errors.js';
import { type LogServer, makeLogServer } from '../shared/http/logServer.js';
import { closedFailure, NOTHING, writtenResult } from '../shared/written.js';
import {
  type Collector,
  type HecParams,
  INCORRECT_INDEX,
  makeCollector,
  NO_DATA,
  type RefusedEvents,
} from './collector.js';
import { type Envelopes, envelopeMaker } from './envelope.js';
import { type hecFields, hecSpec } from './spec.js';

const NO_BODY = Buffer.alloc(0);

/** Checks address, TLS and token with a request without events, and acknowledgements with a question. */
const check = async (
  server: LogServer,
  collector: Collector,
  channels: Channels,
  params: HecParams,
  signal: AbortSignal,
): Promise<Result<void>> => {
  const refuse = (error: RequestError) =>
    E.left(server.report('cannot open', { ...error, isRetryable: true }));
  const channel = channels.take();
  const sent = await collector.send(NO_BODY, channel, signal);
  if (E.isLeft(sent) && sent.left.reply?.code !== NO_DATA) return refuse(sent.left.error);
  if (params.acknowledge) {
    const asked = await collector.ask(0, channel, signal);
    if (E.isLeft(asked)) return refuse(asked.left);
  }
  channels.release(channel);
  return E.right(undefined);
};

export const hecPlugin: OutputPlugin<typeof hecFields> = {
  spec: hecSpec,
  open: async (params, context) => {
    const { clock, log, signal, zone } = context;
    const made = await makeLogServer(
      {
        output: 'splunk_hec',
        url: new URL(params.url),
        params: { ...params, username: null, password: null, bearer_token: null },
        secrets: [params.token],
      },
      context,
    );
    if (E.isLeft(made)) return made;
    const server = made.right;
    const generator = generatorName(context);
    const collector = makeCollector(server, params, { clock, generator });
    const channels = makeChannels(params.channel, clock);
    const checked = await check(server, collector, channels, params, signal);
    if (E.isLeft(checked)) {
      server.close();
      return checked;
    }
    const envelopes = envelopeMaker({ ...params, zone, generator });
    return E.right(hecOutput({ server, collector, channels, envelopes, params, clock, log }));
  },
};

const MAX_LOGGED = 3;
const UNSENT = retryableError('an event before this one was rejected', '');
const MISFIT = unroutableError(
  `the index is longer than ${LIMITS['splunk_hec.index'].max_bytes} bytes or has ${LIMITS['splunk_hec.index'].finds}`,
  'Correct the events, or `index`.',
);
const NO_ACK_ID = retryableError('the reply has no ackId', 'Check that the address is that of Splunk.');

interface HecOutputOptions {
  readonly server: LogServer;
  readonly collector: Collector;
  readonly channels: Channels;
  readonly envelopes: ReturnType<typeof envelopeMaker>;
  readonly params: HecParams;
  readonly clock: Clock;
  readonly log: Log;
}

/** Lines of the endpoint `raw`. */
const rawBody = (batch: EventBatch): Envelopes => {
  const bytes = batch.bytes('\n');
  return {
    body: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    positions: null,
    failed: [],
    unroutable: [],
  };
};

const hecOutput = (options: HecOutputOptions): Output => {
  const { server, collector, channels, params, clock, log } = options;
  const { acknowledge, endpoint } = params;
  const attempts = makeAttempts();
  const isIndexOfEvent = typeof params.index === 'string' && isOfEvent(params.index);

  /** One event is at fault: it alone is rejected, and nothing says that others are. */
  const partly = (
    { error, reply, sent_bytes }: RefusedEvents,
    positions: readonly number[],
    failed: number,
  ) => {
    const at = reply?.invalid ?? null;
    if (at === null || at >= positions.length || error.isRetryable) return null;
    // A constant index is wrong for all of them.
    if (reply?.code === INCORRECT_INDEX && !isIndexOfEvent) return null;
    const before = positions.slice(0, at);
    const again = [...(acknowledge ? before : []), ...positions.slice(at + 1)];
    const written: Written = {
      written: acknowledge ? 0 : before.length,
      failed,
      bytes: sent_bytes,
      missed: [
        { items: [positions[at] as number], reason: server.report('cannot send to', error) },
        ...(again.length === 0 ? [] : [{ items: again, reason: server.report('cannot send to', UNSENT) }]),
      ],
    };
    return E.right(written);
  };

  const deliver = async (
    { body, failed, positions }: Envelopes,
    count: number,
    signal: AbortSignal,
  ): Promise<Result<Written>> => {
    const refuse = (error: RequestError) => E.left(server.report('cannot send to', error));
    const channel = channels.take();
    const sent = await collector.send(body, channel, signal);
    if (E.isLeft(sent)) {
      // Nothing waits in the channel unless the reply was lost.
      if (sent.left.reply !== null) channels.release(channel);
      const all = positions ?? Array.from({ length: count }, (_, position) => position);
      return (endpoint === 'event' ? partly(sent.left, all, failed.length) : null) ?? refuse(sent.left.error);
    }
    if (acknowledge) {
      const { ackId } = sent.right;
      if (ackId === null) return refuse(NO_ACK_ID);
      const confirmed = await collector.confirmed(ackId, channel, signal);
      if (E.isLeft(confirmed)) return refuse(confirmed.left);
    }
    channels.release(channel);
    const { sent_bytes } = sent.right;
    return E.right({ written: count - failed.length, failed: failed.length, bytes: sent_bytes });
  };

  return {
    isBulk: true,
    // A fixed channel holds one unconfirmed request at a time.
    isOrdered: acknowledge && params.channel !== null,
    write: async (batch, signal) => {
      if (attempts.isClosed()) return E.left(closedFailure(params.url));
      if (batch.count === 0) return E.right(NOTHING);
      const envelopes = endpoint === 'raw' ? rawBody(batch) : options.envelopes(batch, nanosNow(clock));
      for (const position of envelopes.failed.slice(0, MAX_LOGGED)) {
        log.write('error', 'event dropped: it is empty or not JSON', {
          original_event: batch.texts()[position] ?? '',
        });
      }
      const { failed, unroutable } = envelopes;
      const here: readonly Missed[] =
        unroutable.length === 0
          ? []
          : [{ items: unroutable, reason: server.report('cannot send to', MISFIT) }];
      const count = batch.count - unroutable.length;
      if (failed.length === count) return writtenResult({ ...NOTHING, failed: count }, here);
      const sent = await attempts.run(signal, (ending) => deliver(envelopes, count, ending));
      if (E.isLeft(sent) || here.length === 0) return sent;
      return E.right({ ...sent.right, missed: [...here, ...(sent.right.missed ?? [])] });
    },
    flush: async () => E.right(undefined),
    close: async () => {
      attempts.close();
      server.close();
      return E.right(undefined);
    },
  };
};

/** Channels of HEC: each is used by one request at a time. */
interface Channels {
  readonly take: () => string;
  /** Returns a channel that has no unconfirmed request. Others are dropped. */
  readonly release: (channel: string) => void;
}

let made = 0;

const newGuid = (clock: Clock): string => {
  made += 1;
  const seed = `${clock.now()} ${clock.monotonicMs()} ${made}`;
  const hex = createHash('sha256').update(seed).digest('hex');
  const variant = (8 + (Number.parseInt(hex.charAt(16), 16) % 4)).toString(16);
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, variant + hex.slice(17, 20)];
  return [...parts, hex.slice(20, 32)].join('-');
};

/**
 * An indexer that restarts counts `ackId` from 0 again. With one request at a time in a channel, the number of
 * another request is never mistaken for the one that waits.
 */
const makeChannels = (given: string | null, clock: Clock): Channels => {
  if (given !== null) return { take: () => given, release: () => {} };
  const free: string[] = [];
  return {
    take: () => free.pop() ?? newGuid(clock),
    release: (channel) => void free.push(channel),
  };
};
