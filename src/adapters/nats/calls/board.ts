import { createInbox, type Msg } from '@nats-io/transport-node';
import { unavailable } from '../natsErrors.js';
import type { Session } from '../session.js';
import { type Channel, type ChannelEnd, openChannel } from './channel.js';
import { FRAME, writtenFrame } from './frames.js';

/** The open channels of a link. */
export interface Board {
  /** Opens a channel to whoever serves `subject`. */
  readonly dial: (place: string, subject: string) => Channel;
  /** Opens a channel for a first frame, which is in `message`. */
  readonly accept: (place: string, message: Msg) => Channel;
  readonly close: () => void;
}

const BEAT_MS = 1_500;
const SILENCE_MS = 5_000;
const NO_RESPONDERS = 503;
const CLOSED = 'the link is closed';

/** Channels share a subscription and a timer, which sends heartbeats and ends channels whose other side is silent. */
export const channelBoard = (session: Session): Board => {
  const { client, clock, closing } = session;
  const channels = new Map<string, ChannelEnd>();
  const inbox = createInbox();
  let next = 0;
  let isBeating = false;
  let stopBeat = (): void => {};

  const publish = (subject: string, bytes: Uint8Array, reply: string | null): void => {
    if (client.isClosed()) return;
    client.publish(subject, bytes, reply === null ? {} : { reply });
  };
  client.subscribe(`${inbox}.*`, {
    callback: (error, message) => {
      if (error !== null) return session.log.write('warning', `calls between nodes: ${error.message}`);
      const channel = channels.get(message.subject.slice(inbox.length + 1));
      if (channel === undefined) {
        // The caller is gone already.
        if (message.reply) publish(message.reply, writtenFrame(FRAME.cancel, 0, new Uint8Array(0)), null);
      } else if (message.headers?.code === NO_RESPONDERS) channel.onRefused();
      else channel.onMessage(message.data, message.reply ?? '');
    },
  });

  const beat = (): void => {
    if (isBeating || channels.size === 0) return;
    isBeating = true;
    const from = clock.monotonicMs();
    stopBeat = clock.after(BEAT_MS, () => {
      isBeating = false;
      const now = clock.monotonicMs();
      // A process that stood still has not listened.
      const hasStalled = now - from > 2 * BEAT_MS;
      for (const channel of [...channels.values()]) {
        if (hasStalled) channel.hear();
        if (now - channel.heardAt() > SILENCE_MS) {
          channel.close(unavailable('call', 'the other node went away', 'Retry when it is connected again.'));
        } else channel.beat();
      }
      beat();
    });
  };
  const open = (place: string, first: string, peer: string | null): ChannelEnd => {
    const token = String(next++);
    const channel = openChannel({
      place,
      first,
      peer,
      own: `${inbox}.${token}`,
      publish,
      now: clock.monotonicMs,
      onOver: () => void channels.delete(token),
    });
    channels.set(token, channel);
    if (closing.aborted) channel.close(unavailable(place, CLOSED, 'Connect again.'));
    beat();
    return channel;
  };
  return {
    dial: (place, subject) => open(place, subject, null),
    accept: (place, message) => {
      const channel = open(place, '', message.reply ?? '');
      channel.onMessage(message.data, '');
      return channel;
    },
    close: () => {
      stopBeat();
      for (const channel of [...channels.values()])
        channel.close(unavailable('call', CLOSED, 'Connect again.'));
    },
  };
};
