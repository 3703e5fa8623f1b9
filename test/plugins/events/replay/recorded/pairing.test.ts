import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import type { StreamPosition } from '../../../../../src/domain/checkpoint.js';
import { listInput } from '../../../../support/pipelines/pipelineParts.js';
import { directory, inputOf, isoAt, recording, START } from '../../../inputs/recorded/support.js';
import { eventsOf, follow, producerOf, run } from './support.js';

const SECOND = 1_000_000;
const START_ISO = START;

const logAt = (times: readonly number[], name = ''): string =>
  times.map((at, i) => `${isoAt(at)} ${name}${i}\n`).join('');

describe('a record and its timestamp', () => {
  test('stay together: each event has the new time in the shape of the old one', async () => {
    const folder = recording({
      'a.log': [
        '2020-05-05T10:00:00Z a',
        '2020-05-05T10:00:02.250Z b',
        '2020-05-05T12:00:02.5000+02:00 c',
        'none',
      ].join('\n'),
    });
    const input = await inputOf({ path: `${folder}/a.log`, speed: 2 });
    const { producer, lines } = await producerOf({});
    follow(producer, input);
    expect((await eventsOf(input, producer)).events).toEqual([
      '2026-03-01T12:00:00Z a',
      '2026-03-01T12:00:01.125Z b',
      '2026-03-01T12:00:01.2500+00:00 c',
      'none',
    ]);
    expect(lines).toEqual([]);
  });

  test.each([
    ['%d/%b/%Y:%H:%M:%S %z', '05/May/2020:10:00:00 +0000', '01/Mar/2026:13:00:00 +0100'],
    ['%Y-%m-%d %H:%M:%S,%f', '2020-05-05 10:00:00,123', '2026-03-01 13:00:00,000'],
    ['%s.%f', '1588672800.1', '1772366400.0'],
    ['iso8601', '20200505T100000', '20260301T130000'],
    ['iso8601', '2020-05-05 10:00', '2026-03-01 13:00'],
    ['iso8601', '2020-05-05', '2026-03-01'],
    ['iso8601', '2020-05-05T10:00:00,5+0530', '2026-03-01T13:00:00,0+0100'],
    ['100%%f %F', '100%f 2020-05-05', '100%f 2026-03-01'],
  ])('is written as %s: %s', async (timestamp_format, before, after) => {
    const folder = recording({ 'a.log': `[${before}] x` });
    const input = await inputOf(
      { path: `${folder}/a.log`, timestamp_format, timestamp_pattern: String.raw`\[(?P<timestamp>[^\]]+)\]` },
      { zoneId: 'Europe/Berlin' },
    );
    const { producer } = await producerOf({}, { zoneId: 'Europe/Berlin' });
    follow(producer, input);
    expect((await eventsOf(input, producer)).events).toEqual([`[${after}] x`]);
  });

  test('keep_timestamps leaves the record as it is, with all its lines', async () => {
    const text = `${isoAt(0)} é boom\n  at x\n${isoAt(1)} end`;
    const folder = recording({ 'a.log': text });
    const input = await inputOf({ path: `${folder}/a.log`, record_start: String.raw`^\d{4}` });
    const { producer } = await producerOf({ keep_timestamps: true });
    follow(producer, input);
    expect((await eventsOf(input, producer)).events).toEqual([
      `${isoAt(0)} é boom\n  at x`,
      `${isoAt(1)} end`,
    ]);
  });

  test('a record that cannot be an event fails, and the next ones keep their timestamps', async () => {
    const folder = recording({ 'a.log': Buffer.from(`${isoAt(0)} \xff\n${isoAt(SECOND)} fine\n`, 'latin1') });
    const input = await inputOf({ path: `${folder}/a.log` });
    const { producer, lines } = await producerOf({});
    follow(producer, input);
    expect(await eventsOf(input, producer)).toEqual({
      events: [`${isoAt(SECOND, START_ISO)} fine`],
      failed: 1,
    });
    expect(lines.map(({ message, context }) => [message, context['line'], context['reason']])).toEqual([
      ['record failed', 1, 'it is not valid UTF-8'],
    ]);
  });

  test('marks number the events', async () => {
    const folder = recording({ 'a.log': logAt([0, 1]) });
    const input = await inputOf({ path: `${folder}/a.log` });
    const { producer } = await producerOf({ marks: 'text' });
    follow(producer, input);
    const { events } = await eventsOf(input, producer);
    expect(events.map((event) => /spate=\w+:(\d+):/.exec(event)?.[1])).toEqual(['1', '2']);
  });

  test('timestamps that are left out leave out their records, also very many', async () => {
    const folder = recording({ 'a.log': logAt(Array.from({ length: 9_000 }, (_, i) => i)) });
    const input = await inputOf({ path: `${folder}/a.log` });
    const { producer } = await producerOf({ keep_timestamps: true });
    follow(producer, input);
    const wanted = listInput([3, 8_500, 8_999].map((at) => START + at));
    const { events } = await eventsOf(wanted, producer);
    expect(events.map((event) => event.split(' ')[1])).toEqual(['3', '8500', '8999']);
  });

  test('a timestamp without a record is a failed event, not that of another record', async () => {
    const folder = recording({ 'a.log': logAt([0, 10]) });
    const { producer, lines } = await producerOf({ keep_timestamps: true });
    follow(producer, await inputOf({ path: `${folder}/a.log` }));
    const { events, failed } = await eventsOf(listInput([START, START + 5, START + 10]), producer);
    expect([events.length, failed]).toEqual([2, 1]);
    expect(lines[0]?.context['reason']).toContain('it has no record for the timestamp');
  });

  test('without an input, as in a preview, events fail with the reason', async () => {
    const { producer, lines } = await producerOf({});
    expect((await eventsOf(listInput([START]), producer)).failed).toBe(1);
    expect(lines[0]?.context['reason']).toContain('Previews of events have no inputs');
  });

  test('a file that is replaced while it is read fails events with the reason', async () => {
    const folder = recording({ 'a.log': logAt(Array.from({ length: 20_000 }, (_, i) => i)) });
    const path = join(directory, folder, 'a.log');
    const input = await inputOf({ path: `${folder}/a.log` });
    const { producer, lines } = await producerOf({});
    follow(producer, input);
    writeFileSync(path, 'short');
    expect((await eventsOf(listInput([START]), producer)).failed).toBe(1);
    expect(lines[0]?.context['reason']).toContain('was truncated while it was read');
  });
});

describe('inputs that cannot be followed', () => {
  test('are refused: another input, several inputs', async () => {
    const folder = recording({ 'a.log': logAt([0]) });
    const input = await inputOf({ path: `${folder}/a.log` });
    const { producer } = await producerOf({});
    for (const inputs of [[], [listInput([])], [input, input]]) {
      const followed = producer.follow?.(inputs, 0);
      expect(followed !== undefined && E.isLeft(followed) && followed.left.message).toContain(
        'as the only one',
      );
    }
  });

  test.each([
    [{ path: 'a.log' }, 'path must not be given beside `from`'],
    [{ repeat: true }, 'repeat belongs to the input'],
    [{ timestamp_format: '%s' }, 'timestamp_format belongs to the input'],
    [{ chunk_size: 1 }, 'chunk_size belongs to `path`'],
    [{ encoding: 'cp1252' }, 'encoding belongs to `path`'],
    [{ from: null }, 'path is required'],
    [{ from: null, path: 'a', keep_timestamps: true }, 'keep_timestamps needs `from: recorded`'],
  ])('options %j are refused: %s', async (params, problem) => {
    await expect(producerOf(params)).rejects.toThrow(problem);
  });
});

const steps = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 25 });
const recordings = fc.array(steps, { minLength: 1, maxLength: 3 }).map((all) =>
  recording(
    Object.fromEntries(
      all.map((list, file) => {
        let at = 0;
        return [
          `f${file}.log`,
          logAt(
            list.map((step) => (at += step)),
            `f${file}-`,
          ),
        ];
      }),
    ),
  ),
);

describe('a run', () => {
  test('gives each record once with its time, in any number of partitions, across stops and resumes at any point', async () => {
    await fc.assert(
      fc.asyncProperty(
        recordings,
        fc.integer({ min: 1, max: 4 }),
        fc.array(fc.integer({ min: 0, max: 12 }), { maxLength: 3 }),
        fc.boolean(),
        async (folder, count, stops, changesEvent) => {
          const input = { path: `${folder}/*.log`, repeat: true, passes: 2, repeat_gap: 0.000_002 };
          const whole = (await run({ input })).events;
          for (let index = 0; index < count; index++) {
            const got: string[] = [];
            let from: StreamPosition | null = null;
            for (const stopAfter of [...stops, Number.POSITIVE_INFINITY]) {
              const partition = count === 1 ? undefined : { index, count };
              const { events, saved, ended } = await run({ input, partition, from, stopAfter });
              expect(E.isRight(ended)).toBe(true);
              const last = saved.at(-1);
              got.push(...events.slice(0, last?.arrived ?? 0));
              from = last?.position ?? from;
              // Another event section: only the inputs resume.
              if (changesEvent && from !== null) from = { ...from, event: null };
            }
            expect(got).toEqual(whole.filter((_, k) => k % count === index));
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  test('of ten files is in order, and addresses keep their networks, in partitions too', async () => {
    const addressOf = (n: number): string => `93.184.${n % 4}.${(n * 7) % 250}`;
    const rows = Array.from({ length: 300 }, (_, n) => ({ n, at: n * 1_000, file: (n * 13) % 10 }));
    const folder = recording(
      Object.fromEntries(
        Array.from({ length: 10 }, (_, file) => [
          `f${file}.log`,
          rows
            .filter((row) => row.file === file)
            .map(({ n, at }) => `${isoAt(at)} ${n} ${addressOf(n)}\n`)
            .join(''),
        ]),
      ),
    );
    const input = { path: `${folder}/*.log` };
    const event = { remap: { key: 'a long key' } };
    const { events } = await run({ input, event });
    expect(events.map((text) => text.split(' ').slice(0, 2).join(' '))).toEqual(
      rows.map(({ n, at }) => `${isoAt(at, START)} ${n}`),
    );
    const networkOf = (address: string): string => address.split('.').slice(0, 3).join('.');
    const made = events.map((text) => text.split(' ')[2] ?? '');
    const networks = new Map(rows.map(({ n }) => [networkOf(addressOf(n)), networkOf(made[n] ?? '')]));
    expect(networks.size).toBe(4);
    expect(new Set(networks.values()).size).toBe(4);
    expect(made.map(networkOf)).toEqual(rows.map(({ n }) => networks.get(networkOf(addressOf(n)))));
    expect(new Set(made).size).toBe(new Set(rows.map(({ n }) => addressOf(n))).size);
    for (const index of [0, 1, 2]) {
      const dealt = await run({ input, event, partition: { index, count: 3 } });
      expect(dealt.events).toEqual(events.filter((_, k) => k % 3 === index));
    }
  });

  test('of new inputs begins with their first record, whatever the event plugin had', async () => {
    const folder = recording({ 'a.log': logAt([0, 1, 2, 3, 4, 5, 6, 7, 8]) });
    const input = { path: `${folder}/a.log` };
    const { saved } = await run({ input, stopAfter: 3 });
    const position = saved.at(-1)?.position as StreamPosition;
    const again = await run({ input, from: { ...position, inputs: [] } });
    expect(again.events).toEqual((await run({ input })).events);
  });

  test('of a partition that rejoins gets the records of the timestamps that it did not miss', async () => {
    const folder = recording({ 'a.log': logAt(Array.from({ length: 40 }, (_, i) => Math.floor(i / 3))) });
    const input = { path: `${folder}/a.log` };
    const whole = (await run({ input })).events;
    const events = (await run({ input, partition: { index: 1, count: 3 }, skipBefore: START + 5 })).events;
    expect(events).toEqual(whole.filter((_, k) => k % 3 === 1 && Math.floor(k / 3) >= 5));
  });
});
