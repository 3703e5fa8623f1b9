import { describe, expect, test } from '@jest/globals';
import type { PluginKind } from '../../src/plugins/kit.js';
import { PLUGIN_LOADERS, registry } from '../../src/plugins/registry.js';
import { allSpecs, PLUGIN_SPECS } from '../../src/plugins/specs.js';

const KINDS: readonly PluginKind[] = ['input', 'event', 'output', 'formatter'];

describe('the tables of plugins', () => {
  test('have the same rows in the same order', () => {
    for (const kind of KINDS)
      expect(Object.keys(PLUGIN_LOADERS[kind])).toEqual(Object.keys(PLUGIN_SPECS[kind]));
  });

  test('no name or alias of a kind is taken twice', () => {
    for (const kind of KINDS) {
      const names = allSpecs()
        .filter((spec) => spec.kind === kind)
        .flatMap(({ name, aliases = [] }) => [name, ...aliases]);
      expect(new Set(names).size).toBe(names.length);
    }
  });

  test('a name that no spec has is a bug and is said so', async () => {
    await expect(registry.output('toString')).rejects.toThrow('no output plugin is named toString');
  });
});
