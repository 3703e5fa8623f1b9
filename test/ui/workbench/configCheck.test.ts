import { describe, expect, test } from '@jest/globals';
import { checkConfig } from '../../../src/ui/pages/workbench/configCheck.js';

const config = (input: string, output = '  - stdout: {formatter: {format: json}}'): string =>
  `input:\n${input}\nevent:\n  script: {path: produce.mjs}\noutput:\n${output}\n`;

describe('the check of a config', () => {
  test('a good config has sections to preview and no problems', async () => {
    const checked = await checkConfig(config("  - cron: {expression: '* * * * *', count: 2}"), {});
    expect(checked.problems).toEqual([]);
    expect(checked.inputs).toEqual([{ cron: { expression: '* * * * *', count: 2 } }]);
    expect(checked.event).toEqual({ script: { path: 'produce.mjs' } });
    expect(checked.formatters).toEqual([{ label: '1. stdout', config: { format: 'json' } }]);
  });

  test('a wrong value is marked on its line, and the other sections stay', async () => {
    const checked = await checkConfig(
      config("  - cron:\n      expression: '61 * * * *'\n      count: 1"),
      {},
    );
    expect(checked.problems).toMatchObject([{ line: 3, column: 19, severity: 'error' }]);
    expect(checked.problems[0]?.message).toMatch(/^input\[0\]\.cron\.expression .*minute/);
    expect(checked.inputs).toBeNull();
    expect(checked.event).not.toBeNull();
  });

  test('wrong YAML is marked, and nothing can be previewed', async () => {
    const checked = await checkConfig('input:\n  - cron: {a: 1\nevent: x', {});
    expect(checked.problems[0]).toMatchObject({ severity: 'error' });
    expect(checked.problems[0]?.message).toMatch(/^This has a `\{` that is not closed/);
    expect(checked.inputs).toBeNull();
    expect(checked.event).toBeNull();
  });

  test('a problem without a path reads as a sentence', async () => {
    const checked = await checkConfig('input: []\nevent\n', {});
    const message = '`event` has no colon. Write `event:` for a key.';
    expect(checked.problems[0]).toMatchObject({ line: 2, message });
  });

  test('a plugin that is not known here is a warning: the service may have it', async () => {
    const checked = await checkConfig(config('  - tides: {port: 1}'), {});
    expect(checked.problems).toMatchObject([{ line: 2, severity: 'warning' }]);
    expect(checked.inputs).toEqual([{ tides: { port: 1 } }]);
  });

  test('placeholders take values, else their fallbacks', async () => {
    const text = config("  - cron: {expression: '* * * * *', count: '${params.rate:-5}'}");
    expect((await checkConfig(text, {})).inputs).toMatchObject([{ cron: { count: 5 } }]);
    expect((await checkConfig(text, { rate: 9 })).inputs).toMatchObject([{ cron: { count: 9 } }]);
    expect((await checkConfig(text, {})).params).toEqual([{ name: 'rate', fallback: '5' }]);
  });

  test('a parameter without a fallback is missing until it has a value', async () => {
    const text = config("  - cron: {expression: '* * * * *', count: '${params.rate}'}");
    const checked = await checkConfig(text, {});
    expect(checked.missing).toEqual(['rate']);
    expect(checked.problems).toEqual([]);
    expect(checked.inputs).toBeNull();
    expect((await checkConfig(text, { rate: 1 })).missing).toEqual([]);
  });

  test('secrets stay in the service', async () => {
    const text = config(
      "  - cron: {expression: '* * * * *', count: 1}",
      "  - stdout: {formatter: {format: template, template: 'x.jinja', params: {key: '${secrets.key}'}}}",
    );
    expect(JSON.stringify((await checkConfig(text, {})).formatters)).toContain('***');
  });

  test('an output without a formatter writes events as they are', async () => {
    const checked = await checkConfig(
      config("  - cron: {expression: '* * * * *', count: 1}", '  - stdout: {}'),
      {},
    );
    expect(checked.formatters).toEqual([{ label: '1. stdout', config: { format: 'plain' } }]);
  });

  test('problems of the service are located by their path', async () => {
    const checked = await checkConfig(config("  - cron:\n      expression: '* * * * *'\n      count: 1"), {});
    expect(checked.locate(['input', 0, 'cron', 'count'])).toEqual({ line: 4, column: 14 });
  });
});
