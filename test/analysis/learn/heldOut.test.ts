import { describe, expect, test } from '@jest/globals';
import { type Comparison, comparisonProblemsOf } from '../../../src/analysis/learn/compare/compare.js';
import { cutTextOf } from '../../../src/analysis/learn/cut.js';
import { sortedJson } from '../../../src/analysis/learn/formats/json.js';
import { cutPairs } from '../../../src/analysis/learn/formats/pairs.js';
import { cutSyslog } from '../../../src/analysis/learn/formats/syslog.js';
import { learn } from '../../../src/analysis/learn/learn.js';
import { personNamesOf } from '../../../src/analysis/learn/privacy/collect.js';
import { makePseudonyms } from '../../../src/analysis/learn/privacy/pseudonyms.js';
import { makeScrubber } from '../../../src/analysis/learn/privacy/scrub.js';
import { recordsOf } from '../../../src/analysis/learn/records.js';
import { learnReportText } from '../../../src/cli/commands/learn/reportText.js';
import { comparedEvents } from '../../../src/worker/learned.js';
import { right } from '../../support/either.js';

/** Logs are not newer. */
const NOW = Date.UTC(2026, 11, 31) * 1_000;

const learned = (lines: readonly string[]) =>
  right(learn(recordsOf(lines.join('\n')), { seed: 'a seed', keep_values: false, now: NOW }));

const namesIn = (text: string): readonly string[] => [
  ...personNamesOf([{ kind: '', literals: ['', ''], names: ['message'], values: [text] }]).keys(),
];

describe('formats', () => {
  test('CEF behind a header of syslog is CEF, not a program with that name', () => {
    const record =
      '<134>Mar  1 00:00:01 fw1 CEF:0|Acme|Wall|1|100|Port scan|5|src=10.0.0.1 duser=ann act=deny';
    const cut = cutSyslog(record);
    expect(cut?.names).toEqual(expect.arrayContaining(['vendor', 'signature', 'src', 'duser', 'act']));
    expect(cut && cutTextOf(cut)).toBe(record);
  });

  test.each([
    ['2026-01-05T08:00:00Z INFO: cache warmed', false],
    ['2026-01-05T08:00:00Z level: high', false],
    ['2026-01-05T08:00:00Z INFO cache: warmed', false],
    ['2026-01-05T08:00:00Z [warn] cache: warmed', false],
    ['2026-01-05T08:00:00Z worker 5: done', false],
    ['2026-01-05T08:00:00.123Z ACCEPT host=::ffff:203.0.113.9 port=4000 fd=4 n=1/4096', false],
    ['2026-01-05T08:00:00Z web sshd: ready', true],
    ['2026-01-05T08:00:00Z sshd[7]: ready', true],
    ['<13>2026-01-05T08:00:00Z INFO: ready', true],
    ['Jan  5 08:00:00 last message repeated 2 times', true],
  ])('%s: syslog %s', (line, isSyslog) => {
    expect(cutSyslog(line) !== null).toBe(isSyslog);
  });

  test('a line is key=value or not, whatever the lengths of its values', () => {
    const line = (user: string): string =>
      `12:00:01 [77]: user=${user},db=shop,app=psql LOG:  connection over here`;
    const [short, long] = [cutPairs(line('a')), cutPairs(line('a'.repeat(120)))];
    expect(short === null).toBe(long === null);
    const many = 'id=1 ok=yes to=here and many other words that are no pairs at all in this line';
    expect(cutPairs(many)).toBeNull();
  });

  test('JSON objects with members in any order share one template', () => {
    const members = (n: number) => [
      `"n": ${n}`,
      '"host": "web7"',
      '"level":"info"',
      '"tags": ["a", {"b": 1}]',
      '"z": -1.50',
    ];
    const lines = Array.from({ length: 120 }, (_, n) => {
      const own = members(n);
      const turned = [...own.slice(n % 5), ...own.slice(0, n % 5)];
      return `{${(n % 2 === 0 ? turned : turned.toReversed()).join(', ')}}`;
    });
    expect(sortedJson(lines[7] ?? '')).toBe(sortedJson(lines[2] ?? '').replace('"n":2', '"n":7'));
    const { model } = learned(lines);
    expect(model.shapes).toHaveLength(1);
    expect(model.copied).toBe(0);
  });

  test('JSON objects whose order says something keep it', () => {
    const lines = Array.from({ length: 60 }, (_, n) =>
      n % 2 === 0 ? `{"time": ${n}, "login": "x"}` : `{"kind": "logout", "time": ${n}}`,
    );
    expect(
      learned(lines)
        .model.shapes.map(({ literals }) => literals[0])
        .sort(),
    ).toEqual(['{"kind": "', '{"time": ']);
  });

  test('blocks of names and values between blank lines are records, and stay apart', () => {
    const block = (n: number): string =>
      `Start-Date: 2026-01-05  10:00:0${n}\nInstall: p${n}:amd64 (1.${n})\nEnd-Date: x`;
    const { records } = recordsOf(`\n${[1, 2, 3, 4].map(block).join('\n\n')}\n`);
    expect(records).toEqual([1, 2, 3, 4].map((n) => `${block(n)}\n`));
    const { model } = right(
      learn(
        { records, too_long: 0, binary: 0, bad_characters: 0 },
        { seed: 's', keep_values: false, now: NOW },
      ),
    );
    expect(model.times).toEqual({ format: '%Y-%m-%d  %H:%M:%S', found: 4 });
  });

  test('JSON over several lines is a record', () => {
    const object = (n: number): string => `{\n  "n": ${n},\n  "list": [\n    1\n  ]\n}`;
    expect(recordsOf(`${object(1)}\n${object(2)}\n`).records).toEqual([object(1), object(2)]);
  });

  test('paragraphs of text are no blocks', () => {
    expect(recordsOf('one: a\ntwo words\n\nthree\nfour\n\nfive\nsix\n').records).toHaveLength(6);
  });
});

describe('names', () => {
  test.each([
    ['user mkoval not found: /private', 'mkoval'],
    ['user "mkoval" was not found in "/etc/htpasswd", client: 10.0.0.1', 'mkoval'],
    ['user mkoval: authentication failure for "/private"', 'mkoval'],
    ['user mkoval connected from 10.0.0.1', 'mkoval'],
    ['session of mkoval opened in 7 ms', 'mkoval'],
    ['token for mkoval expired', 'mkoval'],
    ['[CONNECT {"verbose":false,"user":"mkoval","name":"x"}]', 'mkoval'],
    ['_HOSTNAME=mkoval', 'mkoval'],
    ['user": "mkoval",\n  "n": 7', 'mkoval'],
    ['Account Name:\tHQ\\mkoval', 'mkoval'],
    ['Workstation Name:\tmkoval', 'mkoval'],
    ['Benutzer=j.müller;', 'j.müller'],
    ['"GET /u/mkoval/profile HTTP/1.1"', 'mkoval'],
    ['GET /users/mkoval?x=1 HTTP/1.1', 'mkoval'],
    ['GET /~mkoval/ HTTP/1.1', 'mkoval'],
    ['203.0.113.9 mkoval GET "/x"', 'mkoval'],
    ['2001:db8::9 - mkoval [05/Jan/2026:10:00:00 +0000]', 'mkoval'],
    ['TCP_MISS/200 99 GET http://x.test/p mkoval HIER_DIRECT/203.0.113.1', 'mkoval'],
  ])('are found in: %s', (text, name) => {
    expect(namesIn(text)).toEqual([name]);
  });

  test.each([
    'user is not allowed',
    'user did something',
    'login for an account failed',
    'login=failed account=expired',
    'session for device closed',
    'GET /users/login HTTP/1.1',
    'GET /users/search?q=x HTTP/1.1',
    '2026-11-24 13:45:45 UTC [8640]: ready',
  ])('are not found in: %s', (text) => {
    expect(namesIn(text)).toEqual([]);
  });

  test('with commas and quotes are found by their words', () => {
    const cut = { kind: '', literals: ['', ''], names: ['Employee'], values: ['Koval, Mira "Mimi"'] };
    expect([...personNamesOf([cut]).keys()]).toEqual(['koval', 'mira', 'mimi']);
  });
});

describe('pseudonyms', () => {
  const pseudonyms = makePseudonyms('key', new Set());
  const { text } = makeScrubber(pseudonyms, new Map(), { range: null });

  test.each([
    'SHA256:5G3cd2AFjcigI/FJh2GIaEdG28/cGj7Dfjj35G+/G7b',
    'Authorization: Basic YW5uOnB3',
    'Bearer abcdef-ghijkl.mnop',
    'MAC=be:bd:47:94:57:84:0f:19:58:86:54:3d:08:00',
    'MD5:be:bd:47:94:57:84:0f:19:58:86:54:3d:08:00:11:22',
  ])('replace %s', (secret) => {
    const made = text(secret);
    expect(made).not.toBe(secret);
    expect(made).toHaveLength(secret.length);
  });

  test('of an IPv4 address in one of IPv6 are those of the IPv4 address', () => {
    expect(text('host=::ffff:203.0.113.9 port=1')).toBe(`host=::ffff:${text('203.0.113.9')} port=1`);
  });

  test('of addresses in a row are those of each address', () => {
    const [one, two] = ['be:bd:47:94:57:84', '0f:19:58:86:54:3d'];
    expect(text(`${one}:${two}:08:00`)).toBe(`${text(one)}:${text(two)}:08:00`);
  });

  test('of numbers begin with no zero: JSON has no such number', () => {
    const all = Array.from({ length: 500 }, (_, n) => pseudonyms.of('digits', String(4_000_000_000 + n)));
    expect(all.filter((digits) => digits.startsWith('0'))).toEqual([]);
  });

  test('have no word of an original', () => {
    const originals = new Set(['ingrid.solberg', 'rosa', 'cedar-1']);
    const made = makePseudonyms('key', originals);
    const all = Array.from({ length: 400 }, (_, n) => [
      made.of('user', `user.x${n}yz`),
      made.of('host', `srv-x${n}yz`),
    ]).flat();
    expect(all.filter((name) => /ingrid|rosa|cedar/.test(name))).toEqual([]);
  });
});

test.each([
  [300, 30_000, 30_000],
  [80_000, 8_000_000, 80_000],
  [300_000, 40_000_000, 100_000],
  [1, 16_000, 2_000],
  [10, 2_000_000, 2_000],
])('of a log with %d records and %d bytes %d events are compared', (records, bytes, events) => {
  const { model } = learned(['a 1', 'a 2']);
  expect(comparedEvents({ model: { ...model, records, bytes } })).toBe(events);
});

const comparison: Comparison = {
  events: 1,
  unmatched: 0,
  failed: 0,
  fields: [],
  worst: { enumeration: 0, number: 0 },
  rate: { log: null, generated: 1 },
  gaps: null,
};

test.each([
  ['number', 280, []],
  ['number', 28_000, ['took differs by 9.8 %']],
  ['pool', 280, ['took differs by 9.8 %']],
] as const)(
  'a %s of one in twenty of %d records that differs by more than chance is a problem',
  (kind, records, problems) => {
    const distinct = { log: 14, generated: 900 };
    const field = { name: 'took', kind, share: 0.05, distinct, difference: 0.098, is_by_rank: false };
    expect(comparisonProblemsOf({ ...comparison, fields: [field] }, 0.05, records)).toEqual(problems);
  },
);

describe('the report', () => {
  test.each([
    [100, 'only the start of the.log was read: raise --max-mb'],
    [300_000, 'only the start of the.log was read: at most 300,000 records are'],
  ])('of %d records of a longer log says what cut it', (records, text) => {
    const { model } = learned(['a 1', 'a 2']);
    const report = learnReportText('made', { ...model, records }, comparison, {
      width: 120,
      cutLogs: ['the.log'],
    });
    expect(report).toContain(text);
  });
});
