import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { runProgram } from '../../support/instance.js';
import { type FakeIoOptions, fakeIo, folderWith, spate } from '../support.js';

const TEMPLATE = `{"@timestamp": "{{ timestamp.isoformat() }}",
  "event": {"action": {{ module.rand.weighted_choice(['login', 'logout'], [0.75, 0.25]) | tojson }}},
  "anomaly": {{ globals.get('anomaly', 'none') | tojson }},
  "host": {{ params.host | tojson }},
  "note": "</script><img src=x onerror=alert(1)>"}
`;

const generatorWith = (template: string, inputs = "[{cron: {expression: '* * * * * *', count: 2}}]") => ({
  'demo/generator.yml': `
input: ${inputs}
event:
  template:
    mode: all
    params: {host: "\${params.host:-web-1}"}
    templates: [{demo: {template: demo.jinja}}]
output:
  - file: {path: out/never.log, formatter: {format: json}}
  - file: {path: out/other.log, formatter: {format: plain}}
`,
  'demo/demo.jinja': template,
});

const inspect = async (
  args: readonly string[],
  files: Readonly<Record<string, string>> = generatorWith(TEMPLATE),
  options: FakeIoOptions = {},
) => {
  const cwd = await folderWith(files);
  const result = await spate(['inspect', ...args], fakeIo({ cwd, ...options }));
  return { ...result, cwd };
};

const AT = ['--seed', '7', '--now', '2026-03-02T09:00:00Z'];
const jsonOf = async (...args: Parameters<typeof inspect>) => {
  const { code, out, err } = await inspect([...args[0], '--json'], args[1]);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return JSON.parse(out) as Record<string, unknown> & {
    fields: { path: string; top: { value: string }[] }[];
  };
};

describe('the report', () => {
  test('as text: rates of the schedule, speed, sizes and fields, aligned in 100 columns', async () => {
    const { code, out, err, cwd } = await inspect(['demo', '-n', '500', ...AT], undefined, {
      env: { COLUMNS: '100' },
    });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^demo: 500 events from 2026-03-02T09:00:00\+00:00\n {2}seed {6}7\n/);
    expect(out).toContain('schedule  2 events/s in the coming 24 hours; the same in every hour\n');
    expect(out).toMatch(/\n {12}[\d.]+ k?B\/s; 172,800 events, [\d.]+ MB a day\n/);
    expect(out).toMatch(/\n {2}speed {5}[\d,.]+ events\/s, [\d.]+ [kM]?B\/s made by this machine in /);
    expect(out).toMatch(/\n {2}format {4}JSON\n {2}repeats {3}\S+ %/);
    expect(out).toMatch(/\n\/event\/action +100 % {2}string +2 +0\.\d {2}"login" 7\d %, "logout" 2\d %\n/);
    expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
    expect((await readdir(join(cwd, 'demo'))).sort()).toEqual(['demo.jinja', 'generator.yml']);
  });

  test.each([60, 72, 140])('fits a terminal of %d columns', async (columns) => {
    const { out } = await inspect(['demo', '-n', '200'], undefined, { terminals: ['stdout'], columns });
    const widest = Math.max(...out.split('\n').map((line) => line.length));
    expect(widest).toBeLessThanOrEqual(columns);
    expect(widest).toBeGreaterThan(columns - 20);
  });

  test('is not cut in a pipe or file', async () => {
    const values = ['one', 'two', 'three', 'four', 'five'].map((number) => `${number}-of-the-values`);
    const template = `{"a": "{{ ${JSON.stringify(values)} | random }}"}`;
    const { out } = await inspect(['demo', '-n', '200'], generatorWith(template));
    const row = out.split('\n').find((line) => line.startsWith('/a '));
    expect(row).toMatch(/"five-of-the-values" \d+ %/);
    expect(row?.length).toBeGreaterThan(100);
    expect(row).not.toContain('…');
  });

  test('as JSON repeats with seed and clock, but for the speed', async () => {
    const { speed: first, ...one } = await jsonOf(['demo', '-n', '300', ...AT]);
    const { speed: second, ...two } = await jsonOf(['demo', '-n', '300', ...AT]);
    expect(two).toEqual(one);
    expect(Object.keys(first as object)).toEqual(Object.keys(second as object));
    expect(one).toMatchObject({
      made: 300,
      timestamps: 300,
      failed: 0,
      schedule: { timestamps: 172_800, is_complete: true },
      rates: { events_per_timestamp: 1, events_per_second: { mean: 2, min: 2, max: 2 } },
    });
  });

  test('names a drawn seed, which repeats the events', async () => {
    const drawn = await jsonOf(['demo', '-n', '300', '--now', '2026-03-02T09:00:00Z']);
    const again = await jsonOf([
      'demo',
      '-n',
      '300',
      '--now',
      '2026-03-02T09:00:00Z',
      '--seed',
      drawn['seed'] as string,
    ]);
    expect(again.fields).toEqual(drawn.fields);
  });

  test('of an hour of the day follows the inputs, in the time zone', async () => {
    const inputs = "[{cron: {expression: '0 * 8-9 * * *', count: 3}}]";
    const report = await jsonOf(
      ['demo', '-n', '10', '--now', '2026-03-02T00:00:00', '--timezone', 'Europe/Berlin'],
      generatorWith(TEMPLATE, inputs),
    );
    const { hours } = report['schedule'] as { hours: { start: string; timestamps: number }[] };
    expect(hours.filter(({ timestamps }) => timestamps > 0)).toEqual([
      { start: '2026-03-02T08:00:00+01:00', timestamps: 180 },
      { start: '2026-03-02T09:00:00+01:00', timestamps: 180 },
    ]);
  });

  test('takes globals, params and another output', async () => {
    const args = [
      'demo',
      '-n',
      '20',
      '--globals',
      '{"anomaly":"scan"}',
      '--params',
      '{"host":"db-9"}',
      '--output',
      '2',
    ];
    const { fields } = await jsonOf(args);
    const top = Object.fromEntries(fields.map(({ path, top: values }) => [path, values[0]?.value]));
    expect(top).toMatchObject({ '/anomaly': 'scan', '/host': 'db-9' });
    expect((await inspect([...args.slice(0, -1), '3'])).err).toContain('there is no output 3');
  });

  test('as a page: one file, with values as text', async () => {
    const { code, out, cwd } = await inspect(['demo', '-n', '50', '--html', 'report.html']);
    expect(code).toBe(0);
    expect(out).toMatch(/^demo: 50 events/);
    const page = await readFile(join(cwd, 'report.html'), 'utf8');
    expect(page).toContain('&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;');
    expect(page).not.toContain('<img');
  });
});

describe('bad input', () => {
  test.each([
    [['demo', '--events', '0'], /--events must be/],
    [['demo', '--events', '-1'], /--events must be/],
    [['demo', '--now', 'soon'], /--now must be an ISO 8601 time .*not "soon"/],
    [['demo', '--globals', '[1]'], /--globals must be a JSON object/],
    [['demo', '--html', ''], /--html must not be empty/],
    [[], /PATH is missing/],
  ])('%j: wrong usage, exit 2', async (args, message) => {
    const { code, out, err } = await inspect(args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(message);
  });

  test.each([
    [['nowhere'], /nowhere/],
    [['demo', '--timezone', 'Mars/Base'], /--timezone/],
  ])('%j: exit 1, no report', async (args, message) => {
    const { code, out, err } = await inspect(args);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(message);
  });

  test('an invalid config: every problem with its place', async () => {
    const { code, out, err } = await inspect(['demo'], { 'demo/generator.yml': 'input: []\nevent: {}\n' });
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(/generator\.yml:1:\d+: input: /);
  });

  test('a page that cannot be written: the report is printed, exit 1, no file is left', async () => {
    for (const path of ['missing/report.html', 'demo']) {
      const { code, out, err, cwd } = await inspect(['demo', '-n', '10', '--html', path]);
      expect(code).toBe(1);
      expect(out).toMatch(/^demo: 10 events/);
      expect(err).toMatch(/^spate: cannot write /);
      expect(await readdir(cwd)).toEqual(['demo']);
      expect((await stat(join(cwd, 'demo'))).isDirectory()).toBe(true);
    }
  });

  test('events that fail: the others are measured, the reasons listed, exit 1', async () => {
    const template = `{% if timestamp.second % 2 == 1 %}{{ missing.name.of }}{% endif %}{"a": 1}`;
    const { code, out, err } = await inspect(['demo', '-n', '10', ...AT], generatorWith(template));
    expect(code).toBe(1);
    expect(out).toMatch(/^demo: 10 events of \d+ timestamps; \d+ failed/);
    expect(out).toMatch(/\n {2}failed {4}\d+ times, produce: .*missing/);
    expect(err).toMatch(/^spate: \d+ events failed; the report lists the reasons\.\n$/);
  });

  test('events that are not JSON for the JSON formatter fail; as plain text they are measured', async () => {
    const files = generatorWith('no JSON {{ timestamp.second }}');
    const json = await inspect(['demo', '-n', '10', ...AT], files);
    expect(json.code).toBe(1);
    expect(json.out).toMatch(/^demo: 0 events of 10 timestamps; 10 failed/);
    expect(json.out).toContain('10 times, format: ');
    expect(await inspect(['demo', '-n', '10', '--output', '2'], files)).toMatchObject({ code: 0 });
  });

  test('inputs without a timestamp: nothing to measure, exit 1', async () => {
    const inputs = "[{timestamps: {source: ['2020-01-01T00:00:00Z']}}]";
    const past = await inspect(['demo', ...AT], generatorWith(TEMPLATE, inputs));
    expect(past.out).toMatch(/^demo: 1 event from/);
    expect(past.out).toContain('the inputs give no timestamps in the coming 24 hours');
    expect(past.code).toBe(0);
  });
});

describe('the built program', () => {
  const run = async (folder: string, ...args: readonly string[]) => {
    const program = runProgram(['inspect', join(folder, 'demo'), ...args]);
    const { code } = await program.exited;
    return { code, out: program.stdout(), err: program.stderr() };
  };

  test('inspects a script whose every event fails: ends, with the reason', async () => {
    const folder = await folderWith({
      'demo/generator.yml': `
input: [{cron: {expression: '* * * * * *', count: 100}}]
event: {script: {path: produce.js}}
output: [{stdout: {}}]
`,
      'demo/produce.js': "export const produce = () => { throw new Error('out of ideas'); };\n",
    });
    const { code, out, err } = await run(folder, '-n', '100');
    expect(code).toBe(1);
    expect(out).toMatch(/^demo: 0 events of [\d,]+ timestamps; [\d,]+ failed/);
    expect(out).toContain('out of ideas');
    expect(err).toMatch(/^spate: [\d,]+ events failed/);
  });

  test('inspects hostile events of a script', async () => {
    const folder = await folderWith({
      'demo/generator.yml': `
input: [{cron: {expression: '* * * * * *', count: 100}}]
event: {script: {path: produce.js}}
output: [{stdout: {}}]
`,
      'demo/produce.js': `
const texts = ['['.repeat(10000) + ']'.repeat(10000), '{"a":1,"a":1e400}', JSON.stringify({ big: 'x'.repeat(2e6) }),
  '\\u001b[2J\\u202e', '\\ud800', '', JSON.stringify({ '\\u001b[2J</script>': '\\u001b[31m' })];
let n = 0;
export const produce = () => texts[n++ % texts.length];
`,
    });
    const { code, out, err } = await run(folder, '-n', '70', '--html', join(folder, 'page.html'));
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^demo: 70 events/);
    expect(out).toContain('1e400');
    expect(out).not.toContain('\u001b');
    expect(await readFile(join(folder, 'page.html'), 'utf8')).not.toContain('</script>');
  });
});
