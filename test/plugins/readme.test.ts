import { describe, expect, test } from '@jest/globals';
import type { PluginSpec } from '../../src/plugins/kit.js';
import { pluginReadme, readmePath } from '../../src/plugins/readme.js';
import { integer, required } from '../../src/schema/index.js';

const spec: PluginSpec = {
  kind: 'input',
  name: 'beat',
  aliases: ['pulse'],
  summary: 'Beats.',
  notes: ['It never stops.'],
  fields: { count: required(integer({ min: 1 }), { help: 'How many.' }) },
  examples: [{ title: 'One', params: { count: 1 } }],
};

describe('the README of a plugin', () => {
  test('holds summary, aliases, options, notes and each example in its place of a config', () => {
    const text = pluginReadme(spec);
    expect(text.startsWith('# input `beat`\n')).toBe(true);
    expect(text).toContain('Beats.\n\nAlso accepted as `pulse`.');
    expect(text).toContain('| `count` | integer >= 1 | required | How many. |');
    expect(text).toContain('## Behaviour\n\n- It never stops.');
    expect(text).toContain('### One\n\n```yaml\ninput:\n  - beat:\n      count: 1\n```\n');
    expect(readmePath(spec)).toBe('src/plugins/inputs/beat/README.md');
  });

  test('a plugin without options, notes and aliases says so or leaves them out', () => {
    const { aliases: _aliases, notes: _notes, ...rest } = spec;
    const text = pluginReadme({
      ...rest,
      kind: 'formatter',
      fields: {},
      examples: [{ title: 'Use', params: {} }],
    });
    expect(text).toContain('## Options\n\nNone.\n\n## Examples');
    expect(text).toContain('formatter:\n  format: beat');
  });
});
