import { describe, expect, test } from '@jest/globals';
import type { LearnedLog } from '../../../src/analysis/learn/report.js';
import {
  factsOf,
  percent,
  shownFilesOf,
  shownText,
  uploadOf,
  warningsOf,
} from '../../../src/ui/pages/new/learn/learned.js';

const LEARNED: LearnedLog = {
  generator: 'web',
  records: 1_000,
  bytes: 2_048,
  is_cut: false,
  left_out: { too_long: 0, binary: 0, bad_characters: 0 },
  formats: [['access', 1_000]],
  header: null,
  times: { format: '%Y', found: 990 },
  rate: {
    events_per_second: 2,
    arrivals: 'poisson',
    burst: null,
    hours: null,
    weekdays: null,
    seconds: 500,
  },
  templates: [{ name: 'a', count: 1_000, format: 'access', fields: [] }],
  relations: 2,
  undated: { count: 10, first: 7 },
  warnings: [],
  copied: 0,
  replaced: { ipv4: 3 },
  comparison: {
    events: 30_000,
    unmatched: 0,
    failed: 0,
    fields: [],
    worst: { enumeration: 0.004, number: 0.03 },
    rate: { log: 2, generated: 2.01 },
    gaps: null,
  },
  seed: 's',
  examples: [],
  config: 'input:',
  files: { 'samples/b.csv': 'b', 'README.md': 'r' },
};

const factOf = (learned: LearnedLog, head: string): string | undefined =>
  factsOf(learned).find(([name]) => name === head)?.[1];

describe('what was learned', () => {
  test('is told in words', () => {
    expect(factsOf(LEARNED)).toEqual([
      ['Read', '1,000 records, 2 KiB'],
      ['Format', 'access log of Apache or nginx'],
      ['Times', '%Y; 10 records without'],
      ['Rate', '2 events/s over 8 min 20 s, generated 2.01; poisson'],
      ['Templates', '1; 2 tables of values that belong together'],
      ['Private values', '3 IPv4 addresses replaced'],
      ['Closeness', 'Within 0.4% for enumerations, 3% for numbers, in 30,000 generated events.'],
    ]);
  });

  test('has one of a kind in the singular', () => {
    expect(factOf({ ...LEARNED, replaced: { user: 1, host: 2 } }, 'Private values')).toBe(
      '1 name of a person, 2 names of machines replaced',
    );
  });

  test('says that a log without times has no rate', () => {
    expect(factOf({ ...LEARNED, times: null, rate: null }, 'Rate')).toBe(
      'Unknown: the generator makes 1 event/s.',
    );
    expect(warningsOf({ ...LEARNED, times: null }, false)).toEqual([
      'No times were found, so the rate is a guess.',
    ]);
  });

  test('has warnings only where there is something to know', () => {
    expect(warningsOf(LEARNED, false)).toEqual([]);
    expect(warningsOf({ ...LEARNED, warnings: ['No time was found.'] }, false)).toEqual([
      'No time was found.',
    ]);
    expect(warningsOf(LEARNED, true)).toEqual(['Only the first 1,000 records of the log were read.']);
    expect(warningsOf({ ...LEARNED, replaced: null }, false)).toEqual([
      'Private values are in the files. Do not share them.',
    ]);
    expect(warningsOf({ ...LEARNED, copied: 5 }, false)[0]).toMatch(/^Whole records are in samples/);
  });

  test('lists the config first, then the other files by path', () => {
    expect(shownFilesOf(LEARNED, 'generator.yml').map(({ path }) => path)).toEqual([
      'generator.yml',
      'README.md',
      'samples/b.csv',
    ]);
    expect(shownText('x'.repeat(20_100))).toMatch(/x\n\.\.\. 100 more characters$/);
  });

  test.each([
    [0, '0%'],
    [0.0001, '<0.1%'],
    [0.125, '12.5%'],
    [1, '100%'],
  ])('shows the share %d as %s', (share, shown) => {
    expect(percent(share)).toBe(shown);
  });
});

describe('what is sent of a log', () => {
  test.each([
    ['a whole small file', 'one\ntwo\n', 8, 'one\ntwo\n', false],
    ['whole lines of a larger one', 'one\ntwo\nthree\n', 10, 'one\ntwo\n', true],
    ['the start of one long line', 'onetwothree', 6, 'onetwo', true],
  ])('is %s', async (_, text, limit, sent, isPart) => {
    const upload = await uploadOf(new Blob([text]), limit);
    expect([await upload.content.text(), upload.isPart]).toEqual([sent, isPart]);
  });
});
