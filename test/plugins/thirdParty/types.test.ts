import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { spawnSync } from '../../support/programs.js';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const folder = mkdtempSync(join(tmpdir(), 'spate-types-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const PLUGIN = `import { defaulted, inputPlugin, integer, type InputPlugin, type PluginModule, right } from 'spate-events/plugin';

const spec = inputPlugin({
  name: 'counts',
  summary: 'Counts.',
  fields: { count: defaulted(integer({ min: 1 }), 3, { help: 'How many.' }) },
  examples: [{ title: 'Three', params: { count: 3 } }],
});

const plugin: InputPlugin<typeof spec.fields> = {
  spec,
  build: async ({ count, tags }, { now }) => {
    let at = tags.length;
    return right({
      fill: (out: Float64Array) => {
        const given = Math.min(out.length, count - at);
        for (let i = 0; i < given; i++) out[i] = now + ++at;
        return given;
      },
      snapshot: () => at,
      restore: (state) => {
        at = Number(state);
      },
    });
  },
};

export default plugin satisfies PluginModule;
`;

/** Messages of the compiler. */
const compiled = (text: string): string => {
  writeFileSync(join(folder, 'plugin.ts'), text);
  const compiler = join(ROOT, 'node_modules/typescript-7/bin/tsc');
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--types', ''];
  const { stdout } = spawnSync(process.execPath, [compiler, ...options, 'plugin.ts'], {
    cwd: folder,
    encoding: 'utf8',
  });
  return stdout;
};

test('a plugin in TypeScript compiles against the built package, and a wrong one does not', () => {
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(ROOT, join(folder, 'node_modules', 'spate-events'));
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  expect(compiled(PLUGIN)).toBe('');
  expect(compiled(PLUGIN.replace('snapshot: () => at,', ''))).toContain("'snapshot' is missing");
  expect(compiled(PLUGIN.replace('{ count, tags }', '{ size, tags }'))).toContain("'size' does not exist");
  expect(compiled(PLUGIN.replace('integer({ min: 1 }), 3', "integer({ min: 1 }), 'x'"))).toContain(
    "'string'",
  );
});

test('the package exports the kit that plugin files get', async () => {
  const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    readonly exports: { readonly './plugin': { readonly default: string } };
  };
  const module = (await import(join(ROOT, exports['./plugin'].default))) as Readonly<Record<string, unknown>>;
  const kit = module['kit'] as Readonly<Record<string, unknown>>;
  const { kit: _, ...named } = module;
  expect(Object.keys(named).sort()).toEqual(Object.keys(kit).sort());
  for (const [name, value] of Object.entries(kit)) expect(named[name]).toBe(value);
});
