import { appendFileSync, renameSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Json } from '../../../../src/domain/json.js';
import { memoryLog } from '../../../support/logs.js';
import { build, directory, inputOf, isoAt, offsetsOf, recording, START } from './support.js';

const SECOND = 1_000_000;

/** A log with lines at these microseconds. */
const logAt = (times: readonly number[], name = ''): string =>
  times.map((at, i) => `${isoAt(at)} ${name}${i}\n`).join('');

describe('the spacing of a recording', () => {
  test.each([1, 10, 100, 0.5, 3])('of an hour is exact to a microsecond at speed %d', async (speed) => {
    // Irregular: a log of an hour, with microseconds.
    const times: number[] = [];
    for (let at = 0; at < 3_600 * SECOND; at += 1 + ((times.length * 7_919_777) % 2_400_013)) times.push(at);
    const folder = recording({ 'a.log': logAt(times) });
    const input = await inputOf({ path: `${folder}/a.log`, speed });
    expect(times.length).toBeGreaterThan(2_000);
    expect(offsetsOf(input, 10_000, 512)).toEqual(times.map((at) => Math.round(at / speed)));
  });

  test('starts now by default, and at `start`', async () => {
    const folder = recording({ 'a.log': logAt([0, SECOND]) });
    expect(offsetsOf(await inputOf({ path: `${folder}/a.log`, start: 'now' }, { now: START + 5 }))).toEqual([
      5,
      SECOND + 5,
    ]);
  });

  test('is cut where a gap is longer than max_gap', async () => {
    const folder = recording({ 'a.log': logAt([0, SECOND, 100 * SECOND, 103 * SECOND, 900 * SECOND]) });
    const input = await inputOf({ path: `${folder}/a.log`, max_gap: 5, speed: 2 });
    expect(offsetsOf(input)).toEqual([0, 0.5, 3, 4.5, 7].map((at) => at * SECOND));
  });

  test('repeats with a gap, endlessly or for some passes, and an end stays an end', async () => {
    const folder = recording({ 'a.log': logAt([0, 2 * SECOND]) });
    const given = { path: `${folder}/a.log`, repeat: true, repeat_gap: 3 };
    expect(offsetsOf(await inputOf(given), 5)).toEqual([0, 2, 5, 7, 10].map((at) => at * SECOND));
    const twice = await inputOf({ ...given, passes: 2 });
    expect(offsetsOf(twice)).toHaveLength(4);
    expect(twice.fill(new Float64Array(3))).toBe(0);
  });

  test('gets jitter that is seeded, bounded and keeps the order', async () => {
    const times = Array.from({ length: 300 }, (_, i) => i * 20_000);
    const folder = recording({ 'a.log': logAt(times) });
    const given = { path: `${folder}/a.log`, jitter: 0.05 };
    const shaken = offsetsOf(await inputOf(given));
    expect(shaken).toEqual(offsetsOf(await inputOf(given), 10_000, 64));
    expect(shaken).toEqual([...shaken].sort((a, b) => a - b));
    const shifts = shaken.map((at, i) => at - (times[i] as number));
    expect(Math.min(...shifts)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...shifts)).toBeLessThanOrEqual(50_000);
    expect(new Set(shifts).size).toBeGreaterThan(100);
  });

  test('skips what lies before the start of generation', async () => {
    const folder = recording({ 'a.log': logAt([0, 1, 2, 3, 4].map((at) => at * SECOND)) });
    const given = { path: `${folder}/a.log` };
    const input = await inputOf(given, { now: START + 2 * SECOND, skipPast: true });
    expect(input.records?.player().ordinal()).toBe(0);
    expect(offsetsOf(input)).toEqual([2, 3, 4].map((at) => at * SECOND));
    const { log, lines } = memoryLog();
    expect(offsetsOf(await inputOf(given, { now: START + 9 * SECOND, skipPast: true, log }))).toEqual([]);
    expect(lines.map(({ message }) => message)).toEqual([
      'records before the start of generation are skipped',
    ]);
  });
});

describe('several files', () => {
  test('are merged by time, ties in the order of their names', async () => {
    const steps = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { minLength: 10, maxLength: 10 }), async (all) => {
        const rows = all.map((list) => {
          let at = 0;
          return list.map((step) => (at += step * SECOND));
        });
        const folder = recording(
          Object.fromEntries(rows.map((times, i) => [`f${i}.log`, logAt(times, `f${i}-`)])),
        );
        const first = Math.min(...rows.flat());
        const expected = rows
          .flatMap((times, file) => times.map((at, i) => ({ at, text: `f${file}-${i}`, file })))
          .sort((a, b) => a.at - b.at || a.file - b.file);
        const input = await inputOf({ path: `${folder}/*.log` });
        const player = input.records?.player();
        const texts: string[] = [];
        for (let record = player?.next(); record != null; record = player?.next()) {
          texts.push((record.text() ?? '').split(' ')[1] as string);
        }
        expect(texts).toEqual(expected.map(({ text }) => text));
        expect(offsetsOf(input)).toEqual(expected.map(({ at }) => at - first));
      }),
      { numRuns: 30 },
    );
  });

  test('an empty one among them is left out, and is logged', async () => {
    const folder = recording({ 'a.log': '', 'b.log': logAt([0, SECOND]) });
    const { log, lines } = memoryLog();
    expect(offsetsOf(await inputOf({ path: `${folder}/*.log` }, { log }))).toEqual([0, SECOND]);
    expect(lines.map(({ message }) => message)).toEqual(['a file of the recording is empty']);
  });
});

describe('times of records', () => {
  test('without a time are those of the record before, with an earlier one too; both are logged', async () => {
    const text = [isoAt(0), 'no time', isoAt(5 * SECOND), isoAt(2 * SECOND), isoAt(6 * SECOND)].join('\n');
    const folder = recording({ 'a.log': text });
    const { log, lines } = memoryLog();
    expect(offsetsOf(await inputOf({ path: `${folder}/a.log` }, { log }))).toEqual(
      [0, 0, 5, 5, 6].map((at) => at * SECOND),
    );
    expect(lines.map(({ message, context }) => [message, context['line']])).toEqual([
      ['record without a time: it gets that of the record before it', 2],
      ['the recording goes back in time: the record follows at once', 4],
    ]);
  });

  test('records before the first time get that one', async () => {
    const folder = recording({ 'a.log': `# head\n\n${isoAt(0)}\n${isoAt(SECOND)}\n` });
    expect(offsetsOf(await inputOf({ path: `${folder}/a.log` }))).toEqual([0, 0, 0, SECOND]);
  });

  test('without a year go over New Year, and a leap day needs its year', async () => {
    const syslog = {
      timestamp_pattern: String.raw`^(?P<timestamp>\w+ +\d+ \S+)`,
      timestamp_format: '%b %d %H:%M:%S',
    };
    const folder = recording({
      'a.log': 'Dec 31 23:59:58 a b\nJan  1 00:00:01 a b\n',
      'b.log': 'Feb 28 23:59:59 a\nFeb 29 00:00:01 b\n',
    });
    expect(offsetsOf(await inputOf({ path: `${folder}/a.log`, ...syslog }))).toEqual([0, 3 * SECOND]);
    const leap = await inputOf({ path: `${folder}/b.log`, ...syslog, year: 2024 });
    expect(offsetsOf(leap)).toEqual([0, 2 * SECOND]);
  });

  test('without an offset are in the zone of the generator', async () => {
    const local = { timestamp_pattern: '^(?P<timestamp>.{19})', timestamp_format: '%Y-%m-%d %H:%M:%S' };
    // Clocks go forward from 2:00 to 3:00.
    const folder = recording({ 'a.log': '2025-03-30 01:59:59\n2025-03-30 03:00:00\n' });
    const params = { path: `${folder}/a.log`, ...local, start: '2026-03-01T12:00:00Z' };
    expect(offsetsOf(await inputOf(params, { zoneId: 'Europe/Berlin' }))).toEqual([0, SECOND]);
    expect(offsetsOf(await inputOf(params))).toEqual([0, 3_601 * SECOND]);
  });
});

describe('records of several lines', () => {
  const java = { record_start: String.raw`^\d{4}-`, timestamp_pattern: String.raw`^(?P<timestamp>\S+)` };

  test('begin at record_start; lines before the first one are a record too', async () => {
    const text = `lost\n  more\n${isoAt(0)} boom\r\n  at x\r\n\n  at y\r\n${isoAt(SECOND)} fine\n${isoAt(2 * SECOND)} end`;
    const folder = recording({ 'a.log': text });
    const input = await inputOf({ path: `${folder}/a.log`, ...java });
    const player = input.records?.player();
    const records = Array.from({ length: 4 }, () => {
      const record = player?.next();
      return [record?.line, record?.text()];
    });
    expect(records).toEqual([
      [1, 'lost\n  more'],
      [3, `${isoAt(0)} boom\r\n  at x\r\n\n  at y`],
      [7, `${isoAt(SECOND)} fine`],
      [8, `${isoAt(2 * SECOND)} end`],
    ]);
    expect(player?.next()).toBeNull();
    expect(offsetsOf(input)).toEqual([0, 0, SECOND, 2 * SECOND]);
  });

  test('may cross the reads of a file, and one of more than 1 MiB has a time but no text', async () => {
    const long = `${isoAt(SECOND)} long\n${`${'z'.repeat(99)}\n`.repeat(11_000)}`;
    const middle = `${isoAt(2 * SECOND)} middle\n${`${'y'.repeat(99)}\n`.repeat(9_000)}`;
    const folder = recording({ 'a.log': `${isoAt(0)} first\n${long}${middle}${isoAt(3 * SECOND)} last\n` });
    const input = await inputOf({ path: `${folder}/a.log`, ...java });
    const player = input.records?.player();
    const lengths = Array.from({ length: 4 }, () => {
      const record = player?.next();
      return [record?.line, record?.isTooLong, record?.text()?.length];
    });
    expect(lengths).toEqual([
      [1, false, isoAt(0).length + 6],
      [2, true, undefined],
      [11_003, false, middle.length - 1],
      [20_004, false, isoAt(0).length + 5],
    ]);
    expect(offsetsOf(input)).toEqual([0, 1, 2, 3].map((at) => at * SECOND));
  });

  test('a record that is not UTF-8 has a time but no text', async () => {
    const folder = recording({ 'a.log': Buffer.from(`${isoAt(0)} \xff\xfe\n`, 'latin1') });
    const player = (await inputOf({ path: `${folder}/a.log` })).records?.player();
    expect(player?.next()?.text()).toBeNull();
  });

  test('a byte order mark is no part of the first record', async () => {
    const folder = recording({ 'a.log': `\ufeff${isoAt(0)} é\n` });
    expect((await inputOf({ path: `${folder}/a.log` })).records?.player().next()?.text()).toBe(
      `${isoAt(0)} é`,
    );
  });
});

describe('a position', () => {
  test('resumes with the next record, at every point, for the input and its records', async () => {
    const folder = recording({
      'a.log': logAt(
        [0, 0, 3, 5].map((at) => at * SECOND),
        'a',
      ),
      'b.log': logAt(
        [0, 1, 3].map((at) => at * SECOND),
        'b',
      ),
    });
    const given = { path: `${folder}/*.log`, repeat: true, jitter: 0.4, max_gap: 1.5, speed: 3 };
    const whole = offsetsOf(await inputOf(given), 30);
    for (let at = 0; at < 25; at++) {
      const before = await inputOf(given);
      const out = new Float64Array(1);
      for (let i = 0; i < at; i++) before.fill(out);
      const state = JSON.parse(JSON.stringify(before.snapshot())) as Json;
      const resumed = await inputOf(given);
      resumed.restore(state);
      expect(resumed.records?.player().ordinal()).toBe(at);
      expect((resumed.records?.player().next()?.micros ?? 0) - START).toBe(whole[at]);
      expect(offsetsOf(resumed, 5)).toEqual(whole.slice(at, at + 5));
    }
  });

  test('keeps the time of the first record, whatever now is by then', async () => {
    const folder = recording({ 'a.log': logAt([0, SECOND, 2 * SECOND]) });
    const given = { path: `${folder}/a.log`, start: 'now' };
    const before = await inputOf(given, { now: START });
    before.fill(new Float64Array(1));
    const resumed = await inputOf(given, { now: START + 77 });
    resumed.restore(before.snapshot());
    expect(offsetsOf(resumed)).toEqual([SECOND, 2 * SECOND]);
  });

  test('of other files is refused', async () => {
    const folder = recording({ 'a.log': logAt([0]), 'b.log': logAt([0]) });
    const state = (await inputOf({ path: `${folder}/*.log` })).snapshot();
    const other = await inputOf({ path: `${folder}/a.log` });
    expect(() => other.restore(state)).toThrow('the recording had other files');
    expect(() => other.restore(7)).toThrow('the saved state of the recording is invalid');
  });

  test('that is inside a line now is refused; one at the end of a file without a line end is not', async () => {
    const folder = recording({ 'a.log': `${logAt([0, 1])}${isoAt(2)} x` });
    const path = `${folder}/a.log`;
    const input = await inputOf({ path });
    input.fill(new Float64Array(1));
    const state = input.snapshot();
    expect(offsetsOf(input)).toHaveLength(2);
    const ended = await inputOf({ path });
    ended.restore(input.snapshot());
    expect(offsetsOf(ended)).toEqual([]);
    writeFileSync(join(directory, path), `${isoAt(0)} longer than before\n${logAt([1, 2])}`);
    const changed = await inputOf({ path });
    expect(() => changed.restore(state)).toThrow(
      'a.log has changed: the position of the checkpoint is inside line 2',
    );
  });

  test('behind the end of a file that is shorter now is refused', async () => {
    const folder = recording({ 'a.log': logAt([0, 1, 2]) });
    const input = await inputOf({ path: `${folder}/a.log` });
    offsetsOf(input, 3, 1);
    writeFileSync(join(directory, folder, 'a.log'), logAt([0]));
    const shorter = await inputOf({ path: `${folder}/a.log` });
    expect(() => shorter.restore(input.snapshot())).toThrow('is shorter than at the checkpoint');
  });
});

describe('a file that changes while it is read', () => {
  const long = logAt(Array.from({ length: 30_000 }, (_, i) => i * 1_000));

  test('is read up to its size at the start', async () => {
    const folder = recording({ 'a.log': logAt([0, SECOND]) });
    const input = await inputOf({ path: `${folder}/a.log` });
    appendFileSync(join(directory, folder, 'a.log'), logAt([5 * SECOND]));
    expect(offsetsOf(input)).toEqual([0, SECOND]);
  });

  test.each([
    [
      'replaced',
      (path: string): void => {
        writeFileSync(`${path}.new`, long);
        renameSync(`${path}.new`, path);
      },
    ],
    ['truncated', (path: string) => truncateSync(path, 100)],
  ])('ends the input when it is %s', async (what, change) => {
    const folder = recording({ 'a.log': long });
    const input = await inputOf({ path: `${folder}/a.log` });
    input.fill(new Float64Array(10));
    change(join(directory, folder, 'a.log'));
    expect(() => offsetsOf(input, 30_000, 512)).toThrow(`a.log was ${what} while it was read`);
  });
});

describe('what cannot be played', () => {
  test.each([
    [{}, 'it does not exist'],
    [{ path: 'none/*.log' }, 'no file matches none/*.log'],
    [{ path: '.' }, 'name a regular file'],
    [{ speed: 0 }, 'speed must be greater than 0'],
    [{ speed: -1 }, 'speed must be greater than 0'],
    [{ speed: Number.NaN }, 'speed must be'],
    [{ max_gap: 0 }, 'max_gap must be greater than 0'],
    [{ repeat_gap: 0 }, 'repeat_gap must be greater than 0'],
    [{ jitter: -1 }, 'jitter must be at least 0'],
    [{ passes: 2 }, 'passes needs repeat: true'],
    [{ timestamp_pattern: '^\\S+' }, "has no group named 'timestamp'"],
    [{ timestamp_pattern: '(?P<timestamp>' }, 'is not a valid regular expression'],
    [{ timestamp_format: '%Q' }, '"%Q" cannot be read back as a time'],
    [{ timestamp_format: '%H:%M:%S' }, 'has no day and month'],
    [{ record_start: '(' }, 'is not a valid regular expression'],
  ])('%j: %s', async (params, problem) => {
    expect(await build({ path: 'missing.log', ...params })).toContain(problem);
  });

  test('a file without a time is an error with an example', async () => {
    const folder = recording({ 'a.log': logAt([0]), 'b.log': '\nhello world\n' });
    expect(await build({ path: `${folder}/*.log` })).toMatch(
      /b\.log: none of its first 1000 records .* "hello world"/,
    );
  });

  test('a recording without records ends at once, also with repeat', async () => {
    const folder = recording({ 'a.log': '' });
    expect(offsetsOf(await inputOf({ path: `${folder}/a.log`, repeat: true }))).toEqual([]);
  });

  test('a line without end is no log', async () => {
    const folder = recording({
      'a.log': Buffer.concat([Buffer.from(`${isoAt(0)}\n`), Buffer.alloc(70 * 1024 * 1024, 'x')]),
    });
    const input = await inputOf({ path: `${folder}/a.log` });
    expect(() => offsetsOf(input)).toThrow('has a record of more than 64 MiB, at line 2');
  });
});
