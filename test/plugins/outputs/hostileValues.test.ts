import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { systemClock } from '../../../src/adapters/systemClock.js';
import { type EventBatch, textBatch } from '../../../src/domain/events/eventBatch.js';
import type { JsonObject } from '../../../src/domain/json.js';
import {
  contextIn,
  decoded,
  type SetUp,
  type TestDestination,
} from '../../../src/plugins/conformance/rule.js';
import type { Output, Written } from '../../../src/plugins/kit.js';
import { registry } from '../../../src/plugins/registry.js';
import { LIMITS, limitBreach } from '../../../src/plugins/shared/text/limits.js';
import { PLUGIN_SPECS } from '../../../src/plugins/specs.js';
import { REAL_SERVERS } from './realServers.js';
import { newFolder, removeFolders } from './support.js';

type OutputKind = keyof typeof PLUGIN_SPECS.output;

const never = new AbortController().signal;

/** Values that an event may have from a log that others write. */
const HOSTILE: Readonly<Record<string, string>> = {
  '5,000 characters': 'x'.repeat(5_000),
  '70,000 characters': 'x'.repeat(70_000),
  '5,000 characters of three bytes': '€'.repeat(5_000),
  'a tab': 'a\tb',
  'line ends': 'a\r\nb: c',
  'a control character': 'a\u0001b',
  'a C1 control character': 'a\u0085b',
  NUL: 'a\u0000b',
  'text that turns around': 'a\u202eb',
  'half of a pair': 'a\ud800b',
  'a non-character': 'a\uffffb',
  'a byte order mark': '\ufeffa',
  nothing: '',
  'upper case and spaces': 'A B*>?#+/..',
  'two dots': '..',
};

/** What a field needs beside the parameters of the destination. */
const BESIDE: Readonly<Record<string, JsonObject>> = {
  'nats.subject': { jetstream: false },
  'opensearch.document_id': { op_type: 'index' },
};

interface TextField {
  readonly name: string;
  readonly isMap: boolean;
}

/** Fields that an output makes from a value of the event: as a text, or as texts by name. */
const textFields = (kind: OutputKind): readonly TextField[] =>
  Object.entries(PLUGIN_SPECS.output[kind].fields).flatMap(([name, { codec }]): readonly TextField[] => {
    // A text with placeholders refuses a brace of none, and takes a pointer; common options of delivery do neither.
    const takes = (value: unknown): boolean => E.isRight(codec.decode(value));
    if (takes('{/v}') && !takes('{') && !takes('{/v}{')) return [{ name, isMap: false }];
    return takes({ x: '{/v}' }) && !takes({ x: '{/v}{' }) ? [{ name, isMap: true }] : [];
  });

const ROWS = (Object.keys(PLUGIN_SPECS.output) as readonly OutputKind[]).flatMap((kind) =>
  textFields(kind).map((field) => {
    const { isThere = true, needs = '' } = REAL_SERVERS[kind] ?? {};
    const title = `${kind}.${field.name}`;
    return { kind, ...field, title, shown: `${title} ${needs}`.trimEnd(), isThere };
  }),
);

const eventOf = (v: string, n: number): string => JSON.stringify({ v, n });

/** Positions of the items that did not arrive, by code; a write that failed as a whole is one of all. */
const missedOf = (result: E.Either<{ readonly code: string }, Written>, count: number) => {
  const all = Array.from({ length: count }, (_, item) => item);
  return E.isLeft(result)
    ? [{ items: all, code: result.left.code }]
    : (result.right.missed ?? []).map(({ items, reason }) => ({ items, code: reason.code }));
};

test('fields made from values of the event are found', () => {
  const found = ROWS.map(({ title }) => title);
  for (const title of [
    'kafka.key',
    'kafka.headers',
    'loki.labels',
    'mqtt.topic',
    'nats.subject',
    'nats.headers',
    'opensearch.index',
    'opensearch.document_id',
    'otlp.attributes',
    'postgresql.columns',
    'redis.key',
    'splunk_hec.index',
    'splunk_hec.host',
  ])
    expect(found).toContain(title);
});

test('each limit names what it is about and where its figure comes from', () => {
  for (const [name, limit] of Object.entries(LIMITS)) {
    expect(Object.keys(PLUGIN_SPECS.output)).toContain(name.split('.')[0]);
    expect(limit.source.length).toBeGreaterThan(5);
    expect(limitBreach(limit, 'x')).toBeNull();
    if (limit.max_bytes > 2 ** 20) continue;
    expect(limitBreach(limit, 'x'.repeat(limit.max_bytes))).toBeNull();
    expect(limitBreach(limit, 'x'.repeat(limit.max_bytes + 1))).toContain(`${limit.max_bytes} bytes`);
    expect(limitBreach(limit, '€'.repeat(Math.ceil((limit.max_bytes + 1) / 3)))).not.toBeNull();
  }
});

describe.each(ROWS)('$shown', ({ kind, name, isMap, title, isThere }) => {
  const here = isThere ? test : test.skip;
  let destination: TestDestination | null = null;
  let output: Output | null = null;

  beforeAll(async () => {
    if (!isThere) return;
    const { destination: start } = (await import(`./${kind}/conformance.js`)) as SetUp;
    const folder = newFolder();
    destination = (await start?.(folder)) ?? null;
    const given = { ...destination?.params, ...BESIDE[title], [name]: isMap ? { x: '{/v}' } : '{/v}' };
    const params = decoded(PLUGIN_SPECS.output[kind], given) as never;
    const plugin = await registry.output(kind);
    const context = contextIn(folder, systemClock);
    const opened = await (destination?.open?.(params, context) ?? plugin.open(params, context));
    if (E.isLeft(opened)) throw new Error(`did not open: ${opened.left.message}`);
    output = opened.right;
  });
  afterAll(async () => {
    await output?.close();
    await destination?.end?.();
    removeFolders();
  });

  const write = (batch: EventBatch): ReturnType<Output['write']> =>
    output?.write(batch, never) ?? Promise.reject(new Error('there is no output'));

  here.each(Object.entries(HOSTILE))(
    '%s: refused alone, or delivered; good events arrive',
    async (_, bad) => {
      const events = [eventOf('main', 1), eventOf(bad, 2), eventOf('main', 3)];
      const missed = missedOf(await write(textBatch(events)), events.length);
      for (const { items, code } of missed) {
        expect(items).toEqual([1]);
        expect(['unroutable', 'rejected']).toContain(code);
      }
      expect(missedOf(await write(textBatch([eventOf('main', 4)])), 1)).toEqual([]);
    },
  );
});
