import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Cut, cutTextOf } from '../../../src/analysis/learn/cut.js';
import { dependence } from '../../../src/analysis/learn/fields/dependence.js';
import { freshPattern } from '../../../src/analysis/learn/fields/fresh.js';
import { fitOf } from '../../../src/analysis/learn/fields/numbers.js';
import { association } from '../../../src/analysis/learn/fields/relations.js';
import { cutAccess } from '../../../src/analysis/learn/formats/access.js';
import { cutCef } from '../../../src/analysis/learn/formats/cef.js';
import { csvFormat } from '../../../src/analysis/learn/formats/csv.js';
import { logReaderOf } from '../../../src/analysis/learn/formats/detect.js';
import { cutJson, sortedJson } from '../../../src/analysis/learn/formats/json.js';
import { cutPairs } from '../../../src/analysis/learn/formats/pairs.js';
import { cutSyslog } from '../../../src/analysis/learn/formats/syslog.js';
import { cutByCluster, makeMiner } from '../../../src/analysis/learn/mine/drain.js';
import { makePseudonyms } from '../../../src/analysis/learn/privacy/pseudonyms.js';
import { makeScrubber } from '../../../src/analysis/learn/privacy/scrub.js';
import { recordsOf } from '../../../src/analysis/learn/records.js';
import { datedTimes } from '../../../src/analysis/learn/times/dated.js';
import { timeReader } from '../../../src/analysis/learn/times/parse.js';
import { learnedRateOf } from '../../../src/analysis/learn/times/rate.js';
import { seededRandom } from '../../../src/domain/random.js';
import { codePoint } from '../../support/codePoint.js';

const LOGS = join(dirname(fileURLToPath(import.meta.url)), 'logs');

const valuesOf = (cut: Cut | null): Readonly<Record<string, string>> =>
  Object.fromEntries((cut?.names ?? []).map((name, at) => [name, cut?.values[at] ?? '']));

describe('cutting a record', () => {
  test('loses nothing of the sample logs', () => {
    for (const name of readdirSync(LOGS).filter((file) => file.endsWith('.log'))) {
      const { records } = recordsOf(readFileSync(join(LOGS, name), 'utf8'));
      const reader = logReaderOf(records);
      for (const record of records) {
        // Members of JSON objects that come in any order are sorted.
        expect([record, sortedJson(record)]).toContain(cutTextOf(reader.cut(record).cut));
        expect(cutTextOf(reader.asLine(record))).toBe(record);
      }
    }
  });

  test('loses nothing of any JSON object, CSV line or text', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.integer({ min: 0, max: 2 }),
        (value, indent) => {
          const text = JSON.stringify(value, null, indent);
          const cut = cutJson(text);
          if (cut !== null) expect(cutTextOf(cut)).toBe(text);
        },
      ),
    );
    fc.assert(
      fc.property(fc.string({ unit: codePoint }), (text) => {
        for (const cutter of [cutAccess, cutSyslog, cutPairs, cutCef, cutJson]) {
          const cut = cutter(text);
          if (cut !== null) expect(cutTextOf(cut)).toBe(text);
        }
        const miner = makeMiner();
        miner.learn(text);
        const found = miner.match(text);
        if (found !== null) expect(cutTextOf(cutByCluster(found.cluster, found.lexed, 'x'))).toBe(text);
      }),
    );
  });

  test.each([
    [cutJson, '{"a": {"b": ["x", 2]}, "c": null}', { '/a/b/0': 'x', '/a/b/1': '2', '/c': 'null' }],
    [
      cutCef,
      'CEF:0|Acme|Wall|1.2|100|Port scan|5|src=10.0.0.1 msg=two words act=block',
      { vendor: 'Acme', name: 'Port scan', severity: '5', src: '10.0.0.1', msg: 'two words', act: 'block' },
    ],
    [cutPairs, 'level=info msg="two words" took=3ms', { level: 'info', msg: 'two words', took: '3ms' }],
    [
      cutPairs,
      'type=LOGIN pid=1 msg=\'op=login acct="ann" res=success\'',
      { type: 'LOGIN', pid: '1', 'msg.op': 'login', 'msg.acct': 'ann', 'msg.res': 'success' },
    ],
    [
      cutSyslog,
      '<34>1 2026-01-05T10:00:00Z web1 app 77 ID1 [a@1 b="c"] done',
      { priority: '34', host: 'web1', program: 'app', pid: '77', data: '[a@1 b="c"]', message: 'done' },
    ],
    [
      cutSyslog,
      '<13>Jan  5 10:00:00 web1 cron[7]: run',
      { priority: '13', host: 'web1', program: 'cron', pid: '7', message: 'run' },
    ],
    [
      cutAccess,
      '10.0.0.1 - ann [05/Jan/2026:10:00:00 +0000] "GET /a?b HTTP/1.1" 200 12 "-" "curl"',
      {
        address: '10.0.0.1',
        user: 'ann',
        method: 'GET',
        path: '/a?b',
        status: '200',
        bytes: '12',
        agent: 'curl',
      },
    ],
  ] as const)('names the values (%#)', (cutter, text, values) => {
    expect(valuesOf(cutter(text))).toMatchObject(values);
  });

  test('CSV needs a header; quoted cells keep their quotes', () => {
    const csv = csvFormat(['time,user name,n', '1,"a, ""b""",2', '3,c,4']);
    expect(valuesOf(csv?.cut('1,"a, ""b""",2') ?? null)).toEqual({
      time: '1',
      'user name': 'a, ""b""',
      n: '2',
    });
    expect(csvFormat(['1,2,3', '1,2,3', '4,5,6'])).toBeNull();
  });
});

describe('records', () => {
  test('go on over lines that begin with a blank or lack the time of others', () => {
    const at = (second: number) => `2026-01-05 10:00:0${second} worker ${second}`;
    const text = `${at(1)}\n  at f()\n${at(2)}\n${at(3)}\nand more\n${at(4)}\n`;
    expect(recordsOf(text).records).toEqual([`${at(1)}\n  at f()`, at(2), `${at(3)}\nand more`, at(4)]);
  });
});

describe('pseudonyms', () => {
  const pseudonyms = makePseudonyms('key', new Set());

  test('of addresses keep common prefixes, and only those', () => {
    const common = (a: string, b: string): number => {
      const [x, y] = [a, b].map((text) =>
        text
          .split('.')
          .map((part) => Number(part).toString(2).padStart(8, '0'))
          .join(''),
      ) as [string, string];
      const differs = [...x].findIndex((bit, at) => bit !== y[at]);
      return differs === -1 ? 32 : differs;
    };
    const octet = fc.integer({ min: 20, max: 60 });
    const address = fc.tuple(octet, octet, octet, octet).map((parts) => parts.join('.'));
    fc.assert(
      fc.property(address, address, (a, b) => {
        expect(common(pseudonyms.of('ipv4', a), pseudonyms.of('ipv4', b))).toBe(common(a, b));
      }),
    );
  });

  test('keep private ranges, and what names no machine', () => {
    expect(pseudonyms.of('ipv4', '10.1.2.3')).toMatch(/^10\./);
    expect(pseudonyms.of('ipv4', '192.168.1.9')).toMatch(/^192\.168\./);
    expect(pseudonyms.of('ipv6', 'fe80::1')).toMatch(/^fe[89ab]/);
    for (const known of ['127.0.0.1', '0.0.0.0', '255.255.255.0'])
      expect(pseudonyms.of('ipv4', known)).toBe(known);
  });

  test('are different for different values, and are none of the originals', () => {
    const users = Array.from({ length: 500 }, (_, at) => `user${String.fromCharCode(97 + (at % 26))}${at}`);
    const made = makePseudonyms('key', new Set(users));
    const all = users.map((user) => made.of('user', user));
    expect(new Set(all).size).toBe(500);
    expect(all.filter((user) => users.includes(user))).toEqual([]);
  });

  const scrub = makeScrubber(pseudonyms, new Map([['mkowalski', 'user'] as const]), { range: null });

  test.each([
    'mail to ann.lee@corp.example now',
    'from 2001:db8::17 port 22',
    'key 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b',
    'card 4111 1111 1111 1111 paid',
    'card 4111111111111111 paid',
    'call +49 170 1234567',
    'nic 00:1b:44:11:3a:b7 up',
    'see https://intra.acme-widgets.com/x',
    'home of MKowalski',
    'path /srv/mkowalski.old/x',
    'jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0',
  ])('replace private values: %s', (text) => {
    const made = scrub.text(text);
    expect(made).not.toBe(text);
    expect(made.split(' ')[0]).toBe(text.split(' ')[0]);
    expect(scrub.text(text)).toBe(made);
  });

  test.each([
    'finished 12 of 300 in 4.5 s',
    'GET /index.html HTTP/1.1',
    'started nginx.service',
    'at 10:15:30',
  ])('leave alone: %s', (text) => {
    expect(scrub.text(text)).toBe(text);
  });
});

describe('fields', () => {
  const random = seededRandom('numbers');
  const normal = () => Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
  const whole = { decimals: 0, is_whole: true, width: 0 };

  test.each([
    ['uniform', () => Math.round(random.next() * 10_000)],
    ['normal', () => Math.round(5_000 + 400 * normal())],
    ['lognormal', () => Math.round(Math.exp(6 + normal()))],
    ['exponential', () => Math.round(-900 * Math.log(1 - random.next()))],
    ['quantiles', () => (random.next() < 0.5 ? 10 : 1_000 + Math.round(random.next() * 50))],
  ])('a %s distribution is found', (kind, draw) => {
    expect(fitOf(Array.from({ length: 2_000 }, draw), whole).kind).toBe(kind);
  });

  test('tied columns are told from independent ones', () => {
    const users = Array.from({ length: 300 }, () => `u${random.integer(1, 50)}`);
    const address = users.map((user) => `10.0.0.${user.slice(1)}`);
    const other = users.map(() => `c${random.integer(1, 50)}`);
    expect(association(users, address, random)).toBeGreaterThan(0.9);
    expect(association(users, other, random)).toBeLessThan(0.15);
  });

  test('numbers that depend on an enumeration are told from others', () => {
    const status = Array.from({ length: 400 }, () => (random.integer(0, 3) === 0 ? '304' : '200'));
    const bytes = status.map((code) => (code === '304' ? 0 : random.integer(500, 90_000)));
    const method = status.map(() => (random.integer(0, 1) === 0 ? 'GET' : 'POST'));
    const by = dependence(bytes, [
      { at: 4, values: method },
      { at: 7, values: status },
    ]);
    expect(by?.at).toBe(7);
    expect(by?.bins.get('304')).toContainEqual([0, 0]);
    expect(by?.bins.get('200')?.[0]?.[0]).toBeGreaterThanOrEqual(500);
    expect(dependence(bytes, [{ at: 4, values: method }])).toBeNull();
  });

  test('is not seen in small groups, which differ by chance', () => {
    const random = seededRandom('small groups');
    const ports = Array.from({ length: 28 }, () => random.integer(40_000, 60_000));
    const clients = ports.map((_, at) => String(at % 4));
    expect(dependence(ports, [{ at: 1, values: clients }])).toBeNull();
  });

  test('identifiers that never repeat become a pattern', () => {
    const ids = Array.from({ length: 100 }, () => `req-${random.integer(0x100000, 0xffffff).toString(16)}`);
    expect(freshPattern(ids)).toMatch(/^req-%h\{6\}$/);
    expect(freshPattern(Array.from({ length: 100 }, () => 'req-a1b2c3'))).toBeNull();
  });
});

describe('times', () => {
  test.each([
    ['%d/%b/%Y:%H:%M:%S %z', '05/Jan/2026:10:00:01 +0200', '2026-01-05T10:00:01.000Z'],
    ['%Y-%m-%d %H:%M:%S.%L %Z', '2026-01-05 10:00:01.250 UTC', '2026-01-05T10:00:01.250Z'],
    ['%m/%d/%Y %I:%M:%S %p', '01/05/2026 01:00:01 PM', '2026-01-05T13:00:01.000Z'],
    ['%s.%L', '1767607201.500', '2026-01-05T10:00:01.500Z'],
  ])('%s is read', (format, text, iso) => {
    const micros = timeReader(format)(text);
    expect(micros === null ? null : new Date(micros / 1_000).toISOString()).toBe(iso);
  });

  /** The dates of times that are written in a format without a year or day. */
  const datesOf = (format: string, texts: readonly string[], now: string): readonly (string | null)[] => {
    const read = timeReader(format);
    const found = texts.map((text) => {
      const at = read(text);
      return at === null ? null : { at, format, span: [0, text.length] as const };
    });
    return datedTimes(texts, found, Date.parse(now) * 1_000).map((at) =>
      at === null ? null : new Date(at / 1_000).toISOString().slice(0, 16),
    );
  };

  test('without a year end before now, and go on after New Year', () => {
    const texts = ['Dec 31 23:59:59', 'Jan  1 00:00:00', 'Mar  1 10:00:00'];
    expect(datesOf('%b %e %H:%M:%S', texts, '2026-11-24')).toEqual([
      '2025-12-31T23:59',
      '2026-01-01T00:00',
      '2026-03-01T10:00',
    ]);
    expect(datesOf('%b %e %H:%M:%S', ['Nov 25 10:00:00', 'x'], '2026-11-20')).toEqual([
      '2025-11-25T10:00',
      null,
    ]);
  });

  test('without a year that come in no order are of one year', () => {
    const texts = Array.from({ length: 60 }, (_, at) =>
      at % 2 === 0 ? 'Jan  2 10:00:00' : 'Nov  2 10:00:00',
    );
    expect(new Set(datesOf('%b %e %H:%M:%S', texts, '2026-11-24').map((text) => text?.slice(0, 4)))).toEqual(
      new Set(['2026', '2025']),
    );
  });

  test('without a day end today', () => {
    expect(datesOf('%H:%M:%S', ['23:59:59', '00:00:01'], '2026-11-24')).toEqual([
      '2026-11-23T23:59',
      '2026-11-24T00:00',
    ]);
  });

  test('give a rate by hour once they cover a day', () => {
    const hour = 3_600_000_000;
    const times = Array.from({ length: 48 }, (_, at) =>
      Array.from({ length: at % 24 < 12 ? 10 : 30 }, (_value, n) => at * hour + n * (hour / 40)),
    ).flat();
    const rate = learnedRateOf(times, true);
    expect(rate?.hours?.[3]).toBeCloseTo(0.5, 1);
    expect(rate?.hours?.[15]).toBeCloseTo(1.5, 1);
    expect(learnedRateOf(times.slice(0, 100), true)?.hours).toBeNull();
  });
});
