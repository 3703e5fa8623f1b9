import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { compileStrftime } from '../../../../../src/domain/time/strftime.js';
import { utc } from '../../../../../src/domain/time/zone.js';
import { compilePattern } from '../../../../../src/domain/timestamps/pattern.js';
import { timestampSpan } from '../../../../../src/domain/timestamps/span.js';
import { lookOf } from '../../../../../src/plugins/events/replay/guess/check.js';
import { guessTimes } from '../../../../../src/plugins/events/replay/guess/guess.js';

const found = (line: string, pattern: string): string | null => {
  const compiled = compilePattern(pattern);
  if (E.isLeft(compiled)) throw new Error(compiled.left);
  const span = timestampSpan(line, compiled.right);
  return span === null ? null : line.slice(...span);
};

/** Kind of log, a line of it, its timestamp, and the format that writes it. */
const LOGS: readonly (readonly [kind: string, line: string, timestamp: string, format: string])[] = [
  [
    'nginx and Apache access log',
    '203.0.113.17 - - [12/Jan/2026:00:10:37 +0000] "GET / HTTP/1.1" 200 14363 "-" "x"',
    '12/Jan/2026:00:10:37 +0000',
    '%d/%b/%Y:%H:%M:%S %z',
  ],
  ['nginx error log', '2026/01/12 00:10:37 [error] 31#31: *5 x', '2026/01/12 00:10:37', '%Y/%m/%d %H:%M:%S'],
  [
    'Apache error log',
    '[Mon Jan 12 00:10:37.123456 2026] [core:error] [pid 35708:tid 432] x',
    'Mon Jan 12 00:10:37.123456 2026',
    '%a %b %e %H:%M:%S.%f %Y',
  ],
  ['OpenSSL', 'Jan 12 00:10:37 2026 GMT: x', 'Jan 12 00:10:37 2026 GMT', '%b %e %H:%M:%S %Y %Z'],
  ['RFC 3164', '<34>Oct 11 22:14:15 mymachine su: failed', 'Oct 11 22:14:15', '%b %e %H:%M:%S'],
  ['syslog without priority', 'Jan  2 03:04:05 web-1 sshd[71]: x', 'Jan  2 03:04:05', '%b %e %H:%M:%S'],
  [
    'RFC 5424',
    '<165>1 2026-08-24T05:14:15.000003-07:00 192.0.2.1 myproc 8710 - - x',
    '2026-08-24T05:14:15.000003-07:00',
    '%Y-%m-%dT%H:%M:%S.%f%:z',
  ],
  [
    'syslog-ng',
    '2026-08-24T05:14:15+02:00 web-1 su[7]: x',
    '2026-08-24T05:14:15+02:00',
    '%Y-%m-%dT%H:%M:%S%:z',
  ],
  [
    'log4j',
    '2026-01-12 00:10:37,123 INFO  [main] c.e.App - x',
    '2026-01-12 00:10:37,123',
    '%Y-%m-%d %H:%M:%S,%L',
  ],
  [
    'Python logging',
    'ERROR:root:2026-01-12 00:10:37,123:x',
    '2026-01-12 00:10:37,123',
    '%Y-%m-%d %H:%M:%S,%L',
  ],
  [
    'Go log',
    '2026/01/12 00:10:37.123456 main.go:23: x',
    '2026/01/12 00:10:37.123456',
    '%Y/%m/%d %H:%M:%S.%f',
  ],
  [
    'Go slog',
    'time=2026-01-12T00:10:37.123Z level=INFO msg=x',
    '2026-01-12T00:10:37.123Z',
    '%Y-%m-%dT%H:%M:%S.%LZ',
  ],
  [
    'logfmt in quotes',
    'level=info ts="2026-01-12T00:10:37Z" msg=x',
    '2026-01-12T00:10:37Z',
    '%Y-%m-%dT%H:%M:%SZ',
  ],
  [
    'Docker JSON log',
    '{"log":"x\\n","stream":"stdout","time":"2026-01-12T00:10:37.123456789Z"}',
    '2026-01-12T00:10:37.123456789Z',
    '%Y-%m-%dT%H:%M:%S.%f000Z',
  ],
  [
    'PostgreSQL',
    '2026-01-12 00:10:37.123 UTC [4711] LOG:  checkpoint starting: time',
    '2026-01-12 00:10:37.123 UTC',
    '%Y-%m-%d %H:%M:%S.%L %Z',
  ],
  ['MySQL', '2026-01-12T00:10:37.123456Z 8 [Note] x', '2026-01-12T00:10:37.123456Z', '%Y-%m-%dT%H:%M:%S.%fZ'],
  ['Redis', '1:M 12 Jan 2026 00:10:37.123 * Ready', '12 Jan 2026 00:10:37.123', '%d %b %Y %H:%M:%S.%L'],
  ['Tomcat', '12-Jan-2026 00:10:37.123 INFO [main] x', '12-Jan-2026 00:10:37.123', '%d-%b-%Y %H:%M:%S.%L'],
  ['Squid', '1768176637.123    374 10.0.0.1 TCP_MISS/200 x', '1768176637.123', '%s.%L'],
  ['auditd', 'type=SYSCALL msg=audit(1768176637.123:24287): arch=c000003e', '1768176637.123', '%s.%L'],
  ['Unix seconds', '1768176637 up', '1768176637', '%s'],
  ['Unix milliseconds in JSON', '{"id":1234567890,"ts":1768176637123,"a":1}', '1768176637123', '%s%L'],
  ['Unix microseconds', 't=1768176637123456 x', '1768176637123456', '%s%f'],
  ['Unix nanoseconds', '{"time": 1768176637123456789}', '1768176637123456789', '%s%f000'],
  ['CEF', 'CEF:0|A|B|1|2|3|4|rt=1768176637123 src=10.0.0.1', '1768176637123', '%s%L'],
  ['Windows', '1/12/2026 3:04:05 PM,Information,x', '1/12/2026 3:04:05 PM', '%m/%d/%Y %-I:%M:%S %p'],
  ['IIS', '2026-01-12 00:10:37 W3SVC1 10.0.0.1 GET /', '2026-01-12 00:10:37', '%Y-%m-%d %H:%M:%S'],
  [
    'Windows event as XML',
    `<Event><System><TimeCreated SystemTime='2026-01-12T00:10:37.1234567Z'/></System></Event>`,
    '2026-01-12T00:10:37.1234567Z',
    '%Y-%m-%dT%H:%M:%S.%f0Z',
  ],
  ['Cisco', '<189>45: Jan 12 2026 00:10:37: %ASA-6-302013: x', 'Jan 12 2026 00:10:37', '%b %e %Y %H:%M:%S'],
  ['klog', 'I0112 00:10:37.123456       1 main.go:1] x', '0112 00:10:37.123456', '%m%d %H:%M:%S.%f'],
  [
    'mail',
    'Date: Mon, 12 Jan 2026 00:10:37 +0100',
    'Mon, 12 Jan 2026 00:10:37 +0100',
    '%a, %d %b %Y %H:%M:%S %z',
  ],
  ['German', '12.01.2026 00:10:37 Anmeldung', '12.01.2026 00:10:37', '%d.%m.%Y %H:%M:%S'],
  ['without separators', '20260112T001037Z x', '20260112T001037Z', '%Y%m%dT%H%M%SZ'],
  ['fourteen digits', 'a|20260112001037|x', '20260112001037', '%Y%m%d%H%M%S'],
  ['HDFS', '260112 001037 148 INFO dfs.DataNode: x', '260112 001037', '%y%m%d %H%M%S'],
  ['Spark', '26/01/12 00:10:37 INFO executor.Executor: x', '26/01/12 00:10:37', '%y/%m/%d %H:%M:%S'],
  ['Android', '01-12 00:10:37.811  1702  2395 D Window: x', '01-12 00:10:37.811', '%m-%d %H:%M:%S.%L'],
  ['Proxifier', '[01.12 16:49:06] chrome.exe - proxy', '01.12 16:49:06', '%m.%d %H:%M:%S'],
  ['phone', '20260112-22:15:29:606|Step|3|x', '20260112-22:15:29:606', '%Y%m%d-%H:%M:%S:%L'],
  ['Blue Gene', 'R02 2026-01-12-15.42.50.363779 R02', '2026-01-12-15.42.50.363779', '%Y-%m-%d-%H.%M.%S.%f'],
];

describe('the timestamps of a log', () => {
  test.each(LOGS)('%s', (_, line, timestamp, format) => {
    const [best] = guessTimes([line]);
    expect(best).toMatchObject({ matched: 1, example: timestamp });
    expect(found(line, best?.timestamp_pattern ?? '')).toBe(timestamp);
    const shown = best?.timestamp_format ?? '';
    // One line does not show how small numbers are padded.
    expect(shown.replace('%-d', '%d').replace('%-m', '%m')).toBe(format);
    expect(E.isRight(compileStrftime(shown, utc))).toBe(true);
    expect(E.map((look: RegExp) => look.test(timestamp))(lookOf(shown))).toEqual(E.right(true));
  });

  test('the log of the bundled example', () => {
    const lines = readFileSync('generators/access-log/access.log', 'utf8').trim().split('\n');
    expect(guessTimes(lines)[0]).toMatchObject({
      timestamp_format: '%d/%b/%Y:%H:%M:%S %z',
      matched: lines.length,
    });
  });

  test('a day of one digit, of two with a blank, and of two with a zero have different formats', () => {
    const formatOf = (...lines: readonly string[]) => guessTimes(lines)[0]?.timestamp_format;
    expect(formatOf('Jan  2 03:04:05 x', 'Jan 12 03:04:05 x')).toBe('%b %e %H:%M:%S');
    expect(formatOf('Jan 02 03:04:05 x', 'Jan 12 03:04:05 x')).toBe('%b %d %H:%M:%S');
    expect(formatOf('Jan 2 03:04:05 x', 'Jan 12 03:04:05 x')).toBe('%b %-d %H:%M:%S');
  });

  test('the day is the number that is above 12', () => {
    const days = ['01/02/2026 10:00:00', '13/02/2026 10:00:00', '14/02/2026 10:00:00'];
    expect(guessTimes(days)[0]?.timestamp_format).toBe('%d/%m/%Y %H:%M:%S');
    expect(guessTimes(['01/02/2026 10:00:00', '02/13/2026 10:00:00'])[0]?.timestamp_format).toBe(
      '%m/%d/%Y %H:%M:%S',
    );
  });

  test('fractions of different lengths are one guess', () => {
    const lines = ['2026-01-12T00:10:37.1Z a', '2026-01-12T00:10:37.123456Z b', '2026-01-12T00:10:37.12Z c'];
    expect(guessTimes(lines)[0]).toMatchObject({ matched: 3, timestamp_format: '%Y-%m-%dT%H:%M:%S.%fZ' });
  });

  test('lines of a stack trace do not match, and the best guess has the time of the event', () => {
    const lines = ['2026-01-12 00:10:37,123 ERROR x', 'java.lang.Error: x', '\tat a.b(C.java:12)'];
    expect(guessTimes(lines)[0]).toMatchObject({ matched: 1 });
  });

  test('the time of the event comes before other times of a JSON log', () => {
    const line = JSON.stringify({
      user: { created: '2020-01-01T00:00:00Z' },
      expires_at: '2027-01-01T00:00:00Z',
      '@timestamp': '2026-01-12T00:10:37.123Z',
    });
    const guesses = guessTimes([line, line]);
    expect(guesses.map(({ example }) => example)).toEqual([
      '2026-01-12T00:10:37.123Z',
      '2027-01-01T00:00:00Z',
      '2020-01-01T00:00:00Z',
    ]);
  });

  test.each([
    [[]],
    [['']],
    [['no time here', '10.0.0.1 1.2.3.4:5678', '550e8400-e29b-41d4-a716-446655440000']],
  ])('nothing is guessed from %j', (lines) => {
    expect(guessTimes(lines)).toEqual([]);
  });

  test('hostile lines take linear time', () => {
    const lines = ['2026-'.repeat(50_000), '1'.repeat(250_000), '"a":'.repeat(60_000), ' '.repeat(250_000)];
    expect(guessTimes(lines)).toEqual([]);
  });
});
