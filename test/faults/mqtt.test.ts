import { afterAll, afterEach, beforeAll, describe } from '@jest/globals';
import type { JsonObject } from '../../src/domain/json.js';
import { mqttPlugin } from '../../src/plugins/outputs/mqtt/plugin.js';
import { paramsOf } from '../plugins/outputs/mqtt/support.js';
import type { RigOptions } from '../support/faults/faultRig.js';
import { type FaultyWire, faultyWire } from '../support/faults/faultyWire.js';
import {
  hasMosquitto,
  type MosquittoServer,
  NEEDS_MOSQUITTO,
  startMosquitto,
} from '../support/servers/mosquittoServer.js';
import { type ScriptedMqtt, scriptedMqtt } from '../support/servers/scriptedMqtt.js';
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

const READER = 'user reader\ntopic readwrite #\n';

(hasMosquitto ? describe : describe.skip)(`MQTT under faults ${NEEDS_MOSQUITTO}`, () => {
  let server: MosquittoServer;
  let scripted: ScriptedMqtt;
  let wire: FaultyWire;
  const start = startedRigs();

  beforeAll(async () => {
    server = await startMosquitto('max_inflight_messages 200');
    scripted = scriptedMqtt();
    await scripted.listen();
    wire = await faultyWire(server.port);
  });
  afterEach(() => scripted.set({ puback: 0 }));
  afterAll(async () => {
    await wire.close();
    scripted.close();
    await server.remove();
  });

  const startOn = async (params: JsonObject, more?: Partial<RigOptions>): Promise<Run> => {
    const given: JsonObject = { topic, username: 'writer', password: 'right', ...params };
    const open = (context: object) => mqttPlugin.open(paramsOf(given), { ...context } as never);
    return { rig: await start(open, more) };
  };

  /** Each run has a topic of its own: the broker may still be reading what a run before has sent without confirmation. */
  let runs = 0;
  let topic = '';
  /** Mosquitto loses what it has in memory when it is killed. */
  const peer: Peer = {
    output: 'mqtt',
    wire: () => wire,
    server: () => server,
    writing: async (more, params = {}) => {
      topic = `events/${++runs}`;
      // The broker keeps all events for the end.
      server.subscribe('events/#');
      return startOn({ url: `mqtt://127.0.0.1:${wire.port}`, ...params }, more);
    },
    arrived: async () => (await server.read()).filter((each) => each.topic === topic).map(({ text }) => text),
    traits: {
      outlivesKills: false,
      twice: { params: {}, end: () => server.stop() },
      breaks: { after_bytes: [20_000, 100], retries: 5 },
      slow: { bytes_per_second: 200_000, params: { ack_timeout: 100 } },
      timeout: {
        more: { attempts: 2 },
        params: { connect_timeout: 1 },
        reason: /no acknowledgement within ack_timeout \(10 s\)/,
      },
    },
  };

  /** A broker that can be asked for reason codes; it keeps the events of all runs. */
  let before = 0;
  const scriptedPeer: Peer = {
    ...peer,
    writing: (more) => {
      topic = 'events';
      before = scripted.accepted.length;
      return startOn({ url: `mqtt://127.0.0.1:${scripted.port()}` }, more);
    },
    arrived: () => scripted.accepted.slice(before),
  };

  /** The broker answers with a reason code for a while. */
  const refusedWithRow = (title: string, row: string, puback: number, reason: RegExp): Row =>
    refusalRow(scriptedPeer, title, {
      row,
      refuse: () => scripted.set({ puback }),
      accept: () => scripted.set({ puback: 0 }),
      reason,
      isOneOfMany: true,
      retries: 'some',
      delivery: 'at least once',
    });

  faultRows('mqtt', {
    'unroutable event': unroutableRow('mqtt', { topic: 'a/{/v}' }, (_, isBad) =>
      JSON.stringify({ v: isBad ? 'a\tb' : 'main' }),
    ),
    'closed on one event': closingRow('mqtt'),

    refused: { ...killedRow(peer), ...killedTwiceRow(peer) },
    'reset mid-batch': resetRow(peer),
    slow: slowRow(peer),
    hung: { ...frozenRow(peer), ...muteRow(peer) },
    'server error': {
      ...refusedWithRow(
        'a broker that answers with an error of its own: retried, then dead letters, then written',
        'server error',
        131,
        /Implementation specific error \(reason code 131\)/,
      ),
      ...unconfirmedRow(peer, 'qos 0: a broker that is gone fails writes; what follows is read again', {
        qos: 0,
      }),
    },
    'auth error': refusalRow(peer, 'a password that is changed on the broker, and changed back', {
      row: 'auth error',
      refuse: async () => {
        server.setPassword('writer', 'another');
        server.reload();
        await wire.set({ kind: 'refused' });
        await wire.set({ kind: 'none' });
      },
      accept: () => {
        server.setPassword('writer', 'right');
        server.reload();
      },
      reason: /not authorized.*Check `username`, `password`/,
      delivery: 'at least once',
    }),
    'disk full': refusedWithRow(
      'a broker whose quota is used up: retried, then dead letters; written when it has room',
      'disk full',
      151,
      /Quota exceeded \(reason code 151\).*limits of the broker/,
    ),
    permission: refusalRow(
      peer,
      'a user who may not publish any more: refused, then dead letters; written when they may again',
      {
        row: 'permission',
        refuse: () => {
          server.setRights(READER);
          server.reload();
        },
        accept: () => {
          server.setRights(`${READER}user writer\ntopic write #\n`);
          server.reload();
        },
        // Mosquitto 2.0 gives no place back for a message that it refuses, and breaks the connection when none is left.
        reason: /not authorized \(reason code 135\)/,
        isOneOfMany: true,
        delivery: 'at least once',
      },
    ),
  });
});
