import { describe, expect, test } from '@jest/globals';
import { ALIASES, LOADERS } from '../../src/plugins/loaders.js';
import { registry } from '../../src/plugins/registry.js';
import { PLUGINS } from '../../src/plugins/specs.js';

const KINDS = ['input', 'event', 'output', 'formatter'] as const;

describe.each(KINDS)('the loaders of each %s', (kind) => {
  const specs = PLUGINS[kind].map(({ spec }) => spec);

  test('have the names of the declarations', () => {
    expect(Object.keys(LOADERS[kind]).sort()).toEqual(specs.map(({ name }) => name).sort());
  });

  test('have their aliases', () => {
    const declared = specs.flatMap((spec) =>
      ('aliases' in spec ? spec.aliases : []).map((alias) => [alias, spec.name]),
    );
    expect(ALIASES[kind]).toEqual(Object.fromEntries(declared));
  });

  test.each(specs.map(({ name }) => [name]))('load %s with its own declaration', async (name) => {
    expect((await registry[kind](name)).spec.name).toBe(name);
  });
});
