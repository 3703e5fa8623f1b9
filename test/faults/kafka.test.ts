/** The brokers are the tests' own (`fakeKafka.ts` says why and how true they are); `real.test.ts` uses librdkafka's. */
import { afterEach, describe, expect } from '@jest/globals';
import type { JsonObject } from '../../src/domain/json.js';
import { kafkaPlugin } from '../../src/plugins/outputs/kafka/plugin.js';
import { paramsOf } from '../plugins/outputs/kafka/support.js';
import { type FaultyWire, faultyWire } from '../support/faults/faultyWire.js';
import { type FakeKafka, fakeKafka, type Verdict } from '../support/servers/kafka/fakeKafka.js';
import { closingRow, unroutableRow } from './oneBadEvent.js';
import { deadLetters, finish, type Peer, type Run, startedRigs } from './peer.js';
import {
  frozenRow,
  killedRow,
  killedTwiceRow,
  muteRow,
  type Refusal,
  refusalRow,
  resetRow,
  slowRow,
} from './peerRows.js';
import { faultRows, type Row } from './rows.js';

const USER = { username: 'writer', password: 'right' };

describe('Kafka under faults', () => {
  let kafka: FakeKafka;
  let wire: FaultyWire;
  const start = startedRigs();
  const ends: (() => Promise<void>)[] = [];

  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });

  /** Each run has brokers of its own. */
  const peer: Peer = {
    output: 'kafka',
    wire: () => wire,
    server: () => kafka,
    writing: async (more, params = {}) => {
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
      const open = (context: object) => kafkaPlugin.open(paramsOf(given), { ...context } as never);
      return { rig: await start(open, more) };
    },
    arrived: () => kafka.messages.map(({ value }) => value),
    traits: { kills: 2 },
  };

  /** Every batch gets this verdict for a while. */
  const judgedRow = (
    title: string,
    verdict: Verdict,
    refusal: Pick<Refusal<Run>, 'row' | 'reason' | 'retries'>,
  ): Row =>
    refusalRow(peer, title, {
      refuse: () => {
        kafka.verdict = () => verdict;
      },
      accept: () => {
        kafka.verdict = () => null;
      },
      delivery: 'once',
      ...refusal,
    });

  faultRows('kafka', {
    'unroutable event': unroutableRow('kafka', { max_request_size: 1_000 }, (n, isBad) =>
      isBad ? 'x'.repeat(2_000) : `event ${n}`,
    ),
    'closed on one event': closingRow('kafka'),

    refused: { ...killedRow(peer), ...killedTwiceRow(peer) },
    'reset mid-batch': {
      ...resetRow(peer),
      'with an idempotent producer, replies that are lost now and then make no duplicates': async () => {
        const run = await peer.writing({}, { enable_idempotence: true });
        let batches = 0;
        kafka.verdict = () => (++batches % 5 === 0 ? 'broken' : null);
        await run.rig.writesOn(5_000);
        kafka.verdict = () => null;
        await finish(peer, 'reset mid-batch (idempotent)', run, 'once');
        expect(run.rig.count('dead_lettered')).toBe(0);
      },
    },
    slow: slowRow(peer),
    hung: { ...frozenRow(peer), ...muteRow(peer) },
    'server error': {
      ...judgedRow(
        'too few replicas in sync: retried, then dead letters, then written',
        { error: 19 },
        {
          row: 'server error (replicas)',
          reason: /too few replicas.*NOT_ENOUGH_REPLICAS, error 19/,
          retries: 'some',
        },
      ),
      ...refusalRow(
        peer,
        'a topic that is deleted and made again: retried, then dead letters, then written',
        {
          row: 'server error (no topic)',
          refuse: () => {
            kafka.topicError = 3;
            kafka.verdict = () => ({ error: 3 });
          },
          accept: () => {
            kafka.topicError = 0;
            kafka.verdict = () => null;
          },
          reason: /topic does not exist.*Create it/,
          retries: 'some',
          delivery: 'once',
        },
      ),
      ...judgedRow(
        'records that the broker rejects: refused at once, no retries; then written',
        { error: 87, message: 'This record has failed the validation' },
        {
          row: 'server error (records)',
          reason: /rejects a record \(This record has failed.*error 87/,
          retries: 'none',
        },
      ),
      'one of two partitions that refuses: its events alone are in the dead letters': async () => {
        const run = await peer.writing({}, { partitioner: 'round_robin' });
        const { rig } = run;
        kafka.verdict = (partition) => (partition === 1 ? { error: 29 } : null);
        const before = rig.count('written');
        await deadLetters(rig, 2_000);
        expect(rig.count('written')).toBeGreaterThan(before);
        kafka.verdict = () => null;
        await rig.writesOn();
        await finish(peer, 'server error (a partition)', run, 'once');
        // Items take turns; each batch starts where the one before ended.
        expect(new Set(rig.letters().map((n) => n % 2)).size).toBe(1);
        expect(rig.count('retries')).toBe(0);
      },
      'one of two partitions that is busy: only its events are tried again': async () => {
        const run = await peer.writing({}, { partitioner: 'round_robin' });
        const { rig } = run;
        let refusals = 0;
        // Fewer than the attempts of one batch: batches in flight share the refusals.
        kafka.verdict = (partition) => (partition === 1 && ++refusals <= 2 ? { error: 19 } : null);
        await rig.writesOn(5_000);
        kafka.verdict = () => null;
        await finish(peer, 'server error (busy)', run, 'once');
        expect(rig.count('retries')).toBeGreaterThan(0);
        expect(rig.count('dead_lettered')).toBe(0);
      },
    },
    'auth error': refusalRow(peer, 'a password that is changed on the broker, and changed back', {
      row: 'auth error',
      refuse: () => {
        kafka.user = { ...USER, password: 'another' };
        kafka.cut();
      },
      accept: () => {
        kafka.user = USER;
      },
      reason: /login failed.*error 58.*`sasl_plain_password`/,
      delivery: 'at least once',
      letters: 2_000,
    }),
    'disk full': judgedRow(
      'a broker whose disk has failed takes nothing, and goes on when it has a disk',
      { error: 56 },
      { row: 'disk full', reason: /disk.*KAFKA_STORAGE_ERROR.*Check the disks/, retries: 'some' },
    ),
    permission: judgedRow(
      'a user who may not write to the topic any more',
      { error: 29 },
      { row: 'permission', reason: /may not write to the topic.*error 29.*right to write/, retries: 'none' },
    ),
  });
});
