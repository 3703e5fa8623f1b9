import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { inputPlugin, outputPlugin, row } from '../../src/plugins/declare.js';
import type { InputPlugin, OutputPlugin, PluginKind } from '../../src/plugins/kit.js';
import { registry } from '../../src/plugins/registry.js';
import { allSpecs, PLUGIN_SPECS, PLUGINS } from '../../src/plugins/specs.js';
import { integer, required } from '../../src/schema/index.js';

const KINDS: readonly PluginKind[] = ['input', 'event', 'output', 'formatter'];

describe('the table of plugins', () => {
  test.each(KINDS)(
    'every row of kind %s loads the plugin that it declares, from its own folder',
    async (kind) => {
      for (const { spec, load } of PLUGINS[kind]) {
        const { spec: loaded } = await load();
        // The table may know further rules, so that threads need not load what they take: see `checkedCronSpec`.
        expect({ ...loaded, rules: null }).toEqual({ ...spec, rules: null });
        expect(loaded.fields).toBe(spec.fields);
        expect(String(load)).toContain(`./${kind}s/${spec.name}/plugin`);
      }
    },
  );

  test('no name or alias of a kind is taken twice', () => {
    for (const kind of KINDS) {
      const names = PLUGINS[kind].flatMap(({ spec }) => {
        const { name, aliases = [] }: { name: string; aliases?: readonly string[] } = spec;
        return [name, ...aliases];
      });
      expect(names).toEqual([...new Set(names)]);
      expect(allSpecs().filter((spec) => spec.kind === kind)).toHaveLength(PLUGINS[kind].length);
    }
  });

  test('an unknown name rejects', async () => {
    await expect(registry.output('toString')).rejects.toThrow('no output plugin is named toString');
  });
});

describe('the kit', () => {
  const fields = { count: required(integer(), { help: 'How many.' }) };
  const rest = { summary: 'Beats.', examples: [{ title: 'One', params: { count: 1 } }] };
  const beat = inputPlugin({ ...rest, name: 'beat', fields });
  const sink = outputPlugin({ ...rest, name: 'sink', fields });

  test('adds the kind and the fields of the kind', () => {
    expect(beat.kind).toBe('input');
    expect(Object.keys(beat.fields)).toEqual(['count', 'tags', 'globals']);
    for (const { fields: own } of Object.values(PLUGIN_SPECS.input)) expect(own).toHaveProperty('tags');
    for (const { fields: own } of Object.values(PLUGIN_SPECS.event)) expect(own).toHaveProperty('marks');
    for (const { fields: own } of Object.values(PLUGIN_SPECS.output)) expect(own).toHaveProperty('formatter');
  });

  test('missing parts and mistaken rows do not compile', () => {
    // @ts-expect-error: the kit adds `tags`.
    inputPlugin({ ...rest, name: 'beat', fields: { ...fields, tags: fields.count } });
    // @ts-expect-error: the table adds `formatter`.
    outputPlugin({ ...rest, name: 'sink', fields: { formatter: fields.count } });
    // @ts-expect-error: `summary` is missing.
    inputPlugin({ name: 'beat', fields, examples: rest.examples });

    const input: InputPlugin<typeof beat.fields> = { spec: beat, build: async () => E.left({} as never) };
    const output: OutputPlugin<typeof sink.fields> = { spec: sink, open: async () => E.left({} as never) };
    const other = {} as InputPlugin<{ readonly size: typeof fields.count }>;
    row(beat, async () => input);
    row(sink, async () => output);
    // @ts-expect-error: an input has no row with the behavior of an output.
    row(beat, async () => output);
    // @ts-expect-error: the behavior takes other fields.
    row(beat, async () => other);
  });
});
