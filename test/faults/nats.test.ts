import { afterAll, beforeAll, describe } from '@jest/globals';
import type { JsonObject } from '../../src/domain/json.js';
import { natsPlugin } from '../../src/plugins/outputs/nats/plugin.js';
import { paramsOf } from '../plugins/outputs/nats/support.js';
import { type FaultyWire, faultyWire } from '../support/faults/faultyWire.js';
import { hasNats, type NatsServer, NEEDS_NATS, startNats } from '../support/servers/natsServer.js';
import { closingRow, unroutableRow } from './oneBadEvent.js';
import { type Peer, type Run, startedRigs } from './peer.js';
import {
  frozenRow,
  killedRow,
  killedTwiceRow,
  muteRow,
  refusalRow,
  resetRow,
  slowRow,
  unconfirmedRow,
} from './peerRows.js';
import { faultRows, type Row } from './rows.js';

const USERS = (password: string, denied = '[]'): string => `
authorization {users: [
  {user: admin, password: admin}
  {user: writer, password: "${password}", permissions: {publish: {allow: ["events.>"], deny: ${denied}}, subscribe: "_INBOX.>"}}
]}
`;

/** Messages before the events: a stream that overshoots its bytes drops a few of its oldest messages. */
const OLD = 50;

interface StreamRun extends Run {
  readonly stream: string;
}

(hasNats ? describe : describe.skip)(`NATS under faults ${NEEDS_NATS}`, () => {
  let server: NatsServer;
  let wire: FaultyWire;
  let streams = 0;
  const start = startedRigs();

  beforeAll(async () => {
    server = await startNats(USERS('right'), { user: 'admin', pass: 'admin' });
    wire = await faultyWire(server.port);
  });
  afterAll(async () => {
    await wire.close();
    await server.remove();
  });

  const setUsers = (...users: Parameters<typeof USERS>): void => {
    server.configure(USERS(...users));
    server.reload();
  };

  /** Each run has a stream of its own, which knows an event that it has stored. */
  const peer: Peer<StreamRun> = {
    output: 'nats',
    wire: () => wire,
    server: () => server,
    writing: async (more, params = {}) => {
      const stream = `S${++streams}`;
      const subject = `events.${stream}`;
      await server.addStream(stream, { subjects: [subject] });
      await server.withClient(async (client) => {
        for (let n = 0; n < OLD; n++) client.publish(subject, 'old');
        await client.flush();
      });
      const given: JsonObject = {
        ...{ servers: [`127.0.0.1:${wire.port}`], subject, jetstream: true },
        ...{ username: 'writer', password: 'right', max_in_flight: 400, ...params },
      };
      const open = (context: object) => natsPlugin.open(paramsOf(given), { ...context } as never);
      return { rig: await start(open, more), stream };
    },
    arrived: async ({ stream }) =>
      (await server.messagesOf(stream)).map(({ text }) => text).filter((text) => text !== 'old'),
    traits: {
      refusesDoubles: true,
      twice: { params: { max_in_flight: 4_096 }, end: null },
      breaks: { after_bytes: [20_000, 100], retries: 5 },
      slow: { bytes_per_second: 200_000, params: { ack_timeout: 100 } },
      timeout: { more: {}, params: {}, reason: /no acknowledgement within ack_timeout \(10 s\)/ },
    },
  };

  /** The stream has a limit for a while. */
  const limitedRow = (
    title: string,
    row: string,
    limit: 'max_msgs' | 'max_bytes',
    usedBy: (stream: string) => Promise<number>,
    reason: RegExp,
  ): Row =>
    refusalRow(peer, title, {
      row,
      refuse: async ({ stream }) =>
        server.changeStream(stream, { discard: 'new', [limit]: await usedBy(stream) }),
      accept: ({ stream }) => server.changeStream(stream, { discard: 'new', [limit]: -1 }),
      reason,
      retries: 'some',
      delivery: 'no doubles',
    });

  let tries = 0;
  const deny = (): void => setUsers('right', `["events.>", "try.${++tries}"]`);
  let again: NodeJS.Timeout;

  faultRows('nats', {
    'unroutable event': unroutableRow('nats', { jetstream: false, subject: 'a.{/v}' }, (_, isBad) =>
      JSON.stringify({ v: isBad ? 'x'.repeat(5_000) : 'main' }),
    ),
    'closed on one event': closingRow('nats'),

    refused: { ...killedRow(peer), ...killedTwiceRow(peer) },
    'reset mid-batch': resetRow(peer),
    slow: slowRow(peer),
    hung: { ...frozenRow(peer), ...muteRow(peer) },
    'server error': {
      ...refusalRow(
        peer,
        'a stream that is removed: retried, then dead letters; written when there is one again',
        {
          row: 'server error (no stream)',
          refuse: ({ stream }) => server.changeStream(stream, { subjects: ['elsewhere'] }),
          accept: ({ stream }) => server.changeStream(stream, { subjects: [`events.${stream}`] }),
          reason: /no stream takes this subject.*Create a stream/,
          retries: 'some',
          delivery: 'no doubles',
        },
      ),
      ...limitedRow(
        'a stream that is full: retried, then dead letters; written when it has room',
        'server error (full)',
        'max_msgs',
        async (stream) => (await server.stateOf(stream)).messages + 10_000,
        /maximum messages exceeded.*limits and the disk of the stream/,
      ),
      ...unconfirmedRow(
        peer,
        'core NATS: a server that is gone fails writes; what follows is confirmed again',
        {
          jetstream: false,
        },
      ),
    },
    'auth error': refusalRow(peer, 'a password that is changed on the server, and changed back', {
      row: 'auth error',
      refuse: () => setUsers('another'),
      accept: () => setUsers('right'),
      reason: /refused the user.*Check `username`, `password`/,
      delivery: 'no doubles',
    }),
    'disk full': limitedRow(
      'a server without space for the stream: retried, then dead letters; written when it has some',
      'disk full',
      'max_bytes',
      async (stream) => (await server.stateOf(stream)).bytes + 1_000_000,
      /maximum bytes exceeded.*limits and the disk of the stream/,
    ),
    permission: refusalRow(peer, 'a user who may not publish any more: refused at once, no retries', {
      row: 'permission',
      // The server keeps its answer for a subject that it is asked about while it sets the permissions, which happens
      // to a client that publishes all the time: it must be told again, in other words.
      refuse: () => {
        deny();
        again = setInterval(deny, 5_000);
      },
      accept: () => {
        clearInterval(again);
        setUsers('right');
      },
      reason: /may not publish to events\.S.*permissions of the user/,
      delivery: 'no doubles',
    }),
  });
});
