import { describe, expect, test } from '@jest/globals';
import { configSchema } from '../../../src/ui/pages/workbench/configCheck.js';
import { schemaOptions, yamlLocation } from '../../../src/ui/pages/workbench/editor/completion.js';

describe('the place at the end of a config', () => {
  test.each([
    ['inp', 'key', [], 'inp'],
    ['input:\n  - cr', 'key', ['input', 0], 'cr'],
    ['input:\n- cr', 'key', ['input', 0], 'cr'],
    ['input:\n  - cron:\n      ', 'key', ['input', 0, 'cron'], ''],
    ['input:\n  - cron:\n      expression: "* * * * *"\n      co', 'key', ['input', 0, 'cron'], 'co'],
    ['input:\n  - cron: {', 'key', ['input', 0, 'cron'], ''],
    ["input:\n  - cron: {expression: '1,2 * * * *', co", 'key', ['input', 0, 'cron'], 'co'],
    ['event:\n  template:\n    mode: ch', 'value', ['event', 'template', 'mode'], 'ch'],
    ['event:\n  template: {mode: ', 'value', ['event', 'template', 'mode'], ''],
    [
      'event:\n  template:\n    mode: all\n    templates:\n      - a:\n          te',
      'key',
      ['event', 'template', 'templates', 0, 'a'],
      'te',
    ],
    [
      'event:\n  template:\n    mode: all\noutput:\n  - stdout: {formatter: {format: js',
      'value',
      ['output', 0, 'stdout', 'formatter', 'format'],
      'js',
    ],
    ['input:\n  - cron: {expression: x}\n  - ti', 'key', ['input', 0], 'ti'],
    ['input:\n  - cron: {tags: [a], co', 'key', ['input', 0, 'cron'], 'co'],
    ['input:\n  - cron:\n      count: 1\nev', 'key', [], 'ev'],
  ])('%j', (text, kind, path, typed) => {
    expect(yamlLocation(text)).toEqual({ kind, path, typed });
  });

  test.each(['# inp', 'input:  # co', 'a: some words '])('%j has none', (text) => {
    expect(yamlLocation(text)).toBeNull();
  });
});

describe('options for a place', () => {
  const labels = (text: string): readonly string[] => {
    const place = yamlLocation(text);
    return place === null ? [] : schemaOptions(configSchema(), place).map(({ label }) => label);
  };

  test('the sections', () => {
    expect(labels('')).toEqual(['input', 'event', 'output', 'knobs']);
  });

  test('plugins by their section', () => {
    expect(labels('input:\n  - ')).toEqual(expect.arrayContaining(['cron', 'timer']));
    expect(labels('event:\n  ')).toEqual(expect.arrayContaining(['template', 'script']));
    expect(labels('output:\n  - ')).toEqual(expect.arrayContaining(['stdout', 'kafka']));
  });

  test('fields of a plugin, with help', () => {
    const place = yamlLocation('input:\n  - cron: {');
    const options = place === null ? [] : schemaOptions(configSchema(), place);
    expect(options.find(({ label }) => label === 'expression')?.help).toMatch(/Schedule/);
  });

  test('names and booleans as values', () => {
    expect(labels('event:\n  template:\n    mode: ')).toContain('chance');
    expect(labels('event:\n  template:\n    drop_empty: ')).toEqual(['true', 'false']);
    expect(labels('output:\n  - stdout: {formatter: {format: ')).toContain('json');
  });

  test('nothing for free text', () => {
    expect(labels('input:\n  - cron: {expression: ')).toEqual([]);
  });
});
