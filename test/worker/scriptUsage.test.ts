import { describe, expect, test } from '@jest/globals';
import { scriptUsage } from '../../src/worker/check/globalsUsage.js';

describe('globals in a script', () => {
  test.each<[string, string, ReturnType<typeof scriptUsage>]>([
    [
      'reads, writes and counts by a key in quotes',
      `const a = globals.get('sale', 0) + globals?.get("rate"); globals.set('orders', []); globals.increment('made', 2)`,
      { reads: ['sale', 'rate', 'made'], writes: ['orders', 'made'], warnings: [] },
    ],
    [
      'of Python by a key in brackets',
      `x = globals['a']\nglobals['b'] = 1\nglobals['c'] += 1\nif params['globals']['d'] == 2: globals.pop('e', None)`,
      { reads: ['a', 'c', 'd', 'e'], writes: ['b', 'c', 'e'], warnings: [] },
    ],
    [
      'given to update() as an object are its keys',
      `globals.update({ open: list, paid, 'in-transit': f({ x: 1 }, [2]), text: 'a, b: {' })`,
      { reads: [], writes: ['open', 'paid', 'in-transit', 'text'], warnings: [] },
    ],
    [
      'given to update() in other ways are not known',
      `globals.update(values); globals.update({ ...values }); globals.update({ [key]: 1 })`,
      { reads: [], writes: [], warnings: ['update_call', 'update_call', 'update_call'] },
    ],
    [
      'with names that are known at run time only are warnings',
      `globals.get(key); globals.get('rate_' + kind); globals.set(\`rate_\${kind}\`, 1); globals.snapshot()`,
      { reads: [], writes: [], warnings: ['dynamic_key', 'dynamic_key', 'dynamic_key', 'dynamic_key'] },
    ],
    [
      'named in a comment are not used',
      `// globals.get('a')\n  # globals['b'] = 1\n/*\n globals.set('c', 1) */\nglobals.scenario('x').get('y')`,
      { reads: [], writes: [], warnings: [] },
    ],
  ])('%s', (_, source, usage) => {
    expect(scriptUsage(source)).toEqual(usage);
  });

  test.each([
    ['comments that never end', '/*\n'],
    ['uses without end', 'globals.update({'],
    ['spaces', 'globals          '],
  ])('of a megabyte of %s take no longer than others', (_, part) => {
    const { reads, writes } = scriptUsage(part.repeat(1_000_000 / part.length));
    expect([reads, writes]).toEqual([[], []]);
  });
});
