import * as E from 'fp-ts/lib/Either.js';
import { documentsOf } from '../../../domain/events/eventBatch.js';
import type { Clock } from '../../../ports/clock.js';
import { writeAcknowledged } from '../shared/brokers/acknowledged.js';
import type { Publication } from '../shared/brokers/brokerOutput.js';
import { writeConfirmed } from '../shared/brokers/confirmed.js';
import { payloadsOf } from '../shared/brokers/payloads.js';
import type { Window } from '../shared/brokers/window.js';
import type { RequestError } from '../shared/requestErrors.js';
import type { NatsLink } from './connection.js';
import { lineBytes, MAX_CONTROL_LINE, type MessageMaker } from './messages.js';
import {
  acknowledgementError,
  connectionError,
  deniedError,
  LINE_TOO_LONG,
  renderError,
  tooLargeError,
} from './natsErrors.js';

/** One write: its items, and what becomes of them. */
export interface Publishing extends Publication<NatsLink> {
  readonly maker: MessageMaker;
}

/** Publishes single items of a batch. */
interface Publisher {
  /** Subjects that the user may not publish to, as far as known. */
  readonly denied: ReadonlySet<string>;
  /** Sends an item; returns an error if it was not sent. */
  readonly publish: (item: number, replyTo: string | null) => RequestError | null;
  readonly subjectOf: (item: number) => string;
  readonly bytes: () => number;
  /** Keeps ids of events in doubt, and stops listening. */
  readonly end: () => void;
}

const publisherOf = (
  { batch, link, maker, outcome }: Publishing,
  onDenied: (subject: string) => void,
): Publisher => {
  const { client } = link;
  const payloadOf = payloadsOf(batch);
  // Not the whole envelopes: headers that live until the acknowledgement cost most.
  const subjects: string[] = [];
  const freshIds: (string | null)[] = [];
  const denied = new Set<string>();
  const unlisten = link.onDenied((subject) => {
    if (denied.has(subject)) return;
    denied.add(subject);
    onDenied(subject);
  });
  // The greeting of the server names it.
  const max_payload = client.info?.max_payload ?? Number.POSITIVE_INFINITY;
  let bytes = 0;
  return {
    denied,
    subjectOf: (item) => subjects[item] ?? '',
    bytes: () => bytes,
    publish: (item, replyTo) => {
      const made = maker.envelopeOf(() => documentsOf(batch)[item] ?? '');
      if (E.isLeft(made)) return renderError(made.left);
      const envelope = made.right;
      subjects[item] = envelope.subject;
      freshIds[item] = envelope.freshId;
      if (denied.has(envelope.subject)) return deniedError(envelope.subject);
      const payload = payloadOf(item);
      if (payload.length > max_payload) return tooLargeError(max_payload);
      if (lineBytes(envelope, payload.length, replyTo) > MAX_CONTROL_LINE) return LINE_TOO_LONG;
      try {
        client.publish(envelope.subject, payload, {
          ...(replyTo === null ? {} : { reply: replyTo }),
          ...(envelope.headers === null ? {} : { headers: envelope.headers }),
        });
      } catch (thrown) {
        // Headers count too.
        if (/max_payload/.test(String(thrown))) return tooLargeError(max_payload);
        return connectionError(thrown);
      }
      bytes += payload.length;
      return null;
    },
    end: () => {
      unlisten();
      for (const item of outcome.inDoubt()) {
        const id = freshIds[item];
        if (id !== undefined && id !== null) maker.keep(documentsOf(batch)[item] ?? '', id);
      }
    },
  };
};

/** Bytes sent, and whether the connection holds nothing of unknown fate. */
export interface Published {
  readonly bytes: number;
  readonly isClean: boolean;
}

/** Publishes to JetStream and waits for the acknowledgement of each message. */
export const publishAcknowledged = async (publishing: Publishing, window: Window): Promise<Published> => {
  const { batch, link, outcome, ending } = publishing;
  let refuse: (item: number, error: RequestError) => void = () => {};
  // No acknowledgement comes for a message that the user may not publish.
  const publisher = publisherOf(publishing, (subject) => {
    for (let item = 0; item < batch.count; item++) {
      if (outcome.isOpen(item) && publisher.subjectOf(item) === subject) refuse(item, deniedError(subject));
    }
  });
  const isClean = await writeAcknowledged(
    {
      count: batch.count,
      outcome,
      window,
      send: (item, settle) =>
        publisher.publish(
          item,
          link.replyTo(({ data, headers }) => settle(acknowledgementError(data, headers?.code ?? 0))),
        ),
      onStart: (refuseItem) => {
        refuse = refuseItem;
      },
    },
    ending,
  );
  publisher.end();
  return { bytes: publisher.bytes(), isClean };
};

/** Publishes without acknowledgements, and waits until the server has processed all of it. */
export const publishConfirmed = async (publishing: Publishing, clock: Clock): Promise<Published> => {
  const { batch, link, outcome, ending } = publishing;
  const publisher = publisherOf(publishing, () => {});
  const isClean = await writeConfirmed(
    {
      count: batch.count,
      outcome,
      send: (item) => publisher.publish(item, null),
      bytes: publisher.bytes,
      // Refusals come before the confirmation and are read in its turn. A flush fails only with the connection.
      confirm: () =>
        link.client.flush().then(
          () => clock.yieldTurn(),
          () => new Promise<void>(() => {}),
        ),
      refusalOf: (item) => {
        const subject = publisher.subjectOf(item);
        return publisher.denied.has(subject) ? deniedError(subject) : null;
      },
    },
    ending,
  );
  publisher.end();
  return { bytes: publisher.bytes(), isClean };
};
