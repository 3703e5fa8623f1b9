import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { fakeIo, folderWith, spate } from '../../cli/support.js';
import { MADE_FROM, madeFrom } from './made.js';

const pad = (value: number, width = 2): string => String(value).padStart(width, '0');
/** Instants that are a few seconds apart, over some days and hours. */
const FIRST = Date.UTC(2017, 5, 9, 20, 10, 40);
const INSTANTS = Array.from({ length: 240 }, (_, at) => new Date(FIRST + at * 977_131));

const parts = (date: Date) => ({
  Y: String(date.getUTCFullYear()),
  y: pad(date.getUTCFullYear() % 100),
  m: pad(date.getUTCMonth() + 1),
  d: pad(date.getUTCDate()),
  H: pad(date.getUTCHours()),
  M: pad(date.getUTCMinutes()),
  S: pad(date.getUTCSeconds()),
  ms: pad(date.getUTCMilliseconds(), 3),
  us: `${pad(date.getUTCMilliseconds(), 3)}${pad((date.getTime() * 7) % 1_000, 3)}`,
  a: date.toUTCString().slice(0, 3),
  b: date.toUTCString().slice(8, 11),
  s: String(Math.floor(date.getTime() / 1_000)),
  bare: [date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds(), date.getUTCMilliseconds()].join(':'),
});
type Parts = ReturnType<typeof parts>;

/** A log, how it is written, and the groups of a line that are times of 2031. */
const LOGS: readonly (readonly [name: string, line: (p: Parts, at: number) => string, look: RegExp])[] = [
  [
    'HDFS',
    ({ y, m, d, H, M, S }, at) =>
      `${y}${m}${d} ${H}${M}${S} ${100 + (at % 9)} INFO dfs.FSNamesystem: allocated block ${at * 31}`,
    /^31(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01]) (?:[01]\d|2[0-3])[0-5]\d[0-5]\d \d{3} INFO dfs\.FSNamesystem: allocated block \d+$/,
  ],
  [
    'Spark',
    ({ y, m, d, H, M, S }, at) =>
      `${y}/${m}/${d} ${H}:${M}:${S} INFO executor.Executor: Running task ${at}.0`,
    /^31\/0[5-9]\/\d\d \d\d:[0-5]\d:[0-5]\d INFO executor\.Executor: Running task \d+\.0$/,
  ],
  [
    'Android',
    ({ m, d, H, M, S, ms }, at) =>
      `${m}-${d} ${H}:${M}:${S}.${ms}  1702  ${2395 + (at % 5)} D Wm: printFreezing ${at}`,
    /^0[5-9]-\d\d \d\d:[0-5]\d:[0-5]\d\.\d{3} {2}1702 {2}\d{4} D Wm: printFreezing \d+$/,
  ],
  [
    'Proxifier',
    ({ m, d, H, M, S }, at) =>
      `[${m}.${d} ${H}:${M}:${S}] chrome.exe - proxy.cse.test:5070 close, ${at} bytes sent`,
    /^\[0[5-9]\.\d\d \d\d:[0-5]\d:[0-5]\d\] chrome\.exe - \S+:5070 close, \d+ bytes sent$/,
  ],
  [
    'a phone',
    ({ Y, m, d, bare }, at) => `${Y}${m}${d}-${bare}|Step_LSC|30002312|onStandStepChanged ${3_500 + at}`,
    /^2031\d{4}-\d{1,2}:\d{1,2}:\d{1,2}:\d{1,3}\|Step_LSC\|\d+\|onStandStepChanged \d+$/,
  ],
  [
    'Blue Gene, with three times',
    ({ Y, m, d, H, M, S, s, us }, at) =>
      `- ${s} ${Y}.${m}.${d} R02-M1-N${at % 7} ${Y}-${m}-${d}-${H}.${M}.${S}.${us} R02-M1-N${at % 7} RAS KERNEL INFO parity error ${at}`,
    /^- 193\d{7} 2031\.\d\d\.\d\d R02-M1-N\d 2031-\d\d-\d\d-\d\d\.\d\d\.\d\d\.\d{6} R02-M1-N\d RAS KERNEL INFO parity error \d+$/,
  ],
  [
    'Thunderbird, with a time that has no year',
    ({ Y, m, d, H, M, S, b, s }, at) =>
      `- ${s} ${Y}.${m}.${d} dn${at % 9} ${b} ${Number(d)} ${H}:${M}:${S} dn${at % 9}/dn${at % 9} crond[${at}]: session opened`,
    /^- 193\d{7} 2031\.\d\d\.\d\d \S+ [A-Z][a-z]{2} \d{1,2} \d\d:\d\d:\d\d \S+ crond\[\d+\]: session opened$/,
  ],
  [
    'syslog with key=value, whose times have no year',
    ({ b, d, H, M, S }, at) =>
      `${b} ${d.replace(/^0/, ' ')} ${H}:${M}:${S} combo sshd(pam_unix)[${at}]: authentication failure; logname= uid=0 euid=0 tty=NODEVssh ruser= rhost=218.188.2.${at % 200}`,
    /^(?:May|Jun|Jul|Aug) [ \d]\d \d\d:\d\d:\d\d \S+ sshd\(pam_unix\)\[\d+\]: authentication failure; logname= uid=0 euid=0 tty=NODEVssh ruser= rhost=[\d.]+$/,
  ],
  [
    'syslog in which one program of many writes the year',
    ({ Y, b, d, a, H, M, S }, at) =>
      `${b} ${d.replace(/^0/, ' ')} ${H}:${M}:${S} combo ${at % 9 === 4 ? `ftpd[${at}]: connection from 218.188.2.${at % 200} () at ${a} ${b} ${d} ${H}:${M}:${S} ${Y}` : `su[${at}]: session opened`}`,
    /^(?:May|Jun|Jul|Aug) [ \d]\d \d\d:\d\d:\d\d \S+ (?:su\[\d+\]: session opened|ftpd\[\d+\]: connection from [\d.]+ \(\) at [A-Z][a-z]{2} [A-Z][a-z]{2} \d\d \d\d:\d\d:\d\d 2031)$/,
  ],
  [
    'epoch seconds',
    ({ s }, at) => `${s}: New client ${at} connected`,
    /^193\d{7}: New client \d+ connected$/,
  ],
  [
    'epoch milliseconds',
    ({ s, ms }, at) => `{"ts":${s}${ms},"n":${at % 50}}`,
    /^\{"ts":193\d{10},"n":\d+\}$/,
  ],
  ['epoch microseconds', ({ s, us }, at) => `t=${s}${us} v=${at} w=${at * 3}`, /^t=193\d{13} v=\d+ w=\d+$/],
  [
    'JSON with dates in texts and other members',
    ({ Y, m, d, H, M, S, s }, at) =>
      `{"time":"${Y}-${m}-${d}T${H}:${M}:${S}Z","day":"${Y}-${m}-${d}","note":"until ${Y}/${m}/${d} ${H}:${M}:${S} by x${at % 7}","url":"/a/${at % 5}?at=${s}"}`,
    /^\{"time":"2031-[^"]{14}Z","day":"2031-\d\d-\d\d","note":"until 2031\/\d\d\/\d\d \d\d:\d\d:\d\d by x\d","url":"\/a\/\d\?at=193\d{7}"\}$/,
  ],
];

describe.each(LOGS)('a generator of %s', (_, lineOf, look) => {
  test('writes new times only', async () => {
    const log = INSTANTS.map((instant, at) => lineOf(parts(instant), at)).join('\n');
    const { learned, events } = await madeFrom(log);
    expect(learned.model.undated).toEqual({ count: 0, first: null });
    expect(events).toHaveLength(400);
    expect(events.filter((event) => !look.test(event)).slice(0, 3)).toEqual([]);
  });
});

describe('times that differ from the time of their record', () => {
  const second = (line: (p: Parts, later: Parts, at: number) => string): Promise<readonly string[]> =>
    madeFrom(
      INSTANTS.map((instant, at) =>
        line(parts(instant), parts(new Date(instant.getTime() + 86_400_000 * (1 + (at % 3)))), at),
      ).join('\n'),
    ).then(({ events }) => events);

  test('keep their distance', async () => {
    const events = await second(
      (now, later, at) =>
        `${now.Y}-${now.m}-${now.d} ${now.H}:${now.M}:${now.S} lease ${at} ends ${later.Y}-${later.m}-${later.d} ${later.H}:${later.M}:${later.S} UTC`,
    );
    const distances = events.map((event) => {
      const [own = '', other = ''] = event.match(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g) ?? [];
      return Math.round((Date.parse(`${other}Z`) - Date.parse(`${own}Z`)) / 1_000);
    });
    expect(Math.min(...distances)).toBeGreaterThanOrEqual(86_400 - 1);
    expect(Math.max(...distances)).toBeLessThanOrEqual(3 * 86_400 + 1);
  });

  test('far from it stay values, such as birthdays and versions', async () => {
    const births = ['1985-03-12', '1990-11-30', '2001-01-09'];
    const events = await second(
      (now, _, at) =>
        `{"time":"${now.Y}-${now.m}-${now.d}T${now.H}:${now.M}:${now.S}Z","born":"${births[at % 3]}","v":"2016.11.03"}`,
    );
    expect(new Set(events.map((event) => JSON.parse(event).born))).toEqual(new Set(births));
    expect(new Set(events.map((event) => JSON.parse(event).v))).toEqual(new Set(['2016.11.03']));
  });

  test('tell no year if they are the same in all lines, such as the expiry of a certificate', async () => {
    const { learned, events } = await madeFrom(
      INSTANTS.map((_, at) => {
        const { b, d, H, M, S } = parts(new Date(FIRST + at * 100_000));
        return `${b} ${d.replace(/^0/, ' ')} ${H}:${M}:${S} web certs[${at}]: ${at % 9 === 4 ? 'expires Jun 10 12:00:00 2029 GMT' : 'checked'}`;
      }).join('\n'),
    );
    expect(new Date((learned.times[0] ?? 0) / 1_000).getUTCFullYear()).toBe(2026);
    expect(new Set(events.flatMap((event) => event.match(/expires.*/) ?? []))).toEqual(
      new Set(['expires Jun 10 12:00:00 2029 GMT']),
    );
  });

  test('move in texts that are repeated whole', async () => {
    const events = await second(
      (now, _, at) =>
        `{"time":"${now.Y}-${now.m}-${now.d}T${now.H}:${now.M}:${now.S}Z","text":"${'abcdefghij'.slice(at % 9)} ${at % 13} since ${now.Y}-${now.m}-${now.d} ${now.H}:${now.M}:${now.S}${' and more'.repeat(at % 4)}"}`,
    );
    expect(events.filter((event) => /20(?!31)\d\d-/.test(event))).toEqual([]);
    expect(events.filter((event) => /since 2031-/.test(event))).toHaveLength(events.length);
  });
});

test('events begin in the year in which they are made', () => {
  expect(new Date(MADE_FROM / 1_000).getUTCFullYear()).toBe(2031);
});

describe('records whose time is not found', () => {
  const learnText = async (text: string, ...more: readonly string[]) => {
    const cwd = await folderWith({ 'x.txt': '' });
    await writeFile(join(cwd, 'the.log'), text);
    return spate(['learn', 'the.log', '--out', 'made', '--seed', 's', ...more], fakeIo({ cwd }));
  };
  const timed = Array.from({ length: 10 }, (_, at) => `{"time": "2026-01-05T10:00:0${at}Z", "n": 1}`);
  const WARNING = 'No time was found in 2 of 12 records, the first is record 11';

  test('are reported, written to standard error, and cost the exit code unless accepted', async () => {
    const text = [...timed, '{"n": 2}', '{"n": 2}'].join('\n');
    const { code, out, err } = await learnText(text);
    expect(code).toBe(1);
    expect(out).toContain(WARNING);
    expect(err).toMatch(new RegExp(`^spate: ${WARNING}.* --allow-undated\\.\\n$`));
    const accepted = await learnText(text, '--allow-undated', '--json');
    expect(accepted).toMatchObject({ code: 0, err: '' });
    expect(JSON.parse(accepted.out)).toMatchObject({
      undated: { count: 2, first: 11 },
      warnings: [expect.stringContaining(WARNING)],
    });
  });

  const undatedIn = async (text: string) => (await madeFrom(text, { events: 1 })).learned.model.undated;

  test('count if they seem to hold one, also in a log without any known time', async () => {
    const undated = await undatedIn(
      'at 7:09:11 o clock\nat 8:09:11 in the year 12\n'
        .repeat(3)
        .replaceAll(':', '-')
        .replaceAll('at', 'Nov 3'),
    );
    expect(undated).toEqual({ count: 6, first: 1 });
  });

  test('are no records of a log without times', async () => {
    expect(await undatedIn('hello 1\nhello 2\n')).toEqual({ count: 0, first: null });
  });

  test('of several formats in one log are all found', async () => {
    const text = [
      ...timed,
      ...Array.from({ length: 10 }, (_, at) => `Jan  5 10:00:0${at} web sshd[${at}]: x ${at}`),
      ...Array.from(
        { length: 10 },
        (_, at) => `10.0.0.1 - - [05/Jan/2026:10:00:0${at} +0000] "GET / HTTP/1.1" 200 1`,
      ),
    ].join('\n');
    expect(await undatedIn(text)).toEqual({ count: 0, first: null });
  });
});
