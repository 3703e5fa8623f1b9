import * as E from 'fp-ts/lib/Either.js';
import type { EventBatch } from '../../../domain/events/eventBatch.js';
import type { Clock } from '../../../ports/clock.js';
import type { ValueOf } from '../../../schema/shape.js';
import type { Missed, OutputPlugin } from '../../kit.js';
import { nanosNow } from '../../shared/eventTime.js';
import { LIMITS } from '../../shared/text/limits.js';
import { generatorName } from '../../shared/text/routing.js';
import { makeAttempts } from '../shared/attempts.js';
import { type RequestError, unroutableError } from '../shared/errors.js';
import { type LogServer, makeLogServer } from '../shared/http/logServer.js';
import { statusError } from '../shared/http/replies.js';
import type { HttpReply } from '../shared/http/request.js';
import { closedFailure, NOTHING, writtenResult } from '../shared/written.js';
import { type Entries, entryMaker, pushBody } from './entries.js';
import { isolate, type PushError } from './isolate.js';
import { type lokiFields, lokiSpec } from './spec.js';

export type LokiParams = ValueOf<typeof lokiFields>;

const NO_STREAMS = Buffer.from('{"streams":[]}');
/** Loki knows the address and the user, and misses streams. */
const NO_STREAMS_STATUSES: ReadonlySet<number> = new Set([400, 422]);

const addressOf = (written: string): URL => {
  const url = new URL(written);
  if (url.pathname === '/') url.pathname = '/loki/api/v1/push';
  return url;
};

const BARE = unroutableError('the event has no label', 'Add a constant to `labels`.');
const MISFIT = unroutableError(
  `a label is longer than ${LIMITS['loki.label'].max_bytes} bytes or has ${LIMITS['loki.label'].finds}`,
  'Correct the events, or use `structured_metadata`.',
);

/** Timestamps of delivery: unique, ascending, and the same when a batch is sent again. */
const makeStamps = (clock: Clock): ((batch: EventBatch) => bigint) => {
  const given = new WeakMap<EventBatch, bigint>();
  let next = 0n;
  return (batch) => {
    const known = given.get(batch);
    if (known !== undefined) return known;
    const now = nanosNow(clock);
    const from = now > next ? now : next;
    next = from + BigInt(batch.count);
    given.set(batch, from);
    return from;
  };
};

const TOTAL = /total ignored: (\d+) out of (\d+)/;

const pushError = (reply: HttpReply): PushError => {
  const error = statusError(reply);
  const total = TOTAL.exec(reply.text);
  const isWhole = total !== null && total[1] === total[2];
  const isTenant = /no org id/i.test(reply.text);
  return {
    ...error,
    ...(isTenant ? { remedy: 'Set `tenant_id`.' } : {}),
    isPartial: reply.status === 400 && !isWhole,
  };
};

const pusher = (server: LogServer, { url, tenant_id }: LokiParams) => {
  const address = addressOf(url);
  const headers = {
    'Content-Type': 'application/json',
    ...(tenant_id === null ? {} : { 'X-Scope-OrgID': tenant_id }),
  };
  return async (body: Buffer, signal: AbortSignal): Promise<E.Either<PushError, number>> => {
    const reply = await server.post({ url: address, headers, body, signal });
    if (E.isLeft(reply)) return E.left({ ...reply.left, isPartial: false });
    const { status, sent_bytes } = reply.right;
    return status >= 200 && status < 300 ? E.right(sent_bytes) : E.left(pushError(reply.right));
  };
};

/** A proxy that refuses the request replies with HTML. */
const isAboutStreams = ({ code, what }: RequestError): boolean =>
  code !== null && NO_STREAMS_STATUSES.has(code) && !/plain http|bad request/i.test(what);

export const lokiPlugin: OutputPlugin<typeof lokiFields> = {
  spec: lokiSpec,
  open: async (params, context) => {
    const { clock, signal: opening, zone } = context;
    const made = await makeLogServer({ output: 'loki', url: addressOf(params.url), params }, context);
    if (E.isLeft(made)) return made;
    const server = made.right;
    const push = pusher(server, params);
    const checked = await push(NO_STREAMS, opening);
    if (E.isLeft(checked) && !isAboutStreams(checked.left)) {
      server.close();
      return E.left(server.report('cannot open', { ...checked.left, isRetryable: true }));
    }
    const { entriesOf, uniformBody } = entryMaker({ ...params, zone, generator: generatorName(context) });
    const stampsOf = makeStamps(clock);
    const attempts = makeAttempts();
    const crowded = unroutableError(
      `max_streams (${params.max_streams}) is reached`,
      'Use labels with fewer values, or raise `max_streams`.',
    );
    const missing = (items: readonly number[], error: RequestError): readonly Missed[] =>
      items.length === 0 ? [] : [{ items, reason: server.report('cannot push to', error) }];
    const refused = (entries: Entries): readonly Missed[] => [
      ...missing(entries.bare, BARE),
      ...missing(entries.crowded, crowded),
      ...missing(entries.misfits, MISFIT),
    ];
    const madeOf = (batch: EventBatch): Entries => entriesOf(batch.texts(), stampsOf(batch));
    /** The entries are made again if they must be isolated: as garbage that lives during the request they cost most. */
    const encode = (batch: EventBatch) => {
      if (uniformBody !== null) {
        return { body: uniformBody(batch, stampsOf(batch)), count: batch.count, here: [] };
      }
      const made = madeOf(batch);
      return { body: pushBody(made.entries), count: made.entries.length, here: refused(made) };
    };
    return E.right({
      isBulk: true,
      isOrdered: false,
      write: (batch, signal) =>
        attempts.run(signal, async (ending) => {
          if (attempts.isClosed()) return E.left(closedFailure(params.url));
          if (batch.count === 0) return E.right(NOTHING);
          const { body, count, here } = encode(batch);
          if (count === 0) return writtenResult(NOTHING, here);
          const whole = await push(body, ending);
          if (E.isRight(whole)) return writtenResult({ written: count, failed: 0, bytes: whole.right }, here);
          const { written, bytes, missed } = await isolate(madeOf(batch).entries, whole.left, (entries) =>
            push(pushBody(entries), ending),
          );
          const there = missed.flatMap(({ entries, error }) =>
            missing(
              entries.map(({ position }) => position),
              error,
            ),
          );
          const all = [...here, ...there];
          return writtenResult({ written, failed: 0, bytes }, all);
        }),
      flush: async () => E.right(undefined),
      close: async () => {
        attempts.close();
        server.close();
        return E.right(undefined);
      },
    });
  },
};
