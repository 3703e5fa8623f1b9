import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { installed } from '../../../src/plugins/installed.js';
import { decodeStored } from '../../../src/schema/index.js';
import {
  type EmptyChoice,
  emptyDraft,
  fileNameOf,
  logDraft,
  needsUtc,
} from '../../../src/ui/pages/new/drafts.js';
import { FIRST_OUTPUT, outputFlaws, tableSql } from '../../../src/ui/pages/new/outputs.js';

const EMPTY: EmptyChoice = {
  name: 'my-shop',
  events_per_second: 10,
  timing: 'poisson',
  event: 'template',
  output: FIRST_OUTPUT,
};

describe('a generator from empty', () => {
  const choices = (['even', 'poisson', 'daily'] as const).flatMap((timing) =>
    (['template', 'script'] as const).flatMap((event) =>
      (['file', 'clickhouse', 'stdout'] as const).map((kind) => [timing, event, kind] as const),
    ),
  );
  test.each(choices)(
    'with %s timestamps, a %s and the output %s has a valid config',
    (timing, event, kind) => {
      const output = { ...FIRST_OUTPUT, kind, password: 'x' };
      const draft = emptyDraft({ ...EMPTY, timing, event, output });
      expect(decodeStored(installed().shapes.generator, draft.config)).toMatchObject({ _tag: 'Right' });
      expect(draft.files).toHaveLength(1);
    },
  );

  test('uses a destination by its name, and needs one', () => {
    const output = { ...FIRST_OUTPUT, kind: 'destination', destination: 'siem' } as const;
    const { config } = emptyDraft({ ...EMPTY, output });
    expect(config['output']).toEqual([{ use: 'siem' }]);
    expect(decodeStored(installed().shapes.generator, config)).toMatchObject({ _tag: 'Right' });
    expect(outputFlaws(output)).toEqual({});
    expect(outputFlaws({ ...output, destination: '' })).toHaveProperty('destination');
  });

  test('stores the password of ClickHouse as a secret', () => {
    const output = { ...FIRST_OUTPUT, kind: 'clickhouse', password: 'hunter2' } as const;
    const draft = emptyDraft({ ...EMPTY, output });
    expect(draft.secrets).toEqual([{ name: 'my_shop_clickhouse_password', value: 'hunter2' }]);
    expect(JSON.stringify(draft.config)).not.toContain('hunter2');
    expect(draft.config['output']).toMatchObject([
      { clickhouse: { password: '${secrets.my_shop_clickhouse_password}', input_format: 'JSONEachRow' } },
    ]);
  });

  test('has no secret without a password', () => {
    expect(emptyDraft({ ...EMPTY, output: { ...FIRST_OUTPUT, kind: 'clickhouse' } }).secrets).toEqual([]);
  });
});

describe('a generator from a log', () => {
  const LOG = {
    name: 'access',
    events_per_second: 5,
    timing: 'even',
    repeat: true,
    file: { name: 'access.log', content: 'x\n' },
    output: FIRST_OUTPUT,
  } as const;

  test('replays the file with new timestamps', () => {
    const times = { pattern: '^(?P<timestamp>\\S+)', format: '%Y-%m-%dT%H:%M:%SZ' };
    const draft = logDraft({ ...LOG, times });
    expect(E.isRight(decodeStored(installed().shapes.generator, draft.config))).toBe(true);
    expect(draft.config['event']).toEqual({
      replay: {
        path: 'access.log',
        timestamp_pattern: times.pattern,
        timestamp_format: times.format,
        repeat: true,
      },
    });
    expect(draft).toMatchObject({ files: [{ path: 'access.log', content: 'x\n' }], timezone: 'UTC' });
  });

  test('leaves the lines unchanged if no timestamp is chosen', () => {
    const draft = logDraft({ ...LOG, times: null, repeat: false });
    expect(draft.config['event']).toEqual({ replay: { path: 'access.log' } });
    expect(draft.timezone).toBeNull();
  });

  test('needs UTC only for a Z that is written as it is', () => {
    expect(['%SZ', '%LZ', '%fZ', '%f000Z'].map(needsUtc)).toEqual([true, true, true, true]);
    expect(['%S %Z', '%S%z', '%S'].map(needsUtc)).toEqual([false, false, false]);
  });

  test.each([
    ['a/b/access.log', 'access.log'],
    ['C:\\logs\\x.log', 'x.log'],
    ['..hidden', 'hidden'],
    ['generator.yml', 'replayed.log'],
    ['', 'replayed.log'],
  ])('stores the file %j as %s', (name, stored) => {
    expect(fileNameOf(name)).toBe(stored);
  });
});

describe('an output', () => {
  test('names the fields that are empty', () => {
    expect(outputFlaws({ ...FIRST_OUTPUT, path: ' ' })).toHaveProperty('path');
    expect(Object.keys(outputFlaws({ ...FIRST_OUTPUT, kind: 'clickhouse', host: '', table: '' }))).toEqual([
      'host',
      'table',
    ]);
    expect(outputFlaws({ ...FIRST_OUTPUT, kind: 'stdout', path: '' })).toEqual({});
  });

  test('shows the table that ClickHouse needs, with its names quoted', () => {
    const sql = tableSql({ ...FIRST_OUTPUT, database: 'my db', table: 'a`b' }, 'lines');
    expect(sql).toBe(
      'CREATE TABLE `my db`.`a\\`b`\n(\n    line String\n)\nENGINE = MergeTree\nORDER BY tuple();',
    );
  });
});
