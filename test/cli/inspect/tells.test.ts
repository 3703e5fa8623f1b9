import { describe, expect, test } from '@jest/globals';
import { fakeIo, folderWith, spate } from '../support.js';

const TEMPLATE = `{%- set attack = globals.get('anomaly', 'none') -%}
{%- set isAttack = attack != 'none' and module.rand.chance(0.2) -%}
{"user": {{ module.rand.choice(['ann', 'ben', 'eve']) | tojson }},
 {%- if isAttack and attack == 'loud' %} "tool": "nmap",{% endif %}
 "source": {{ ('203.0.113.9' if isAttack and attack == 'quiet' else '10.0.0.1') | tojson }},
 "labels": {"anomaly": {{ (attack if isAttack else 'none') | tojson }}}}
`;

const GENERATOR = `
input: [cron: {expression: '* * * * * *', count: 20}]
event: {template: {mode: all, templates: [{demo: {template: demo.jinja}}]}}
output: [stdout: {formatter: {format: plain}}]
`;

const LIBRARY = `
summary: A demo.
category: demo
event_bytes: 100
anomalies: {loud: It scans., quiet: It comes from one address.}
indicators: {quiet: [/source]}
`;

const FILES = { 'demo/generator.yml': GENERATOR, 'demo/demo.jinja': TEMPLATE };

const inspect = async (args: readonly string[], files: Readonly<Record<string, string>> = FILES) => {
  const cwd = await folderWith(files);
  return spate(['inspect', 'demo', '--tells', '--seed', '7', '-n', '2000', ...args], fakeIo({ cwd }));
};

describe('spate inspect --tells', () => {
  test('switches on each anomaly of a ready-made generator, knows its indicators, and fails for what is given away', async () => {
    const { code, out, err } = await inspect([], { ...FILES, 'demo/library.yml': LIBRARY });
    expect({ code, err }).toEqual({
      code: 1,
      err: 'spate: 1 of 2 attacks can be told from normal events: loud.\n',
    });
    expect(out).toMatch(
      /^demo: 2,000 events for each attack\n {2}label \/labels\/anomaly; may tell: \/source\n/,
    );
    expect(out).toMatch(
      /\nloud: \d+ events, \d+ %; given away\n +100 % and no normal event: \/tool is there\n/,
    );
    expect(out).toMatch(
      /\nquiet: \d+ events, \d+ %; nothing gives it away\n {2}tree of two questions: 0\.\d\d of 1 right/,
    );
  });

  test('takes the events of another generator as they come', async () => {
    const given = ['--globals', '{"anomaly": "quiet"}'];
    const told = await inspect(given);
    expect(told.code).toBe(1);
    expect(told.out).toContain('/source is "203.0.113.9"');
    const declared = await inspect([...given, '--indicator', '/source']);
    expect({ code: declared.code, err: declared.err }).toEqual({ code: 0, err: '' });
  });

  test('prints JSON', async () => {
    const { out } = await inspect(['--json', '--globals', '{"anomaly": "loud"}']);
    expect(JSON.parse(out)).toMatchObject({
      generator: 'demo',
      label: '/labels/anomaly',
      runs: [{ anomaly: null, events: 2_000, attacks: [{ attack: 'loud', is_within: false }] }],
    });
  });

  test.each([
    [[], 1, 'spate: no event has the label of an attack: give --label and --globals.'],
    [['--label', '/nothing', '--globals', '{"anomaly": "loud"}'], 1, 'no event has the label of an attack'],
    [['--html', 'report.html'], 2, '--tells writes no page'],
    [['-n', '300000'], 2, '--tells takes --events up to 200,000'],
  ] as const)('%j: exit code %i', async (args, code, message) => {
    const result = await inspect(args);
    expect(result.code).toBe(code);
    expect(result.err).toContain(message);
  });
});
