import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { systemClock } from '../../src/adapters/systemClock.js';
import type { SpateError } from '../../src/domain/errors.js';
import { textBatch } from '../../src/domain/events/eventBatch.js';
import type { JsonObject } from '../../src/domain/json.js';
import { makeStats, readOutputStat } from '../../src/domain/stats/stats.js';
import { makeWriter } from '../../src/pipeline/delivery/writer.js';
import {
  contextIn,
  decoded,
  type SetUp,
  type StartDestination,
  type TestDestination,
} from '../../src/plugins/conformance/rule.js';
import type { Output } from '../../src/plugins/kit.js';
import { kafkaPlugin } from '../../src/plugins/outputs/kafka/plugin.js';
import { registry } from '../../src/plugins/registry.js';
import { PLUGIN_SPECS } from '../../src/plugins/specs.js';
import { faultyWire } from '../support/faults/faultyWire.js';
import { memoryLog } from '../support/logs.js';
import { plainFormatter } from '../support/pipelines/pipelineParts.js';
import { fakeKafka } from '../support/servers/kafka/fakeKafka.js';
import type { Row } from './rows.js';
import type { OutputName } from './table.js';

const COUNT = 200;
const BAD = 137;
const POISON = 'POISON';

interface Peer extends TestDestination {
  /** Port that clients are sent to. */
  readonly lead?: (port: number) => void;
}

/** A fake broker that can name the port of a relay in its metadata. */
const startKafka: StartDestination = async (): Promise<Peer> => {
  const kafka = await fakeKafka({ brokers: 1 });
  return {
    params: { bootstrap_servers: kafka.servers, topic: 'events' },
    open: (params, context) => kafkaPlugin.open(params, context),
    arrived: () => kafka.messages.map(({ value }) => `${value}\n`).join(''),
    takeAway: kafka.kill,
    end: kafka.kill,
    lead: (port) => {
      kafka.advertised = [port];
    },
  };
};

const startPeer = async (kind: OutputName, folder: string): Promise<Peer> => {
  const { destination } = (await import(`../plugins/outputs/${kind}/conformance.js`)) as SetUp;
  const start = kind === 'kafka' ? startKafka : destination;
  if (start === undefined) throw new Error(`${kind} has no destination`);
  return start(folder);
};

const PORT = /(?:127\.0\.0\.1|localhost):(\d+)/;

const portIn = (params: JsonObject): number => {
  const { port } = params;
  return typeof port === 'number' ? port : Number(PORT.exec(JSON.stringify(params))?.[1]);
};

const led = (params: JsonObject, from: number, to: number): JsonObject => {
  const moved = JSON.stringify(params).replace(PORT, `127.0.0.1:${to}`);
  return { ...(JSON.parse(moved) as JsonObject), ...(params['port'] === from ? { port: to } : {}) };
};

/** Writes a batch as the pipeline does. */
const written = async (output: Output, events: readonly string[]) => {
  const dead: { readonly event: string; readonly reason: SpateError }[] = [];
  const stats = makeStats(1, 1);
  const write = makeWriter(
    {
      index: 0,
      output,
      formatter: plainFormatter,
      log: memoryLog().log,
      deadLetters: {
        put: async (given, reason) => {
          dead.push(...given.map((event) => ({ event, reason })));
          return E.right(undefined);
        },
      },
    },
    {
      stats,
      clock: systemClock,
      random: Math.random,
      retry: { attempts: 5, base_ms: 10, cap_ms: 100 },
      write_timeout_ms: 10_000,
      signal: new AbortController().signal,
    },
    () => {},
  );
  await write({ events: textBatch(events), producedAtMs: systemClock.monotonicMs() });
  return { dead, count: readOutputStat(stats, 0, 'written') };
};

/** Runs with an output that writes to a peer of its own. */
const withOutput = async (
  kind: OutputName,
  change: (params: JsonObject, peer: Peer) => Promise<JsonObject>,
  isOpenedByPeer: boolean,
  work: (output: Output, peer: Peer) => Promise<void>,
): Promise<void> => {
  const folder = fs.mkdtempSync(join(tmpdir(), 'spate-one-bad-'));
  const peer = await startPeer(kind, folder);
  try {
    const params = decoded(PLUGIN_SPECS.output[kind], await change(peer.params, peer)) as never;
    const context = contextIn(folder, systemClock);
    const plugin = await registry.output(kind);
    const opened = await (isOpenedByPeer && peer.open !== undefined
      ? peer.open(params, context)
      : plugin.open(params, context));
    if (E.isLeft(opened)) throw new Error(opened.left.message);
    try {
      await work(opened.right, peer);
    } finally {
      await opened.right.close();
    }
  } finally {
    await peer.end?.();
    fs.rmSync(folder, { recursive: true, force: true });
  }
};

/** One event that the protocol does not take, among others. */
export const unroutableRow = (
  kind: OutputName,
  params: JsonObject,
  eventOf: (n: number, isBad: boolean) => string,
): Row => ({
  'one event that cannot be sent is a dead letter with its reason; the others are written': () =>
    withOutput(
      kind,
      async (given) => ({ ...given, ...params }),
      false,
      async (output) => {
        const events = Array.from({ length: COUNT }, (_, n) => eventOf(n, n === BAD));
        const { dead, count } = await written(output, events);
        expect(dead.map(({ event, reason }) => [event, reason.code])).toEqual([[events[BAD], 'unroutable']]);
        expect(dead[0]?.reason.message.length).toBeGreaterThan(20);
        expect(count).toBe(COUNT - 1);
      },
    ),
});

/** A peer that closes the connection each time one event comes. */
export const closingRow = (kind: OutputName): Row => ({
  'a connection that is closed on one event costs that event; the others are written': async () => {
    let close = async (): Promise<void> => {};
    try {
      await withOutput(
        kind,
        async (given, peer) => {
          const port = portIn(given);
          const wire = await faultyWire(port);
          close = wire.close;
          await wire.set({ kind: 'poison', text: POISON });
          peer.lead?.(wire.port);
          return led(given, port, wire.port);
        },
        true,
        async (output, peer) => {
          const events = Array.from({ length: COUNT }, (_, n) => (n === BAD ? POISON : `event ${n}`));
          const { dead, count } = await written(output, events);
          expect(dead.map(({ event, reason }) => [event, reason.code])).toEqual([[POISON, 'rejected']]);
          expect(dead[0]?.reason.message).toContain('each write with this event alone fails');
          expect(count).toBe(COUNT - 1);
          await output.close();
          const lines = (await peer.arrived()).split('\n').filter((line) => line !== '');
          expect(new Set(lines)).toEqual(new Set(events.filter((event) => event !== POISON)));
        },
      );
    } finally {
      await close();
    }
  },
});
