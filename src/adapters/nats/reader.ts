import { AckPolicy, DeliverPolicy } from '@nats-io/jetstream';
import { createInbox, type Msg, nanos } from '@nats-io/transport-node';
import * as E from 'fp-ts/lib/Either.js';
import type { Result } from '../../domain/errors.js';
import type { NatsSession } from './session.js';
import { isMarker, type KvEntry } from './streams.js';

interface ReaderOptions {
  readonly stream: string;
  readonly filter: string;
  /** Last revision of the stream before the start. */
  readonly last: number;
  /** For messages of errors. */
  readonly place: string;
}

/** `stored`: when the stream took it, as text. Servers that lose the end of a stream give its revisions again, at another time. */
export type ReadEntry = KvEntry & { readonly stored: string };

interface ReaderListener {
  readonly onEntry: (entry: ReadEntry) => void;
  /** Called once, after the entries that were there at the start. */
  readonly onCurrent: () => void;
  /** Called at most once, as the last: messages may be missing from here on. */
  readonly onLost: (reason: string) => void;
}

const HEARTBEAT_MS = 2_000;
const SILENCE_MS = 5_000;
/** The server forgets a consumer without a reader after this. */
const INACTIVE_MS = 30_000;
const CONTROL = 100;

/** Parts of the reply subject of a delivered message; the short form has no domain and account. */
const deliveryOf = (reply: string) => {
  const tokens = reply.split('.');
  const shift = tokens.length === 9 ? 2 : 0;
  const at = (position: number): number => Number(tokens[position - shift]);
  return { revision: at(7), delivery: at(8), stored: tokens[9 - shift] ?? '', pending: at(10) };
};

/**
 * Reads the last message of each subject, then every new one, in order, until it is stopped or lost. It has one consumer
 * and never repairs it: any doubt ends it.
 */
export const openReader = async (
  { client, manager, quick, clock, run, onReconnect }: NatsSession,
  { stream, filter, last, place }: ReaderOptions,
  { onEntry, onCurrent, onLost }: ReaderListener,
): Promise<Result<() => void>> => {
  const inbox = createInbox();
  let delivered = 0;
  let isCurrent = false;
  let isOver = false;
  let heardAt = clock.monotonicMs();
  let consumer: string | null = null;
  let stopTimer = (): void => {};
  const stop = (): void => {
    if (isOver) return;
    isOver = true;
    stopTimer();
    stopReconnect();
    subscription.unsubscribe();
    const name = consumer;
    if (name !== null) void run(place, () => manager.consumers.delete(stream, name));
  };
  const lose = (reason: string): void => {
    if (isOver) return;
    stop();
    onLost(reason);
  };
  // What was sent meanwhile is lost, and the consumer may be.
  const stopReconnect = onReconnect(() => lose('the connection was interrupted'));
  const current = (): void => {
    if (isCurrent || isOver) return;
    isCurrent = true;
    onCurrent();
  };
  const onControl = (message: Msg): void => {
    const { headers } = message;
    if (headers?.code !== CONTROL) {
      return lose(`the server ended it: ${headers?.description ?? 'no reason'}`);
    }
    // A flow control request, or a heartbeat that repeats one.
    const stalled = message.reply || headers.get('Nats-Consumer-Stalled');
    if (stalled) client.publish(stalled);
    if (message.reply) return;
    const sent = Number(headers.get('Nats-Last-Consumer'));
    if (sent > delivered) return lose(`${sent - delivered} messages are missing`);
    if (consumer !== null) current();
  };
  const onMessage = (message: Msg): void => {
    if (isOver) return;
    heardAt = clock.monotonicMs();
    if (!message.reply?.startsWith('$JS.ACK.')) return onControl(message);
    const { revision, delivery, stored, pending } = deliveryOf(message.reply);
    if (delivery !== delivered + 1) return lose(`message ${delivered + 1} is missing`);
    delivered = delivery;
    onEntry({
      subject: message.subject,
      data: message.data,
      revision,
      stored,
      isMarker: isMarker(message.headers),
    });
    // In a bucket that is always written, something may be pending all the time.
    if (pending === 0 || revision >= last) current();
  };
  const subscription = client.subscribe(inbox, {
    callback: (error, message) => {
      if (error !== null) lose(error.message);
      else onMessage(message);
    },
  });
  const watchSilence = (): void => {
    const askedAt = clock.monotonicMs();
    stopTimer = clock.after(HEARTBEAT_MS, () => {
      const now = clock.monotonicMs();
      // A process that stood still has not listened.
      if (now - askedAt > 2 * HEARTBEAT_MS) heardAt = now;
      if (now - heardAt > SILENCE_MS) lose('the server is silent');
      else watchSilence();
    });
  };
  watchSilence();
  const added = await run(place, () =>
    quick.consumers.add(stream, {
      deliver_subject: inbox,
      deliver_policy: DeliverPolicy.LastPerSubject,
      filter_subject: filter,
      ack_policy: AckPolicy.None,
      max_deliver: 1,
      flow_control: true,
      idle_heartbeat: nanos(HEARTBEAT_MS),
      inactive_threshold: nanos(INACTIVE_MS),
      mem_storage: true,
      num_replicas: 1,
    }),
  );
  if (E.isLeft(added)) {
    stop();
    return added;
  }
  consumer = added.right.name;
  if (added.right.num_pending === 0 && delivered === 0) current();
  return E.right(stop);
};
