import { describe, expect, test } from '@jest/globals';
import { connect, type Msg, type NatsConnection } from '@nats-io/transport-node';
import { type NatsSession, sessionOf } from '../../../src/adapters/nats/session.js';
import { keyedStream } from '../../../src/adapters/nats/streams.js';
import { watchStream } from '../../../src/adapters/nats/watch.js';
import { systemClock } from '../../../src/adapters/systemClock.js';
import { bytes } from '../../support/cluster/link.js';
import { right } from '../../support/either.js';
import { memoryLog } from '../../support/logs.js';
import { hasClusterNats, NEEDS_CLUSTER_NATS, startNats } from '../../support/servers/natsServer.js';

/** The parts of a reply subject that tell the revision of a message, and how many are still to come. */
const [REVISION, PENDING] = [5, 8];

/** A session whose first reader gets what a server has whose copy ends at a revision. */
const behind = (session: NatsSession, end: number): NatsSession => {
  let readers = 0;
  const subscribe: NatsConnection['subscribe'] = (subject, options = {}) => {
    readers += 1;
    if (readers > 1) return session.client.subscribe(subject, options);
    return session.client.subscribe(subject, {
      callback: (error, message) => {
        const reply = (message.reply ?? '').split('.');
        if (reply[0] !== '$JS') return;
        if (Number(reply[REVISION]) > end) return;
        if (Number(reply[REVISION]) === end) reply[PENDING] = '0';
        const shown: Msg = Object.create(message, { reply: { value: reply.join('.') } });
        void options.callback?.(error, shown);
      },
    });
  };
  const client = { subscribe, publish: session.client.publish.bind(session.client) } as NatsConnection;
  return { ...session, client };
};

(hasClusterNats ? describe : describe.skip)(`a watch ${NEEDS_CLUSTER_NATS}`, () => {
  test('of a server whose copy is behind does not take what it lists for all that is there', async () => {
    const server = await startNats();
    const client = await connect({ servers: [`127.0.0.1:${server.port}`] });
    const session = await sessionOf(client, systemClock, memoryLog().log);
    const keyed = keyedStream(session, 'late', 'values', 1);
    const keys = ['a', 'b', 'c', 'd', 'e'].map((key) => `$KV.late.${key}`);
    for (const subject of keys) right(await keyed.write('test', { subject, data: bytes('1'), expects: 0 }));
    const seen: string[] = [];
    const ending = new AbortController();
    right(
      await watchStream(
        {
          session: behind(session, 3),
          keyed,
          filter: '$KV.late.>',
          isRemoved: ({ isMarker }) => isMarker,
        },
        { onPut: ({ subject }) => void seen.push(subject), onRemoved: () => {} },
        ending.signal,
      ),
    );
    expect(seen).toEqual(keys);
    ending.abort();
    await session.close();
    await server.remove();
  });
});
