/** The brokers are the tests' own (`fakeKafka.ts` says why and how true they are); `real.test.ts` uses librdkafka's. */
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect } from '@jest/globals';
import type { JsonObject } from '../../src/domain/json.js';
import { kafkaPlugin } from '../../src/plugins/outputs/kafka/plugin.js';
import { paramsOf } from '../plugins/outputs/kafka/support.js';
import { numberedEvent, type Rig, type RigOptions, startRig } from '../support/faults/faultRig.js';
import { type FaultyWire, faultyWire } from '../support/faults/faultyWire.js';
import { type FakeKafka, fakeKafka, type Verdict } from '../support/servers/kafka/fakeKafka.js';
import { closingRow, unroutableRow } from './oneBadEvent.js';
import { expectAccounted, faultRows, report } from './rows.js';

const USER = { username: 'writer', password: 'right' };

describe('Kafka under faults', () => {
  let kafka: FakeKafka;
  let wire: FaultyWire;
  let folder = '';
  let runs = 0;
  const rigs: Rig[] = [];
  const ends: (() => Promise<void>)[] = [];

  beforeAll(() => {
    folder = fs.mkdtempSync(join(tmpdir(), 'spate-faults-'));
  });
  afterEach(async () => {
    for (const rig of rigs.splice(0)) {
      rig.abort();
      await rig.drain();
    }
    for (const end of ends.splice(0)) await end();
  });
  afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

  /** A running generator that has written some events to brokers of its own, behind the wire. */
  const writing = async (params: JsonObject = {}, more: Partial<RigOptions> = {}) => {
    kafka = await fakeKafka({ partitions: 2, user: USER });
    wire = await faultyWire(kafka.ports[0] ?? 0);
    kafka.advertised = [wire.port];
    ends.push(wire.close, kafka.kill);
    const given: JsonObject = {
      ...{ bootstrap_servers: [`127.0.0.1:${wire.port}`], topic: 'events', acks: -1 },
      ...{ security_protocol: 'SASL_PLAINTEXT', sasl_mechanism: 'PLAIN' },
      ...{ sasl_plain_username: USER.username, sasl_plain_password: USER.password },
      ...params,
    };
    const rig = startRig({
      folder: join(folder, String(++runs)),
      outputs: [(context) => kafkaPlugin.open(paramsOf(given), { ...context } as never)],
      ...more,
    });
    rigs.push(rig);
    await rig.writesOn();
    return rig;
  };

  /** Ends the run: every event is in the topic or the dead letters, and whole. */
  const finish = async (row: string, rig: Rig, delivery: 'once' | 'at least once'): Promise<void> => {
    expect(await rig.drain()).toEqual({ _tag: 'Right', right: 'drained' });
    report(`kafka x ${row}`, rig);
    expectAccounted(rig);
    const numbers = kafka.messages.map(({ value }) => Number.parseInt(value, 10));
    kafka.messages.forEach(({ value }, index) => {
      if (value !== numberedEvent(numbers[index] ?? -1)) throw new Error(`torn: ${value}`);
    });
    const letters = rig.letters();
    expect(letters).toHaveLength(rig.count('dead_lettered'));
    expect(new Set([...numbers, ...letters]).size).toBe(rig.produced());
    expect(rig.count('write_failed')).toBe(0);
    if (delivery === 'at least once') return;
    expect(numbers).toHaveLength(rig.count('written'));
    expect(new Set(numbers).size + new Set(letters).size).toBe(rig.produced());
  };

  const deadLetters = (rig: Rig, more = 1): Promise<void> => {
    const before = rig.count('dead_lettered');
    return rig.until('dead letters', () => rig.count('dead_lettered') >= before + more);
  };

  /** Reason of the last failed write in the log. */
  const reasonIn = (rig: Rig): string =>
    String(rig.lines.filter(({ message }) => message.startsWith('a write failed')).at(-1)?.context['reason']);

  /** Every batch gets this verdict until there are dead letters; then it is taken back. */
  const judged = async (rig: Rig, verdict: Verdict): Promise<void> => {
    kafka.verdict = () => verdict;
    await deadLetters(rig);
    kafka.verdict = () => null;
    await rig.writesOn();
  };

  faultRows('kafka', {
    'unroutable event': unroutableRow('kafka', { max_request_size: 1_000 }, (n, isBad) =>
      isBad ? 'x'.repeat(2_000) : `event ${n}`,
    ),
    'closed on one event': closingRow('kafka'),

    refused: {
      'a broker that is killed twice gets what comes after it is back; what could not wait is in the dead letters':
        async () => {
          const rig = await writing();
          for (let time = 0; time < 2; time++) {
            await kafka.kill();
            await deadLetters(rig);
            expect(reasonIn(rig)).toContain('ECONN');
            await kafka.start();
            await rig.writesOn();
          }
          expect(rig.count('retries')).toBeGreaterThanOrEqual(4);
          await finish('refused', rig, 'at least once');
        },
      'a broker that is killed twice while retries last loses none of 50,000 events': async () => {
        const rig = await writing({}, { attempts: 100 });
        for (let time = 0; time < 2; time++) {
          await rig.writesOn(16_000);
          await kafka.kill();
          const retries = rig.count('retries');
          await rig.until('retries', () => rig.count('retries') > retries + 4);
          await kafka.start();
        }
        await rig.writesOn(20_000);
        await finish('refused (loss)', rig, 'at least once');
        const numbers = kafka.messages.map(({ value }) => Number.parseInt(value, 10));
        process.stderr.write(
          `kafka x refused (loss): ${numbers.length - new Set(numbers).size} duplicates\n`,
        );
        expect(new Set(numbers).size).toBe(rig.produced());
        expect(rig.count('dead_lettered')).toBe(0);
      },
    },
    'reset mid-batch': {
      'connections that break in the middle of each batch leave no torn event': async () => {
        const rig = await writing();
        await wire.set({ kind: 'reset', after_bytes: 10_000 });
        await rig.until('a retry', () => rig.count('retries') > 0);
        // Parts of a batch would pass.
        await wire.set({ kind: 'reset', after_bytes: 100 });
        await deadLetters(rig);
        await wire.set({ kind: 'none' });
        await rig.writesOn();
        await finish('reset mid-batch', rig, 'at least once');
      },
      'with an idempotent producer, replies that are lost now and then make no duplicates': async () => {
        const rig = await writing({ enable_idempotence: true });
        let batches = 0;
        kafka.verdict = () => (++batches % 5 === 0 ? 'broken' : null);
        await rig.writesOn(5_000);
        kafka.verdict = () => null;
        await finish('reset mid-batch (idempotent)', rig, 'once');
        expect(rig.count('dead_lettered')).toBe(0);
      },
    },
    slow: {
      'a slow wire slows the producer down; nothing fails or is retried': async () => {
        const rig = await writing();
        await wire.set({ kind: 'slow', bytes_per_second: 100_000 });
        const { allowed } = rig.account();
        await rig.until('a full queue', () => rig.account().mostInFlight[0] === allowed[0]);
        await rig.writesOn(4_000);
        await wire.set({ kind: 'none' });
        await rig.writesOn();
        await finish('slow', rig, 'once');
        expect([rig.count('retries'), rig.count('dead_lettered')]).toEqual([0, 0]);
      },
    },
    hung: {
      'a frozen broker holds the producer back; attempts end by write_timeout, and the thawed one gets the rest':
        async () => {
          const rig = await writing({}, { write_timeout_ms: 10_000 });
          kafka.freeze();
          await rig.isHeldBack();
          await deadLetters(rig);
          kafka.thaw();
          await rig.writesOn();
          await finish('hung (frozen)', rig, 'at least once');
        },
      'a stop while the broker is frozen accounts for everything': async () => {
        const rig = await writing();
        kafka.freeze();
        await rig.isHeldBack();
        const ended = rig.drain();
        rig.abort();
        expect(await ended).toEqual({ _tag: 'Right', right: 'drained' });
        report('kafka x hung (stopped)', rig);
        expectAccounted(rig);
      },
      'answers that are lost: messages may be there twice, none is missing': async () => {
        const rig = await writing({}, { write_timeout_ms: 10_000, attempts: 2 });
        await wire.set({ kind: 'mute' });
        await rig.isHeldBack();
        await deadLetters(rig);
        await wire.set({ kind: 'none' });
        await rig.writesOn();
        await finish('hung (mute)', rig, 'at least once');
      },
    },
    'server error': {
      'too few replicas in sync: retried, then dead letters, then written': async () => {
        const rig = await writing();
        await judged(rig, { error: 19 });
        expect(reasonIn(rig)).toMatch(/too few replicas.*NOT_ENOUGH_REPLICAS, error 19/);
        expect(rig.count('retries')).toBeGreaterThanOrEqual(4);
        await finish('server error (replicas)', rig, 'once');
      },
      'a topic that is deleted and made again: retried, then dead letters, then written': async () => {
        const rig = await writing();
        kafka.topicError = 3;
        kafka.verdict = () => ({ error: 3 });
        await deadLetters(rig);
        expect(reasonIn(rig)).toMatch(/topic does not exist.*Create it/);
        kafka.topicError = 0;
        kafka.verdict = () => null;
        await rig.writesOn();
        await finish('server error (no topic)', rig, 'once');
      },
      'records that the broker rejects: refused at once, no retries; then written': async () => {
        const rig = await writing();
        await judged(rig, { error: 87, message: 'This record has failed the validation' });
        expect(reasonIn(rig)).toMatch(/rejects a record \(This record has failed.*error 87/);
        await finish('server error (records)', rig, 'once');
        expect(rig.count('retries')).toBe(0);
      },
      'one of two partitions that refuses: its events alone are in the dead letters': async () => {
        const rig = await writing({ partitioner: 'round_robin' });
        kafka.verdict = (partition) => (partition === 1 ? { error: 29 } : null);
        const before = rig.count('written');
        await deadLetters(rig, 2_000);
        expect(rig.count('written')).toBeGreaterThan(before);
        kafka.verdict = () => null;
        await rig.writesOn();
        await finish('server error (a partition)', rig, 'once');
        const letters = rig.letters();
        // Items take turns; each batch starts where the one before ended.
        expect(new Set(letters.map((n) => n % 2)).size).toBe(1);
        expect(rig.count('retries')).toBe(0);
      },
      'one of two partitions that is busy: only its events are tried again': async () => {
        const rig = await writing({ partitioner: 'round_robin' });
        let refusals = 0;
        // Fewer than the attempts of one batch: batches in flight share the refusals.
        kafka.verdict = (partition) => (partition === 1 && ++refusals <= 2 ? { error: 19 } : null);
        await rig.writesOn(5_000);
        kafka.verdict = () => null;
        await finish('server error (busy)', rig, 'once');
        expect(rig.count('retries')).toBeGreaterThan(0);
        expect(rig.count('dead_lettered')).toBe(0);
      },
    },
    'auth error': {
      'a password that is changed on the broker, and changed back': async () => {
        const rig = await writing();
        kafka.user = { ...USER, password: 'another' };
        kafka.cut();
        await deadLetters(rig, 2_000);
        expect(reasonIn(rig)).toMatch(/login failed.*error 58.*`sasl_plain_password`/);
        kafka.user = USER;
        await rig.writesOn();
        await finish('auth error', rig, 'at least once');
      },
    },
    'disk full': {
      'a broker whose disk has failed takes nothing, and goes on when it has a disk': async () => {
        const rig = await writing();
        await judged(rig, { error: 56 });
        expect(reasonIn(rig)).toMatch(/disk.*KAFKA_STORAGE_ERROR.*Check the disks/);
        expect(rig.count('retries')).toBeGreaterThanOrEqual(4);
        await finish('disk full', rig, 'once');
      },
    },
    permission: {
      'a user who may not write to the topic any more': async () => {
        const rig = await writing();
        await judged(rig, { error: 29 });
        expect(reasonIn(rig)).toMatch(/may not write to the topic.*error 29.*right to write/);
        await finish('permission', rig, 'once');
        expect(rig.count('retries')).toBe(0);
      },
    },
  });
});
