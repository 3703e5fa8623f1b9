import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect } from '@jest/globals';
import type { JsonObject } from '../../src/domain/json.js';
import { mqttPlugin } from '../../src/plugins/outputs/mqtt/plugin.js';
import { paramsOf } from '../plugins/outputs/mqtt/support.js';
import { numberedEvent, type Rig, type RigOptions, startRig } from '../support/faults/faultRig.js';
import { type FaultyWire, faultyWire } from '../support/faults/faultyWire.js';
import {
  hasMosquitto,
  type MosquittoServer,
  NEEDS_MOSQUITTO,
  startMosquitto,
} from '../support/servers/mosquittoServer.js';
import { type ScriptedMqtt, scriptedMqtt } from '../support/servers/scriptedMqtt.js';
import { closingRow, unroutableRow } from './oneBadEvent.js';
import { expectAccounted, faultRows, report } from './rows.js';

(hasMosquitto ? describe : describe.skip)(`MQTT under faults ${NEEDS_MOSQUITTO}`, () => {
  let server: MosquittoServer;
  let scripted: ScriptedMqtt;
  let wire: FaultyWire;
  let folder = '';
  let runs = 0;
  const rigs: Rig[] = [];

  beforeAll(async () => {
    server = await startMosquitto('max_inflight_messages 200');
    scripted = scriptedMqtt();
    await scripted.listen();
    wire = await faultyWire(server.port);
    folder = fs.mkdtempSync(join(tmpdir(), 'spate-faults-'));
  });
  afterEach(async () => {
    for (const rig of rigs.splice(0)) {
      rig.abort();
      await rig.drain();
    }
  });
  afterAll(async () => {
    await wire.close();
    scripted.close();
    await server.remove();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  /** A running generator that has written some events; mosquitto_sub keeps all of them for the end. */
  const writing = async (more: Partial<RigOptions> = {}, params: JsonObject = {}): Promise<Rig> => {
    server.subscribe('events');
    const all: JsonObject = {
      ...{ url: `mqtt://127.0.0.1:${wire.port}`, topic: 'events' },
      ...{ username: 'writer', password: 'right', ...params },
    };
    const rig = startRig({
      folder: join(folder, `${++runs}`),
      outputs: [(context) => mqttPlugin.open(paramsOf(all), { ...context } as never)],
      ...more,
    });
    rigs.push(rig);
    await rig.writesOn();
    return rig;
  };

  const drained = async (row: string, rig: Rig): Promise<void> => {
    expect(await rig.drain()).toEqual({ _tag: 'Right', right: 'drained' });
    report(`mqtt x ${row}`, rig);
    expectAccounted(rig);
    expect(rig.letters()).toHaveLength(rig.count('dead_lettered'));
    expect(rig.count('write_failed')).toBe(0);
  };

  /** Every event is among these texts or in the dead letters, and whole. */
  const expectAll = (rig: Rig, texts: readonly string[]): void => {
    const numbers = texts.map((text) => Number.parseInt(text, 10));
    expect(texts).toEqual(numbers.map(numberedEvent));
    expect(new Set([...numbers, ...rig.letters()]).size).toBe(rig.produced());
    process.stderr.write(`  doubles: ${numbers.length - new Set(numbers).size}\n`);
  };

  const finish = async (row: string, rig: Rig): Promise<void> => {
    await drained(row, rig);
    expectAll(
      rig,
      (await server.read()).map(({ text }) => text),
    );
  };

  const deadLetters = (rig: Rig): Promise<void> =>
    rig.until('dead letters', () => rig.count('dead_lettered') > 0);

  /** Reasons of failed writes in the log. */
  const reasonsIn = (rig: Rig): readonly string[] =>
    rig.lines
      .filter(({ message }) => message.startsWith('a write failed'))
      .map(({ context }) => String(context['reason']));
  /** Of the last one. */
  const reasonIn = (rig: Rig): string => reasonsIn(rig).at(-1) ?? '';

  afterEach(() => scripted.set({ puback: 0 }));

  /** A run against the scripted broker, which answers with a reason code for a while. */
  const refusedWith = async (row: string, puback: number, reason: RegExp): Promise<void> => {
    const before = scripted.accepted.length;
    const rig = await writing({}, { url: `mqtt://127.0.0.1:${scripted.port()}` });
    scripted.set({ puback });
    await deadLetters(rig);
    expect(reasonsIn(rig).filter((each) => reason.test(each))).not.toEqual([]);
    expect(rig.count('retries')).toBeGreaterThanOrEqual(4);
    scripted.set({ puback: 0 });
    await rig.writesOn();
    await drained(row, rig);
    expectAll(rig, scripted.accepted.slice(before));
  };

  faultRows('mqtt', {
    'unroutable event': unroutableRow('mqtt', { topic: 'a/{/v}' }, (_, isBad) =>
      JSON.stringify({ v: isBad ? 'a\tb' : 'main' }),
    ),
    'closed on one event': closingRow('mqtt'),

    refused: {
      'a broker that is killed gets what comes after it is back; what could not wait is in the dead letters':
        async () => {
          const rig = await writing();
          await server.kill();
          await deadLetters(rig);
          expect(reasonIn(rig)).toContain('ECONN');
          expect(rig.count('retries')).toBeGreaterThanOrEqual(4);
          await server.start();
          await rig.writesOn();
          // Mosquitto loses what it has in memory when it is killed.
          await drained('refused', rig);
          server.subscribe('events');
          await server.read();
        },
      'a broker that is stopped twice under 50,000 events: nothing is lost': async () => {
        const rig = await writing({ attempts: 1_000 });
        for (const _ of [1, 2]) {
          await rig.writesOn(15_000);
          const before = rig.count('retries');
          await server.stop();
          await rig.until('a retry', () => rig.count('retries') > before);
          await server.start();
        }
        await rig.until('50,000 events', () => rig.count('written') >= 50_000);
        await finish('refused (stopped twice)', rig);
        expect(rig.count('written')).toBe(rig.produced());
      },
    },
    'reset mid-batch': {
      'connections that break in the middle of each batch: what was not acknowledged is sent again':
        async () => {
          const rig = await writing();
          await wire.set({ kind: 'reset', after_bytes: 20_000 });
          await rig.until('retries', () => rig.count('retries') > 5);
          await wire.set({ kind: 'reset', after_bytes: 100 });
          await deadLetters(rig);
          await wire.set({ kind: 'none' });
          await rig.writesOn();
          await finish('reset mid-batch', rig);
        },
    },
    slow: {
      'a slow wire slows the producer down; nothing fails or is retried': async () => {
        const rig = await writing({}, { ack_timeout: 100 });
        await wire.set({ kind: 'slow', bytes_per_second: 200_000 });
        const { allowed } = rig.account();
        await rig.until('a full queue', () => rig.account().mostInFlight[0] === allowed[0]);
        await rig.writesOn(3_000);
        await wire.set({ kind: 'none' });
        await rig.writesOn();
        await finish('slow', rig);
        expect([rig.count('retries'), rig.count('dead_lettered')]).toEqual([0, 0]);
      },
    },
    hung: {
      'a frozen broker holds the producer back; attempts end by ack_timeout, and the thawed one gets the rest':
        async () => {
          const rig = await writing({ attempts: 2 }, { connect_timeout: 1 });
          server.freeze();
          try {
            await rig.isHeldBack();
            await deadLetters(rig);
            expect(JSON.stringify(rig.lines)).toMatch(/no acknowledgement within ack_timeout \(10 s\)/);
          } finally {
            server.thaw();
          }
          await rig.writesOn();
          await finish('hung (frozen)', rig);
        },
      'a stop while the broker is frozen accounts for everything': async () => {
        const rig = await writing();
        server.freeze();
        try {
          await rig.isHeldBack();
          const ended = rig.drain();
          rig.abort();
          expect(await ended).toEqual({ _tag: 'Right', right: 'drained' });
        } finally {
          server.thaw();
        }
        expectAccounted(rig);
        await server.read();
      },
      'answers that are lost: events may be there twice, none is missing': async () => {
        const rig = await writing({ attempts: 2 }, { connect_timeout: 1 });
        await wire.set({ kind: 'mute' });
        await deadLetters(rig);
        await wire.set({ kind: 'none' });
        await rig.writesOn();
        await finish('hung (mute)', rig);
      },
    },
    'server error': {
      'a broker that answers with an error of its own: retried, then dead letters, then written': () =>
        refusedWith('server error', 131, /Implementation specific error \(reason code 131\)/),
      'qos 0: a broker that is gone fails writes; what follows is read again': async () => {
        const rig = await writing({}, { qos: 0 });
        await server.kill();
        await deadLetters(rig);
        await server.start();
        await rig.writesOn();
        await drained('server error (qos 0)', rig);
        server.subscribe('events');
        await server.read();
      },
    },
    'auth error': {
      'a password that is changed on the broker, and changed back': async () => {
        const rig = await writing();
        server.setPassword('writer', 'another');
        server.reload();
        await wire.set({ kind: 'refused' });
        await wire.set({ kind: 'none' });
        await deadLetters(rig);
        expect(reasonIn(rig)).toMatch(/not authorized.*Check `username`, `password`/);
        server.setPassword('writer', 'right');
        server.reload();
        await rig.writesOn();
        await finish('auth error', rig);
      },
    },
    'disk full': {
      'a broker whose quota is used up: retried, then dead letters; written when it has room': () =>
        refusedWith('disk full', 151, /Quota exceeded \(reason code 151\).*limits of the broker/),
    },
    permission: {
      'a user who may not publish any more: refused, then dead letters; written when they may again':
        async () => {
          const rig = await writing();
          server.setRights('user reader\ntopic readwrite #\n');
          server.reload();
          await deadLetters(rig);
          // Mosquitto 2.0 gives no place back for a message that it refuses, and breaks the connection when none is left.
          await rig.until('a refusal', () =>
            /not authorized \(reason code 135\)/.test(JSON.stringify(rig.lines)),
          );
          server.setRights('user reader\ntopic readwrite #\nuser writer\ntopic write #\n');
          server.reload();
          await rig.writesOn();
          await finish('permission', rig);
        },
    },
  });
});
