import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { recordsOf } from '../../../src/analysis/learn/records.js';
import { madeFrom } from './made.js';

const LOGS = join(import.meta.dirname, 'logs');

const IP = '(?:\\d{1,3}(?:\\.\\d{1,3}){3}|[\\da-f]{0,4}(?::[\\da-f]{0,4}){2,7})';
const UTC = '\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d(?:\\.\\d{3})? UTC';
const SYSLOG = '[A-Z][a-z]{2} [ \\d]\\d \\d\\d:\\d\\d:\\d\\d';
const DPKG = '\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d';

/** The format of each log, as the manual of its program has it. */
const FORMATS: Readonly<Record<string, string>> = {
  'nginx-access': `${IP} - \\S+ \\[\\d\\d/[A-Z][a-z]{2}/\\d{4}:\\d\\d:\\d\\d:\\d\\d \\+0000\\] "[A-Z]+ \\S+ HTTP/[\\d.]+" \\d{3} \\d+ "[^"]*" "[^"]*"`,
  'python-http': `(?:${IP} - - \\[\\d\\d/[A-Z][a-z]{2}/\\d{4} \\d\\d:\\d\\d:\\d\\d\\] (?:"[A-Z]+ \\S+ HTTP/[\\d.]+" \\d{3} -|code \\d{3}, message .+))`,
  haproxy: `${SYSLOG} \\S+ haproxy\\[\\d+\\]: ${IP}:\\d+ \\[\\d\\d/[A-Z][a-z]{2}/\\d{4}:\\d\\d:\\d\\d:\\d\\d\\.\\d{3}\\] \\S+ \\S+/\\S+ [\\d/-]+ -?\\d+ \\d+ - - [\\w-]{4} [\\d/]+ [\\d/]+ ".*"|${SYSLOG} \\S+ haproxy\\[\\d+\\]: .+`,
  rsyslog: `${SYSLOG} \\S+ [\\w.-]+(?:\\[\\d+\\])?: .+`,
  'rsyslog-5424': `<\\d{1,3}>1 \\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}\\+00:00 \\S+ \\S+ \\S+ \\S+ (?:-|\\[.*\\]) .*`,
  journalctl: `${SYSLOG} \\S+ [\\w.-]+(?:\\[\\d+\\])?: .+`,
  'journalctl-json': '\\{"[^]*\\}',
  postgresql: `${UTC} \\[\\d+\\] (?:\\S+@\\S+ )?(?:LOG|ERROR|FATAL|STATEMENT|DETAIL|HINT|CONTEXT|WARNING): {2}[^]+`,
  'postgresql-prefix': `${UTC} \\[\\d+\\]: user=\\S*,db=\\S*,app=[^,]*,client=\\S* (?:LOG|ERROR|FATAL|STATEMENT|DETAIL|HINT|WARNING): {2}[^]+`,
  'clickhouse-server':
    '\\d{4}\\.\\d\\d\\.\\d\\d \\d\\d:\\d\\d:\\d\\d\\.\\d{6} \\[ \\d+ \\] \\{[\\da-f-]*\\} <[A-Z][a-z]+> [^]*',
  dpkg: `${DPKG} (?:configure|status|install|upgrade|startup|trigproc|remove|purge|conffile)\\b.*`,
  alternatives: `update-alternatives ${DPKG}: (?:run with|link group|auto-repair|status|link) .*`,
  'apache-error':
    '\\[[A-Z][a-z]{2} [A-Z][a-z]{2} [ \\d]\\d \\d\\d:\\d\\d:\\d\\d\\.\\d{6} \\d{4}\\] \\[\\w+:\\w+\\] \\[pid \\d+:tid \\d+\\] .+',
  auditd: 'type=[A-Z_]+ msg=audit\\(\\d{10}\\.\\d{3}:\\d+\\): .+',
  loggen:
    '<\\d+>\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d localhost prg\\d{5}\\[\\d+\\]: seq: \\d{10}, thread: \\d{4}, runid: \\d+, stamp: \\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d (?:PADD)+',
  mosquitto:
    '\\d{10}: (?:New (?:connection|client connected) from \\S+|Sending [A-Z]+ to|Received [A-Z]+ from|Client \\S+|No will message|mosquitto version|Config loaded|Opening|Will message|Socket error|Denied|Saving) ?.*',
  'nats-server':
    '\\[\\d+\\] \\d{4}/\\d\\d/\\d\\d \\d\\d:\\d\\d:\\d\\d\\.\\d{6} \\[(?:INF|DBG|TRC|WRN|ERR)\\] .+',
  redis: '\\d+:[MCSX] \\d\\d [A-Z][a-z]{2} \\d{4} \\d\\d:\\d\\d:\\d\\d\\.\\d{3} [-*#.] .+',
};

/** People, machines, networks and keys that the logs name. */
const PRIVATE =
  /\b(?:mkowalski|tgreen|sfischer|jdoe77|ops-backup|fileserver3|lwagner|ppetrov|backupsvc|buildbox9|reporting_jane|hmeyer|qadams|build_ci|acme-widgets|mwatson|jfernandez|k\.oduya|baduser|ngreene|tobias\.kern|svc_deploy|olgap|hiroshi|oracle1|ftpguy|testy|hannah_vogt|r_delgado|etl_nightly|intruder_x|edge-fra-07|kundenpost|fabrikam-labs)\b|\b(?:203\.0\.113|198\.51\.100|192\.168\.7|(?:10\.14|46\.4|185\.22|85\.214|91\.189|203\.0|52\.47)\.\d{1,3})\.\d{1,3}\b|(?<![\da-f:])[\da-f]{2}(?::[\da-f]{2}){5,}|(?<=SHA256:)[\w+/]{43}|\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b|(?<="_(?:BOOT|MACHINE)_ID":")[\da-f]{32}/g;

/** What in a line says when: a date with a year, a date without one, a Unix time. All logs are of 2025 and 2026. */
const STALE = [
  /(?<![\d.])20(?:2\d|30)[-/.](?:0[1-9]|1[0-2])[-/.](?:0[1-9]|[12]\d|3[01])(?![\d.])/,
  /\b\d{1,2}[/ -][A-Z][a-z]{2}[/ -]20(?:2\d|30)\b/,
  /\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b.{10,22} 20(?:2\d|30)\b/,
  /\b(?:Jan|Feb|Mar|Apr|Sep|Oct|Nov|Dec) [ \d]\d \d\d:\d\d:\d\d/,
  /(?<![\w.-])17[4-9]\d{7}(?:\d{3}|\d{6})?(?![\w])/,
];

describe.each(Object.keys(FORMATS))('a generator of the log of %s', (name) => {
  const text = readFileSync(join(LOGS, `${name}.log`), 'utf8');
  const look = new RegExp(`^(?:${FORMATS[name]})\\n?$`);
  const values = [...new Set(text.match(PRIVATE) ?? [])];

  test('has a format that its log has', () => {
    const { records } = recordsOf(text);
    expect(records.filter((record) => !look.test(record)).length / records.length).toBeLessThanOrEqual(0.01);
    expect(records.filter((record) => STALE.some((stale) => stale.test(record))).length).toBeGreaterThan(
      records.length * 0.99,
    );
  });

  test.each([
    ['scrubbed', false],
    ['with its values', true],
  ])('keeps the format and writes new times only, %s', async (_, keep_values) => {
    const { events, files, learned } = await madeFrom(text, { keep_values });
    expect(learned.model.undated.count / learned.model.records).toBeLessThan(0.01);
    expect(events).toHaveLength(400);
    const strange = events.filter((event) => !look.test(event));
    expect({ share: strange.length / 400 <= 0.01, strange: strange.slice(0, 3) }).toEqual({
      share: true,
      strange: strange.slice(0, 3),
    });
    expect(events.filter((event) => STALE.some((stale) => stale.test(event))).slice(0, 3)).toEqual([]);
    if (text.startsWith('{')) for (const event of events) expect(() => JSON.parse(event)).not.toThrow();
    if (keep_values) return;
    const made = [...files.values(), ...events].join('\n');
    expect(values.filter((value) => made.includes(value))).toEqual([]);
  });
});

test('the logs are of at least twelve programs, and most hold private values', () => {
  const texts = Object.keys(FORMATS).map((name) => readFileSync(join(LOGS, `${name}.log`), 'utf8'));
  expect(texts.length).toBeGreaterThanOrEqual(12);
  expect(texts.filter((text) => (text.match(PRIVATE)?.length ?? 0) > 0).length).toBeGreaterThanOrEqual(10);
});
