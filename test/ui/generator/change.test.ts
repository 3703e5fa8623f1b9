import { describe, expect, test } from '@jest/globals';
import {
  knobKey,
  parameterKnobsOf,
  parsed,
  sectionsOf,
  sectionText,
  withKnobs,
} from '../../../src/ui/pages/generator/configParts.js';

const INPUTS = [
  { cron: { expression: '* * * * *', count: 20 } },
  { rate: { events_per_second: '${params.rate:-5}', shape: 'daily' } },
  { static: { timestamps: [] } },
];

describe('knobs', () => {
  test('are the numbers that set a rate; a placeholder has no number', () => {
    expect(parameterKnobsOf(INPUTS)).toEqual([
      { index: 0, plugin: 'cron', key: 'count', value: 20, text: '20' },
      { index: 1, plugin: 'rate', key: 'events_per_second', value: null, text: '${params.rate:-5}' },
    ]);
    expect(parameterKnobsOf(undefined)).toEqual([]);
  });

  test('change their number and nothing else', () => {
    const [, second] = parameterKnobsOf(INPUTS);
    const key = second === undefined ? '' : knobKey(second);
    expect(withKnobs(INPUTS, { [key]: 100 })).toEqual([
      INPUTS[0],
      { rate: { events_per_second: 100, shape: 'daily' } },
      INPUTS[2],
    ]);
  });
});

describe('a section', () => {
  test('is taken from the file without defaults, and written as YAML', () => {
    const sections = sectionsOf('input:\n  - cron: {expression: "* * * * *", count: 1}\noutput: []\n');
    expect(sectionText(sections?.['input'])).toBe('- cron:\n    expression: "* * * * *"\n    count: 1\n');
    expect(sectionText(sections?.['event'])).toBe('');
  });

  test('may be JSON', () => {
    expect(parsed('[{"stdout": {}}]')).toEqual({ kind: 'value', value: [{ stdout: {} }] });
  });

  test('with a mistake names its line', () => {
    const read = parsed('- file:\n    path: "x\n');
    expect(read.kind === 'problem' ? read.message : '').toMatch(/^Line [23]: ./);
  });

  test('does not exist in a file that is no config', () => {
    expect(sectionsOf('- a\n- b\n')).toBeNull();
  });
});
