/** 0.2 % of the events cannot be delivered, at peers that close the connection for one: it costs none of the others. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type {
  DeadLetterRequests,
  DeadLetterSummary,
  ResentDeadLetters,
} from '../../../src/messages/deadLetters.js';
import { faultyWire } from '../../support/faults/faultyWire.js';
import { eventually, freePort, type Instance, makeInstance } from '../../support/instance.js';
import { fakeKafka } from '../../support/servers/kafka/fakeKafka.js';
import { hasMosquitto, NEEDS_MOSQUITTO, startMosquitto } from '../../support/servers/mosquittoServer.js';
import { hasNats, NEEDS_NATS, startNats } from '../../support/servers/natsServer.js';
import { scriptedHttp } from '../../support/servers/scriptedHttp.js';

type Letter = DeadLetterRequests['dead_letters.read']['answer']['letters'][number];

const EVENTS = 5_000;
/** Events while the peer is away. */
const MORE = 1_000;
const BAD_EVERY = 500;
const POISON = 'POISON';

/** `v` routes the event: a host, or what this peer does not take. */
const script = (bad: string): string => `
let n = 0;
const badOf = ${bad};
export const produce = () => {
  n++;
  return JSON.stringify({ n, v: n % ${BAD_EVERY} === 0 ? badOf(n / ${BAD_EVERY}) : 'host-' + (n % 7) });
};`;

const numbersUpTo = (count: number): readonly number[] => Array.from({ length: count }, (_, n) => n + 1);
const isBad = (n: number): boolean => n % BAD_EVERY === 0;
const good = (count: number): readonly number[] => numbersUpTo(count).filter((n) => !isBad(n));
const bad = (count: number): readonly number[] => numbersUpTo(count).filter(isBad);
const numberOf = (event: string): number => (JSON.parse(event) as { readonly n: number }).n;

/** What arrived: the event, and where, as far as that is made from the event. */
interface Arrival {
  readonly n: number;
  readonly to: string | null;
}

const arrival = (event: string, to: string | null = null): Arrival => ({ n: numberOf(event), to });
const byNumber = (arrivals: readonly Arrival[]): readonly Arrival[] =>
  [...arrivals].sort((one, other) => one.n - other.n);

interface Peer {
  readonly kind: string;
  readonly params: string;
  /** All arrivals so far. */
  readonly arrived: () => Promise<readonly Arrival[]>;
  readonly takeAway: () => Promise<void>;
  readonly bringBack: () => Promise<void>;
  readonly end: () => Promise<void>;
}

interface Case {
  readonly name: string;
  readonly isThere: boolean;
  /** JavaScript: the value of the bad event with this number, from 1. */
  readonly bad: string;
  /** Where the event of a host arrives; null when that is not made from the event. */
  readonly to: (host: string) => string | null;
  readonly code: string;
  /** Each bad event is dead for one of these reasons, and each reason is met. */
  readonly reasons: readonly RegExp[];
  /** Whether bad events are found without sending them. */
  readonly isKnownBefore: boolean;
  readonly start: () => Promise<Peer>;
}

const nats: Case = {
  name: `NATS, subjects of 5,000 characters ${NEEDS_NATS}`,
  isThere: hasNats,
  bad: "() => 'x'.repeat(5_000)",
  to: (host) => `s.${host}`,
  code: 'unroutable',
  reasons: [/longer than 4096 bytes/],
  isKnownBefore: true,
  start: async () => {
    const server = await startNats();
    await server.addStream('ALL', { subjects: ['s.>'] });
    return {
      kind: 'nats',
      params: `servers: ['127.0.0.1:${server.port}'], subject: 's.{/v}', jetstream: true`,
      arrived: async () =>
        (await server.messagesOf('ALL')).map(({ text, subject }) => arrival(text, subject)),
      takeAway: server.stop,
      bringBack: server.start,
      end: server.remove,
    };
  },
};

const mqtt: Case = {
  name: `MQTT, topics with a tab and of 70,000 characters ${NEEDS_MOSQUITTO}`,
  isThere: hasMosquitto,
  bad: "(turn) => (turn % 2 === 0 ? 'x'.repeat(70_000) : 'a\\tb')",
  to: (host) => `t/${host}`,
  code: 'unroutable',
  reasons: [/control character/, /longer than 65535 bytes/],
  isKnownBefore: true,
  start: async () => {
    const server = await startMosquitto();
    server.subscribe('t/#');
    const all: Arrival[] = [];
    return {
      kind: 'mqtt',
      params: `url: 'mqtt://127.0.0.1:${server.port}', topic: 't/{/v}', username: writer, password: right`,
      arrived: async () => {
        for (const { text, topic } of await server.read()) all.push(arrival(text, topic));
        return all;
      },
      takeAway: server.stop,
      bringBack: server.start,
      end: server.remove,
    };
  },
};

const kafka: Case = {
  name: 'Kafka, values above the size of a request',
  isThere: true,
  bad: "() => 'x'.repeat(30_000)",
  to: (host) => host,
  code: 'unroutable',
  reasons: [/max_request_size/],
  isKnownBefore: true,
  start: async () => {
    const server = await fakeKafka({ brokers: 2, partitions: 3 });
    return {
      kind: 'kafka',
      params: `bootstrap_servers: ${JSON.stringify(server.servers)}, topic: events, key: '{/v}', max_request_size: 20000`,
      arrived: async () => server.messages.map(({ value, key }) => arrival(value, key)),
      takeAway: server.kill,
      bringBack: server.start,
      end: server.kill,
    };
  },
};

/** No part of a request is made from an event: the server itself chokes on one. */
const http: Case = {
  name: 'HTTP, events on which the server closes the connection',
  isThere: true,
  bad: `() => '${POISON}'`,
  to: () => null,
  code: 'rejected',
  reasons: [/each write with this event alone fails/],
  isKnownBefore: false,
  start: async () => {
    const all: Arrival[] = [];
    const server = await scriptedHttp(({ body }, response) => {
      if (body.includes(POISON)) return void response.socket?.destroy();
      for (const line of body.trimEnd().split('\n')) all.push(arrival(line));
      response.end();
    });
    const wire = await faultyWire(server.port);
    return {
      kind: 'http',
      params: `url: 'http://127.0.0.1:${wire.port}/', batching: joined, formatter: {format: json}`,
      arrived: async () => all,
      takeAway: () => wire.set({ kind: 'refused' }),
      bringBack: () => wire.set({ kind: 'none' }),
      end: async () => {
        await wire.close();
        await server.close();
      },
    };
  },
};

const CASES = { nats, mqtt, kafka, http };
const there = Object.entries(CASES).filter(([, { isThere }]) => isThere);

describe('one event of 500 that cannot be delivered', () => {
  let instance: Instance;
  const peers = new Map<string, Peer>();
  const ports = new Map<string, number>();

  beforeAll(async () => {
    const generators: Record<string, string> = {};
    for (const [id, { start, bad: badOf }] of there) {
      const peer = await start();
      const port = await freePort();
      peers.set(id, peer);
      ports.set(id, port);
      generators[`${id}/produce.mjs`] = script(badOf);
      generators[`${id}/generator.yml`] = `
input: [http: {port: ${port}}]
event: {script: {path: produce.mjs}}
output: [${peer.kind}: {${peer.params}}]
`;
    }
    instance = await makeInstance({
      startup: there.map(([id]) => `- {id: ${id}, path: ${id}/generator.yml}`).join('\n'),
      generators,
      settings: 'retry: {attempts: 5, base_delay: 0.01, max_delay: 0.1}',
    });
    await instance.start();
  });
  afterAll(async () => {
    await instance.remove();
    for (const { end } of peers.values()) await end();
  });

  /** Asks the input of a generator for events; it listens when the generator runs. */
  const make = (id: string, count: number): Promise<true> =>
    eventually(async () => {
      const response = await fetch(`http://127.0.0.1:${ports.get(id)}/generate`, {
        method: 'POST',
        headers: { connection: 'close', 'content-type': 'application/json' },
        body: JSON.stringify({ count }),
      }).catch(() => null);
      expect(response?.status ?? 201).toBe(201);
      return response === null ? null : true;
    }, `the input of ${id} listens`);

  /** Counters of the only output, once each of so many events is in one of them. */
  const accounted = (id: string, count: number) =>
    eventually(async () => {
      const { body } = await instance.api('GET', `/generators/${id}/stats`);
      const { output } = body as {
        output: readonly { written: number; dead_lettered: number; retries: number }[];
      };
      const [counters] = output;
      if (counters === undefined) return null;
      return counters.written + counters.dead_lettered < count ? null : counters;
    }, `${count} events of ${id} are accounted for`);

  const summariesOf = async (id: string): Promise<readonly DeadLetterSummary[]> =>
    (await instance.api('GET', `/generators/${id}/dead-letters`)).body as readonly DeadLetterSummary[];
  const lettersOf = async (id: string): Promise<readonly Letter[]> => {
    const { body } = await instance.api('GET', `/generators/${id}/dead-letters/1?limit=500`);
    return (body as { readonly letters: readonly Letter[] }).letters;
  };

  /** The dead letters are the bad events up to this one, each with the reason. */
  const expectOnlyBad = async (id: string, { code, reasons }: Case, count: number): Promise<void> => {
    const letters = await lettersOf(id);
    expect(letters.map(({ event }) => numberOf(event)).sort((one, other) => one - other)).toEqual(bad(count));
    expect(letters.map((letter) => letter.code)).toEqual(letters.map(() => code));
    const met = letters.map(({ reason }) => reasons.findIndex((pattern) => pattern.test(reason)));
    expect(new Set(met)).toEqual(new Set(reasons.keys()));
  };

  /** The good events up to this one arrived where they belong, each once. */
  const expectAllGood = async (id: string, { to }: Case, count: number): Promise<void> => {
    const arrived = (await peers.get(id)?.arrived()) ?? [];
    expect(byNumber(arrived)).toEqual(good(count).map((n) => ({ n, to: to(`host-${n % 7}`) })));
  };

  for (const [id, each] of Object.entries(CASES)) {
    const shown = each.isThere ? test : test.skip;
    shown(`${each.name}: the others arrive, now and as dead letters of an outage`, async () => {
      await make(id, EVENTS);
      const { written, dead_lettered, retries } = await accounted(id, EVENTS);
      expect([written, dead_lettered]).toEqual([good(EVENTS).length, bad(EVENTS).length]);
      if (each.isKnownBefore) expect(retries).toBe(0);
      await expectOnlyBad(id, each, EVENTS);
      await expectAllGood(id, each, EVENTS);

      await peers.get(id)?.takeAway();
      await make(id, MORE);
      const all = EVENTS + MORE;
      expect(await accounted(id, all)).toMatchObject({ written, dead_lettered: dead_lettered + MORE });
      const [summary] = await summariesOf(id);
      expect(summary?.letters).toBe(dead_lettered + MORE);

      await peers.get(id)?.bringBack();
      const { status, body } = await instance.api('POST', `/generators/${id}/resend-dead-letters`);
      expect(status).toBe(200);
      const expected = { sent: good(all).length - good(EVENTS).length, refused: bad(all).length };
      expect(body).toMatchObject([
        { ...expected, is_done: true, is_down: false } satisfies Partial<ResentDeadLetters>,
      ]);
      await expectOnlyBad(id, each, all);
      await expectAllGood(id, each, all);
    });
  }
});
