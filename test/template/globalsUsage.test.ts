import { describe, expect, test } from '@jest/globals';
import { globalsUsage } from '../../src/template/globalsUsage.js';

const NONE = { writes: [], reads: [], warnings: [], mayReadOthers: false };

describe('uses of globals', () => {
  test.each([
    ["{{ globals.get('a') }}", { ...NONE, reads: ['a'] }],
    ["{{ globals['a'] }}{{ globals.get('b', 1) }}", { ...NONE, reads: ['a', 'b'] }],
    ["{% do globals.set('a', globals.get('b') + 1) %}", { ...NONE, writes: ['a'], reads: ['b'] }],
    ["{% do globals.set(key='a', value=1) %}", { ...NONE, writes: ['a'] }],
    ['{{ globals.get(name) }}', { ...NONE, warnings: ['dynamic_key'] }],
    ["{{ globals['a' ~ 'b'] }}", { ...NONE, warnings: ['dynamic_key'] }],
    ['{% do globals.set() %}', { ...NONE, warnings: ['dynamic_key'] }],
    ["{% do globals.update({'a': 1}) %}", { ...NONE, warnings: ['update_call'] }],
    [
      "{% macro m() %}{% if globals.get('a') %}{{ globals.get('a') }}{% endif %}{% endmacro %}",
      { ...NONE, reads: ['a', 'a'] },
    ],
    [
      "{% for x in globals['list'] %}{% set y = globals.get('z') %}{% endfor %}",
      { ...NONE, reads: ['list', 'z'] },
    ],
    ["{{ other.get('a') }}{{ my.globals.get('b') }}{{ \"globals['c']\" }}", NONE],
    ['{{ globals.as_dict() }}', { ...NONE, mayReadOthers: true }],
    ["{{ globals.a }}{{ globals.pop('b') }}", { ...NONE, mayReadOthers: true }],
    ['{{ m(globals) }}', { ...NONE, mayReadOthers: true }],
    ['{% for key in globals %}{{ key }}{% endfor %}', { ...NONE, mayReadOthers: true }],
    ["{# globals.set('a', 1) #}{% raw %}{{ globals.get('b') }}{% endraw %}", NONE],
    ['plain text', NONE],
  ])('%s', (source, usage) => {
    expect(globalsUsage(source)).toEqual(usage);
  });

  test.each(['{{ globals.get( }}', '{% if %}', '{% nonsense %}'])(
    'nothing is known of %s, which does not parse',
    (source) => {
      expect(globalsUsage(source)).toBeNull();
    },
  );
});
