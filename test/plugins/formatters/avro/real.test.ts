/** Apache's C library reads containers; librdkafka's brokers carry messages with the ID of a schema. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import avsc from 'avsc';
import { textBatch } from '../../../../src/domain/events/eventBatch.js';
import type { JsonObject } from '../../../../src/domain/json.js';
import { avroPlugin } from '../../../../src/plugins/formatters/avro/plugin.js';
import { execFileSync, hasPrograms, needs, runFile } from '../../../support/programs.js';
import { hasKcat, type MockCluster, NEEDS_KCAT, startMock } from '../../../support/servers/kafka/kcat.js';
import { closeAll, openOutput } from '../../outputs/kafka/support.js';
import { never, newFolder, removeFolders } from '../../outputs/support.js';
import { built } from '../fields/support.js';
import { itemsOf } from './support.js';

const hasAvrocat = hasPrograms('avrocat');
const NEEDS_AVROCAT = needs('avrocat');

const SCHEMA = {
  type: 'record',
  name: 'Visit',
  namespace: 'org.example',
  fields: [
    { name: 'user', type: 'string' },
    { name: 'time', type: { type: 'long', logicalType: 'timestamp-millis' } },
    { name: 'referrer', type: ['null', 'string'], default: null },
    { name: 'sizes', type: { type: 'array', items: 'double' }, default: [] },
    { name: 'headers', type: { type: 'map', values: 'int' }, default: {} },
    { name: 'kind', type: { type: 'enum', name: 'Kind', symbols: ['page', 'file'] }, default: 'page' },
  ],
};

const COUNT = 2_000;
interface Visit {
  readonly user: string;
  readonly time: string;
  readonly referrer?: string;
  readonly sizes?: readonly number[];
  readonly headers?: Readonly<Record<string, number>>;
  readonly kind?: string;
}

const EVENTS: readonly Visit[] = Array.from({ length: COUNT }, (_, n) => ({
  user: `üser ${n}`,
  time: new Date(Date.UTC(2026, 2, 5) + n * 1_000).toISOString(),
  ...(n % 3 === 0 ? { referrer: 'a\nb' } : {}),
  ...(n % 2 === 0 ? { sizes: [n + 0.5, -1.25], headers: { a: n, b: -n - 1 } } : { kind: 'file' }),
}));

afterAll(removeFolders);

(hasAvrocat ? describe : describe.skip)(`containers in Apache's C library ${NEEDS_AVROCAT}`, () => {
  test.each(['null', 'deflate'])('codec %s: every event is a record', async (codec) => {
    const formatter = await built(avroPlugin, { schema: SCHEMA, encoding: 'container', codec });
    const { batch, failures } = formatter.format(textBatch(EVENTS.map((event) => JSON.stringify(event))));
    expect(failures).toEqual([]);
    const file = join(newFolder(), 'visits.avro');
    writeFileSync(file, itemsOf(batch)[0] ?? '');
    const read = execFileSync('avrocat', [file], { encoding: 'utf8', maxBuffer: 10_000_000 });
    expect(
      read
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual(
      EVENTS.map(({ user, time, referrer, sizes = [], headers = {}, kind = 'page' }) => ({
        ...{ user, time: Date.parse(time), sizes, headers, kind },
        referrer: referrer === undefined ? null : { string: referrer },
      })),
    );
  });
});

/**
 * Messages of a topic as bytes: kcat prints the length of each value before it. Not waited for in place: this process
 * reads what the brokers print, and brokers that cannot print stand still.
 */
const consumed = async (servers: readonly string[], topic: string): Promise<ReadonlyMap<string, Buffer>> => {
  const args = ['-C', '-e', '-q', '-b', servers.join(','), '-t', topic, '-f', '%k\\t%S\\t%s'];
  const options = { maxBuffer: 10_000_000, encoding: 'buffer' } as const;
  const { stdout: printed } = await runFile('kcat', args, options);
  const found = new Map<string, Buffer>();
  for (let at = 0; at < printed.length; ) {
    const [key, length] = [printed.indexOf('\t', at), printed.indexOf('\t', printed.indexOf('\t', at) + 1)];
    const size = Number(printed.toString('latin1', key + 1, length));
    found.set(printed.toString('utf8', at, key), printed.subarray(length + 1, length + 1 + size));
    at = length + 1 + size;
  }
  return found;
};

(hasKcat ? describe : describe.skip)(`messages in librdkafka's brokers ${NEEDS_KCAT}`, () => {
  let mock: MockCluster;
  beforeAll(async () => {
    mock = await startMock('visits');
  });
  afterEach(closeAll);
  afterAll(() => mock.end());

  test('each message has the ID of its schema, and its key from the event itself', async () => {
    const params: JsonObject = { schema: SCHEMA, encoding: 'confluent', schema_id: 7 };
    const formatter = await built(avroPlugin, params);
    const { batch } = formatter.format(textBatch(EVENTS.map((event) => JSON.stringify(event))));
    const output = await openOutput(mock, { topic: 'visits', key: '{/user}' });
    expect(await output.write(batch, never)).toMatchObject({ right: { written: COUNT, failed: 0 } });
    const messages = await consumed(mock.servers, 'visits');
    expect(messages.size).toBe(COUNT);
    const type = avsc.Type.forSchema(structuredClone(SCHEMA) as avsc.Schema, { wrapUnions: 'never' });
    for (const { user, time, referrer = null } of EVENTS) {
      const value = messages.get(user) ?? Buffer.alloc(0);
      expect(value.subarray(0, 5).toString('hex')).toBe('0000000007');
      expect(type.fromBuffer(value.subarray(5))).toMatchObject({ user, time: Date.parse(time), referrer });
    }
  });
});
