/** librdkafka's mock brokers take the messages, and its consumer, which checks every CRC, gives them back. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { textBatch } from '../../../../src/domain/events/eventBatch.js';
import type { JsonObject } from '../../../../src/domain/json.js';
import { keyPartition } from '../../../../src/plugins/outputs/kafka/partitioner.js';
import { hasKcat, type MockCluster, NEEDS_KCAT, startMock } from '../../../support/servers/kafka/kcat.js';
import { never } from '../support.js';
import { closeAll, openOutput, tryOpen } from './support.js';

const COUNT = 10_000;
/** Partitions of a topic of the mock brokers. */
const PARTITIONS = 4;

afterEach(closeAll);

(hasKcat ? describe : describe.skip)(`delivery to librdkafka's brokers ${NEEDS_KCAT}`, () => {
  let mock: MockCluster;
  let runs = 0;

  beforeAll(async () => {
    mock = await startMock('events');
  });
  afterAll(() => mock.end());

  /** Writes events, and returns what the consumer printed of them. */
  const delivered = async (events: readonly string[], params: JsonObject) => {
    const output = await openOutput(mock, params);
    const before = mock.messages.length;
    expect(await output.write(textBatch(events), never)).toMatchObject({
      right: { written: events.length, failed: 0 },
    });
    await mock.consumed(before + events.length);
    return mock.messages.slice(before);
  };
  const numbered = (): readonly string[] => {
    const run = ++runs;
    return Array.from({ length: COUNT }, (_, n) => `té ${run} ${n}`);
  };

  test.each<[JsonObject]>([
    [{ acks: -1 }],
    [{ acks: 1, max_batch_size: 1_000_000, partitioner: 'round_robin' }],
    [{ acks: 0 }],
    [{ acks: -1, compression_type: 'gzip', max_batch_size: 100_000 }],
    [{ acks: -1, enable_idempotence: true }],
  ])('ten thousand events with %j are ten thousand messages, each as it was sent', async (params) => {
    const events = numbered();
    const before = Date.now();
    const messages = await delivered(events, params);
    expect(messages.map(({ value }) => value).sort()).toEqual([...events].sort());
    for (const { timestamp_ms } of messages) expect(timestamp_ms).toBeGreaterThanOrEqual(before - 1_000);
    for (let wanted = 0; wanted < PARTITIONS; wanted++) {
      const order = messages.flatMap(({ partition, value }) =>
        partition === wanted ? [Number(value.split(' ').at(-1))] : [],
      );
      expect(order).toEqual([...order].sort((a, b) => a - b));
    }
  });

  test('the example of the README: keys from the event, headers, gzip, no duplicates', async () => {
    const page = readFileSync(
      join(import.meta.dirname, '../../../../src/plugins/outputs/kafka/README.md'),
      'utf8',
    );
    const blocks = [...page.matchAll(/```yaml\n(.*?)```/gs)].map(([, block]) => block ?? '');
    const example = blocks.find((block) => block.includes('key:')) ?? '';
    const [{ kafka: params }] = (parse(example) as { output: [{ kafka: JsonObject }] }).output;
    const events = Array.from({ length: 100 }, (_, n) =>
      JSON.stringify({ n, user: { id: `user ${n % 7}` } }),
    );
    const messages = await delivered(events, { ...params, bootstrap_servers: [...mock.servers] });
    for (const { key, partition, headers, value } of messages) {
      expect(key).toBe((JSON.parse(value) as { user: { id: string } }).user.id);
      expect(partition).toBe(keyPartition(Buffer.from(key), PARTITIONS));
      expect(headers).toMatch(/^source=[^,]*$/);
    }
  });

  test('a frozen cluster: the write ends with its signal, and the same output goes on when it thaws', async () => {
    const output = await openOutput(mock, { acks: -1 });
    const before = mock.messages.length;
    const ending = new AbortController();
    mock.freeze();
    const write = output.write(textBatch(['frozen']), ending.signal);
    setTimeout(() => ending.abort(), 50);
    expect(await write).toMatchObject({ left: { code: 'output_failed' } });
    mock.thaw();
    expect(await output.write(textBatch(['thawed']), never)).toMatchObject({ right: { written: 1 } });
    await mock.consumed(before + 1);
    while (!mock.messages.some(({ value }) => value === 'thawed')) await new Promise((r) => setTimeout(r, 5));
  });

  test('a cluster that is gone fails the write with the address', async () => {
    const gone = await startMock('events');
    const output = await openOutput(gone, { retry_backoff_ms: 1 });
    expect(await output.write(textBatch(['a']), never)).toMatchObject({ right: { written: 1 } });
    await gone.end();
    expect(await output.write(textBatch(['b']), never)).toMatchObject({
      left: { code: 'output_failed', message: expect.stringMatching(/127\.0\.0\.1:\d+.*(ECONN|EPIPE)/) },
    });
    const { result } = await tryOpen({ bootstrap_servers: [...gone.servers] });
    expect(result).toMatchObject({
      left: { message: expect.stringMatching(/ECONNREFUSED.*`bootstrap_servers`/) },
    });
  });
});
