import { afterEach, describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { textBatch } from '../../../../src/domain/events/eventBatch.js';
import { keyPartition } from '../../../../src/plugins/outputs/kafka/partitioner.js';
import { fakeClock } from '../../../support/clocks/fakeClock.js';
import { faultyWire } from '../../../support/faults/faultyWire.js';
import type { FakeKafka, Verdict } from '../../../support/servers/kafka/fakeKafka.js';
import { never, numbered } from '../support.js';
import { closeAll, newKafka, onClose, openOutput, PRODUCE, tryOpen, valuesIn } from './support.js';

afterEach(closeAll);

const produced = ({ seen }: FakeKafka) => seen.filter(({ api }) => api === PRODUCE);
const sorted = (values: readonly string[]): readonly string[] => [...values].sort();

/** Gives these verdicts to the next batches of a partition, then none. */
const once = (kafka: FakeKafka, partition: number, ...verdicts: readonly Verdict[]): void => {
  const left = [...verdicts];
  kafka.verdict = (asked) => (asked === partition ? (left.shift() ?? null) : null);
};

describe('a write', () => {
  test('sends each event to the leader of its partition and counts bytes', async () => {
    const kafka = await newKafka({ brokers: 3, partitions: 6 });
    const output = await openOutput(kafka, { acks: -1, partitioner: 'round_robin', client_id: 'lab 7' });
    const events = numbered(600);
    const result = await output.write(textBatch(events), never);
    expect(result).toMatchObject({ right: { written: 600, failed: 0 } });
    expect(E.isRight(result) && result.right.bytes).toBeGreaterThan(events.join('').length);
    expect(kafka.messages).toHaveLength(600);
    for (let partition = 0; partition < 6; partition++) {
      expect(valuesIn(kafka, partition)).toEqual(events.filter((_, index) => index % 6 === partition));
    }
    expect(new Set(produced(kafka).map(({ node }) => node))).toEqual(new Set([1, 2, 3]));
    for (const { acks, client_id, version } of produced(kafka)) {
      expect({ acks, client_id, version }).toEqual({ acks: -1, client_id: 'lab 7', version: 8 });
    }
  });

  test('of no events sends nothing; empty and large events arrive whole', async () => {
    const kafka = await newKafka();
    const output = await openOutput(kafka);
    expect(await output.write(textBatch([]), never)).toEqual(E.right({ written: 0, failed: 0, bytes: 0 }));
    expect(produced(kafka)).toEqual([]);
    const events = ['', 'zwö', 'x'.repeat(300_000), ''];
    expect(await output.write(textBatch(events), never)).toMatchObject({ right: { written: 4 } });
    expect(valuesIn(kafka, 0)).toEqual(events);
  });

  test('is split by max_batch_size and max_request_size', async () => {
    const kafka = await newKafka({ partitions: 4 });
    const output = await openOutput(kafka, {
      partitioner: 'round_robin',
      max_batch_size: 2_000,
      max_request_size: 4_500,
    });
    await output.write(textBatch(numbered(400, 100)), never);
    expect(kafka.messages).toHaveLength(400);
    for (const { messages } of kafka.batches) expect(messages.length).toBeLessThanOrEqual(19);
    for (const { bytes } of produced(kafka)) expect(bytes).toBeLessThan(4_900);
    expect(produced(kafka).length).toBeGreaterThanOrEqual(10);
  });

  test('rejects an event above max_request_size alone', async () => {
    const kafka = await newKafka();
    const output = await openOutput(kafka, { max_request_size: 1_000 });
    const result = await output.write(textBatch(['a', 'x'.repeat(2_000), 'b']), never);
    expect(result).toMatchObject({
      right: {
        written: 2,
        failed: 0,
        missed: [
          {
            items: [1],
            reason: { code: 'unroutable', message: expect.stringMatching(/2\d{3} bytes.*max_request_size/) },
          },
        ],
      },
    });
    expect(valuesIn(kafka, 0)).toEqual(['a', 'b']);
  });

  test('with gzip is smaller and the same', async () => {
    const kafka = await newKafka();
    const output = await openOutput(kafka, { compression_type: 'gzip', max_batch_size: 100_000 });
    const result = await output.write(textBatch(numbered(1_000)), never);
    expect(E.isRight(result) && result.right.bytes).toBeLessThan(20_000);
    expect(valuesIn(kafka, 0)).toEqual(numbered(1_000));
  });

  test('with acks 0 ends without a reply', async () => {
    const kafka = await newKafka();
    const output = await openOutput(kafka, { acks: 0 });
    expect(await output.write(textBatch(['a', 'b']), never)).toMatchObject({ right: { written: 2 } });
    expect(await output.write(textBatch(['c']), never)).toMatchObject({ right: { written: 1 } });
    while (kafka.messages.length < 3) await new Promise((resolve) => setTimeout(resolve, 1));
    expect(produced(kafka).map(({ acks }) => acks)).toEqual([0, 0]);
  });

  test('to an older broker speaks older versions', async () => {
    const versions = { 0: [0, 3], 3: [0, 1], 18: [0, 0], 22: [0, 0] } as const;
    const kafka = await newKafka({ versions });
    const output = await openOutput(kafka, { acks: -1, enable_idempotence: true });
    expect(await output.write(textBatch(['a']), never)).toMatchObject({ right: { written: 1 } });
    expect(kafka.seen.map(({ api, version }) => `${api}.${version}`)).toEqual(['18.0', '3.1', '22.0', '0.3']);
    const ancient = await newKafka({ versions: { 0: [0, 2], 3: [0, 1], 18: [0, 0] } });
    const { result } = await tryOpen({ bootstrap_servers: ancient.servers });
    expect(result).toMatchObject({ left: { message: expect.stringContaining('older than Kafka 0.11') } });
  });
});

describe('keys, headers and encodings', () => {
  const EVENTS = ['{"u":{"id":"ann"},"n":1}', '{"u":{"id":7},"n":{"a":[2]}}', '{"n":null}', 'no JSON'];

  test('come from the event and from constants; the key chooses the partition; what is missing is left out', async () => {
    const kafka = await newKafka({ partitions: 5 });
    const output = await openOutput(kafka, {
      key: '{/u/id}',
      headers: { source: 'spate', n: '{/n}' },
    });
    expect(await output.write(textBatch(EVENTS), never)).toMatchObject({ right: { written: 4 } });
    const byValue = new Map(kafka.messages.map((message) => [message.value, message]));
    const keys = ['ann', '7', null, null];
    const numbers = ['1', '{"a":[2]}', null, null];
    EVENTS.forEach((event, index) => {
      const key = keys[index] ?? null;
      const number = numbers[index] ?? null;
      const message = byValue.get(event);
      expect(message?.key).toBe(key);
      if (key !== null) expect(message?.partition).toBe(keyPartition(Buffer.from(key), 5));
      expect(message?.headers).toEqual({ source: 'spate', ...(number === null ? {} : { n: number }) });
    });
  });

  test.each([
    ['sticky', 2, [50, 50]],
    ['hash', 2, [50, 50]],
    ['round_robin', 4, [25, 25, 25, 25]],
  ])('without a key, %s uses %i partitions', async (partitioner, count, sizes) => {
    const kafka = await newKafka({ partitions: 4 });
    const output = await openOutput(kafka, { partitioner, max_batch_size: 50 * 60 });
    await output.write(textBatch(numbered(50, 50)), never);
    await output.write(textBatch(numbered(50, 50)), never);
    const found = [0, 1, 2, 3]
      .map((partition) => valuesIn(kafka, partition).length)
      .filter((size) => size > 0);
    expect(found).toHaveLength(count);
    if (partitioner === 'round_robin') expect(found).toEqual(sizes);
    expect(found.reduce((a, b) => a + b)).toBe(100);
  });

  test('a fixed partition gets everything; one that does not exist fails the opening', async () => {
    const kafka = await newKafka({ partitions: 3 });
    const output = await openOutput(kafka, { partitioner: 'fixed', partition: 2 });
    await output.write(textBatch(['a', 'b']), never);
    expect(valuesIn(kafka, 2)).toEqual(['a', 'b']);
    const wrong = { bootstrap_servers: kafka.servers, partitioner: 'fixed', partition: 3 };
    expect((await tryOpen(wrong)).result).toMatchObject({
      left: { code: 'plugin_failed', message: expect.stringMatching(/3 partitions.*Correct `partition`/) },
    });
  });

  test('a partition without a leader gets no events without a key', async () => {
    const kafka = await newKafka({ partitions: 3 });
    kafka.leaders = [1, -1, 1];
    const output = await openOutput(kafka, { partitioner: 'round_robin' });
    expect(await output.write(textBatch(numbered(10)), never)).toMatchObject({ right: { written: 10 } });
    expect([0, 1, 2].map((partition) => valuesIn(kafka, partition).length)).toEqual([5, 0, 5]);
  });

  test('an event that the encoding cannot spell is counted and logged, the others arrive in it', async () => {
    const kafka = await newKafka();
    const params = {
      bootstrap_servers: kafka.servers,
      encoding: 'ascii',
      key: '{/k}',
      retry_backoff_ms: 0,
    };
    const { result, lines } = await tryOpen(params);
    if (E.isLeft(result)) throw new Error(result.left.message);
    const events = ['{"k":"a"}', 'é', '{"k":"\\u00e9"}', 'd'];
    expect(await result.right.write(textBatch(events), never)).toMatchObject({
      right: { written: 2, failed: 2 },
    });
    expect(kafka.messages).toMatchObject([{ key: 'a' }, { key: null, value: 'd' }]);
    expect(lines.filter(({ level }) => level === 'error')).toHaveLength(2);
    once(kafka, 0, { error: 19 });
    expect(await result.right.write(textBatch(['é', 'b', 'c']), never)).toMatchObject({
      right: { written: 0, failed: 1, missed: [{ items: [1, 2], reason: { code: 'output_failed' } }] },
    });
  });

  test.each([
    [{ encoding: 'klingon' }, /klingon is unknown/],
    [{ encoding: 'ascii', key: 'é' }, /cannot spell `key`/],
  ])('%j fails the opening', async (params, message) => {
    const { result } = await tryOpen({ bootstrap_servers: ['127.0.0.1:1'], ...params });
    expect(result).toMatchObject({
      left: { code: 'plugin_failed', message: expect.stringMatching(message) },
    });
  });

  test('zstd needs a Node that has it; linger_ms warns', async () => {
    const kafka = await newKafka();
    const bootstrap_servers = kafka.servers;
    const { result } = await tryOpen({ bootstrap_servers, compression_type: 'zstd' });
    const hasZstd = 'zstdCompress' in (await import('node:zlib'));
    expect(E.isLeft(result) ? result.left.message : 'opened').toMatch(
      hasZstd ? /^opened$/ : /Node.js 22\.15.*gzip/,
    );
    expect((await tryOpen({ bootstrap_servers, linger_ms: 5 })).lines).toMatchObject([
      { level: 'warning', message: expect.stringContaining('batch.delay') },
    ]);
  });
});

describe('a partition that fails', () => {
  const open = (kafka: FakeKafka, more = {}) =>
    openOutput(kafka, { partitioner: 'round_robin', acks: -1, retry_backoff_ms: 1, ...more });
  const odd = [1, 3, 5, 7, 9];

  test.each([
    [29, 'rejected', /may not write.*error 29.*right to write/],
    [19, 'output_failed', /too few replicas.*error 19/],
    [10, 'rejected', /too large.*error 10.*`max_batch_size`/],
    [999, 'output_failed', /error 999/],
  ])('with error %i gives %s for its events alone', async (error, code, message) => {
    const kafka = await newKafka({ brokers: 2, partitions: 2 });
    kafka.verdict = (partition) => (partition === 1 ? { error } : null);
    const output = await open(kafka);
    const missed = { reason: { code, message: expect.stringMatching(message) }, items: odd };
    expect(await output.write(textBatch(numbered(10)), never)).toMatchObject({
      right: { written: 5, failed: 0, missed: [missed] },
    });
    expect(valuesIn(kafka, 0)).toEqual(numbered(10).filter((_, index) => index % 2 === 0));
    kafka.verdict = () => null;
    expect(await output.write(textBatch(numbered(10)), never)).toMatchObject({ right: { written: 10 } });
  });

  test('because of single records: these are rejected, their neighbors may be tried again', async () => {
    const kafka = await newKafka();
    once(kafka, 0, { error: 87, records: [1, 3] });
    const output = await open(kafka);
    expect(await output.write(textBatch(numbered(5)), never)).toMatchObject({
      right: {
        written: 0,
        missed: [
          { items: [0, 2, 4], reason: { code: 'output_failed' } },
          { items: [1, 3], reason: { code: 'rejected', message: expect.stringContaining('not valid') } },
        ],
      },
    });
  });

  test('with a batch that is too large gets smaller ones', async () => {
    const kafka = await newKafka();
    kafka.verdict = (_, { messages }) => (messages.length > 10 ? { error: 10 } : null);
    const output = await open(kafka);
    expect(await output.write(textBatch(numbered(100)), never)).toMatchObject({ right: { written: 100 } });
    expect(valuesIn(kafka, 0)).toEqual(numbered(100));
  });

  test('because its leader moved is found in the new metadata, within the write', async () => {
    const kafka = await newKafka({ brokers: 3, partitions: 3 });
    const output = await open(kafka);
    kafka.leaders = [2, 3, 1];
    expect(await output.write(textBatch(numbered(9)), never)).toMatchObject({ right: { written: 9 } });
    expect(sorted(kafka.messages.map(({ value }) => value))).toEqual(numbered(9));
  });

  test('for good leaves the write after three tries', async () => {
    const kafka = await newKafka();
    kafka.verdict = () => ({ error: 56 });
    const output = await open(kafka);
    expect(await output.write(textBatch(['a']), never)).toMatchObject({
      left: {
        code: 'output_failed',
        message: expect.stringMatching(/disk.*KAFKA_STORAGE_ERROR.*disks of the broker/),
      },
    });
    expect(produced(kafka)).toHaveLength(3);
  });

  test('on one broker that is gone: the others go on', async () => {
    const kafka = await newKafka({ brokers: 2, partitions: 2 });
    kafka.advertised = [kafka.ports[0] ?? 0, 1];
    const output = await open(kafka);
    expect(await output.write(textBatch(numbered(10)), never)).toMatchObject({
      right: {
        written: 5,
        missed: [{ items: odd, reason: { message: expect.stringContaining('ECONNREFUSED') } }],
      },
    });
  });
});

describe('an idempotent producer', () => {
  const open = (kafka: FakeKafka, more = {}) =>
    openOutput(kafka, { enable_idempotence: true, acks: -1, retry_backoff_ms: 1, ...more });

  test('numbers its batches, one write after the other', async () => {
    const kafka = await newKafka({ partitions: 2 });
    const output = await open(kafka, { partitioner: 'round_robin', max_batch_size: 1_000 });
    const writes = [0, 1, 2, 3].map(() =>
      output.write(textBatch(numbered(50)), new AbortController().signal),
    );
    for (const result of await Promise.all(writes)) expect(result).toMatchObject({ right: { written: 50 } });
    expect(kafka.messages).toHaveLength(200);
    expect(new Set(kafka.batches.map(({ producer_id }) => producer_id)).size).toBe(1);
  });

  test.each<[Verdict]>([['broken'], [{ error: 7 }], [{ error: 20 }]])(
    'sends the same batch again when it may be in the log (%j): no duplicate',
    async (verdict) => {
      const kafka = await newKafka();
      const output = await open(kafka);
      const events = [numbered(20), numbered(20, 70), numbered(20, 80)];
      for (const batch of events) {
        once(kafka, 0, verdict);
        expect(await output.write(textBatch(batch), never)).toMatchObject({ right: { written: 20 } });
      }
      expect(valuesIn(kafka, 0)).toEqual(events.flat());
    },
  );

  test('that gave up takes a new id: later events are not mistaken for the earlier ones', async () => {
    const kafka = await newKafka();
    const output = await open(kafka);
    once(kafka, 0, 'broken', 'broken', 'broken');
    expect(await output.write(textBatch(['a', 'b']), never)).toMatchObject({
      left: { code: 'output_failed' },
    });
    expect(await output.write(textBatch(['c', 'd']), never)).toMatchObject({ right: { written: 2 } });
    expect(valuesIn(kafka, 0)).toEqual(['a', 'b', 'c', 'd']);
    expect(new Set(kafka.batches.map(({ producer_id }) => producer_id)).size).toBe(2);
  });

  test.each([45, 59])('that the broker does not follow (%i) starts anew', async (error) => {
    const kafka = await newKafka();
    const output = await open(kafka);
    await output.write(textBatch(['a']), never);
    once(kafka, 0, { error });
    expect(await output.write(textBatch(['b']), never)).toMatchObject({ right: { written: 1 } });
    expect(valuesIn(kafka, 0)).toEqual(['a', 'b']);
  });

  test('without idempotence, a broken connection is left to the retry of the generator', async () => {
    const kafka = await newKafka();
    const output = await openOutput(kafka, { acks: -1, retry_backoff_ms: 1 });
    once(kafka, 0, 'broken');
    expect(await output.write(textBatch(['a']), never)).toMatchObject({ left: { code: 'output_failed' } });
    expect(await output.write(textBatch(['a']), never)).toMatchObject({ right: { written: 1 } });
    expect(valuesIn(kafka, 0)).toEqual(['a', 'a']);
  });
});

describe('opening', () => {
  test.each([
    [
      'the broker is down',
      { bootstrap_servers: ['127.0.0.1:1'] },
      /refused.*ECONNREFUSED.*`bootstrap_servers`/,
    ],
    ['the name is unknown', { bootstrap_servers: ['no-such-host.invalid:9092'] }, /`bootstrap_servers`/],
  ])('fails when %s', async (_, params, message) => {
    const { result } = await tryOpen(params);
    expect(result).toMatchObject({
      left: { code: 'output_failed', message: expect.stringMatching(message) },
    });
  });

  test('asks the next server when the first is down', async () => {
    const kafka = await newKafka();
    await openOutput({ servers: ['127.0.0.1:1', ...kafka.servers] });
  });

  test('waits for a topic that is being created, not for one that stays away', async () => {
    const kafka = await newKafka();
    kafka.topicError = 3;
    setTimeout(() => {
      kafka.topicError = 5;
    }, 60);
    setTimeout(() => {
      kafka.topicError = 0;
    }, 120);
    await openOutput(kafka, { retry_backoff_ms: 10 });
    kafka.topicError = 3;
    const { result } = await tryOpen({ bootstrap_servers: kafka.servers, retry_backoff_ms: 0 });
    expect(result).toMatchObject({
      left: { message: expect.stringMatching(/topic does not exist.*Create it/) },
    });
  });

  test('a server that is none of Kafka is found', async () => {
    const kafka = await newKafka({ versions: { 18: [0, 0] } });
    const wire = await faultyWire(kafka.ports[0] ?? 0);
    onClose(wire.close);
    await wire.set({ kind: 'answer', status: 400, body: 'no' });
    const clock = fakeClock();
    const opening = tryOpen(
      { bootstrap_servers: [`127.0.0.1:${wire.port}`], request_timeout_ms: 500 },
      { clock },
    );
    // The wire waits for a whole HTTP request that never comes.
    while ((await Promise.race([opening, clock.advanceMs(100).then(() => null)])) === null);
    expect((await opening).result).toMatchObject({
      left: { message: expect.stringContaining('request_timeout_ms (500 ms)') },
    });
  });
});

describe('a broker that hangs', () => {
  const hung = async (more = {}) => {
    const kafka = await newKafka();
    const clock = fakeClock();
    const output = await openOutput(kafka, { acks: -1, request_timeout_ms: 700, ...more }, { clock });
    expect(await output.write(textBatch(['a']), never)).toMatchObject({ right: { written: 1 } });
    return { kafka, clock, output };
  };

  test('is given up after request_timeout_ms; the next write connects again', async () => {
    const { kafka, clock, output } = await hung();
    kafka.freeze();
    const write = output.write(textBatch(['b']), never);
    await new Promise((resolve) => setTimeout(resolve, 20));
    await clock.advanceMs(700);
    expect(await write).toMatchObject({
      left: { code: 'output_failed', message: expect.stringMatching(/request_timeout_ms \(700 ms\).*raise/) },
    });
    kafka.thaw();
    expect(await output.write(textBatch(['c']), never)).toMatchObject({ right: { written: 1 } });
  });

  test.each([{}, { enable_idempotence: true }])(
    'is left when the signal ends (%j), and used again later',
    async (more) => {
      const { kafka, output } = await hung(more);
      const ending = new AbortController();
      kafka.freeze();
      const write = output.write(textBatch(['b']), ending.signal);
      await new Promise((resolve) => setTimeout(resolve, 20));
      ending.abort();
      expect(await write).toMatchObject({
        left: { code: 'output_failed', message: expect.stringContaining('ended') },
      });
      expect(await output.write(textBatch(['x']), ending.signal)).toMatchObject({
        left: { code: 'output_failed' },
      });
      kafka.thaw();
      expect(await output.write(textBatch(['c']), never)).toMatchObject({ right: { written: 1 } });
      expect(valuesIn(kafka, 0)).not.toContain('x');
    },
  );

  test('does not keep the output from closing', async () => {
    const { kafka, output } = await hung();
    kafka.freeze();
    const write = output.write(textBatch(['b']), never);
    await new Promise((resolve) => setTimeout(resolve, 20));
    for (let time = 0; time < 2; time++) expect(await output.close()).toEqual(E.right(undefined));
    expect(await write).toMatchObject({ left: { code: 'output_failed' } });
    expect(await output.write(textBatch(['c']), never)).toMatchObject({
      left: { message: expect.stringContaining('closed') },
    });
  });
});

describe('connections', () => {
  test('are used again, one to each broker', async () => {
    const kafka = await newKafka({ brokers: 2, partitions: 4 });
    const output = await openOutput(kafka, { partitioner: 'round_robin' });
    for (let write = 0; write < 5; write++) await output.write(textBatch(numbered(8)), never);
    expect(kafka.connections()).toBe(2);
  });

  test('that are idle too long are replaced; 0 keeps them; metadata is read again by age', async () => {
    for (const [idle_ms, logins, reads] of [
      [1_000, 2, 1],
      [0, 1, 1],
    ] as const) {
      const kafka = await newKafka();
      const clock = fakeClock();
      const params = { connections_max_idle_ms: idle_ms, metadata_max_age_ms: 5_000 };
      const output = await openOutput(kafka, params, { clock });
      await output.write(textBatch(['a']), never);
      await clock.advanceMs(1_500);
      await output.write(textBatch(['b']), never);
      const count = (api: number): number => kafka.seen.filter((seen) => seen.api === api).length;
      expect([count(18), count(3)]).toEqual([logins, reads]);
      await clock.advanceMs(5_000);
      await output.write(textBatch(['c']), never);
      expect(count(3)).toBe(reads + 1);
      expect(valuesIn(kafka, 0)).toEqual(['a', 'b', 'c']);
    }
  });

  test('that the broker closed cost no event', async () => {
    const kafka = await newKafka();
    const output = await openOutput(kafka, { retry_backoff_ms: 1 });
    await output.write(textBatch(['a']), never);
    kafka.cut();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await output.write(textBatch(['b']), never)).toMatchObject({ right: { written: 1 } });
  });
});
