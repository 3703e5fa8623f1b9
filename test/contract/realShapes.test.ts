import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { serviceContract } from '../../src/daemon/listener.js';
import { PLUGIN_SPECS } from '../../src/plugins/specs.js';

/** The contract as the daemon composes it. */
const openapi = serviceContract('0.0.0').openapi();
const { schemas } = openapi['components'] as unknown as { schemas: Record<string, object> };

describe('the contract over the real declarations', () => {
  // To shorten its code takes Ajv longer than to compile it.
  const ajv = new Ajv2020({ strict: false, validateFormats: false, code: { optimize: false } });
  ajv.addSchema({ $id: 'spate', components: { schemas } });

  test.each(Object.keys(schemas))('the schema %s compiles', (name) => {
    // Asked for by its address, what it refers to is compiled once for all.
    expect(ajv.getSchema(`spate#/components/schemas/${name}`)).toEqual(expect.any(Function));
  });

  test('every plugin is described', () => {
    const text = JSON.stringify(schemas['GeneratorConfig']);
    for (const kind of ['input', 'event', 'output'] as const)
      for (const name of Object.keys(PLUGIN_SPECS[kind])) expect(text).toContain(`"${name}":{`);
  });

  test('a config with placeholders fits its schema', () => {
    const validate = ajv.getSchema('spate#/components/schemas/GeneratorConfig');
    if (validate === undefined) throw new Error('there is no schema of a generator');
    const placeholder = `\${params.all}`;
    expect(validate({ input: placeholder, event: placeholder, output: placeholder })).toBe(true);
    expect(validate.errors).toBeNull();
  });
});
