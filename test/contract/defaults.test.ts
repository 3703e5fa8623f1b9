import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { settingsShape } from '../../src/config/settings/shape.js';
import { startupEntryShape } from '../../src/config/startup/shape.js';
import { serviceContract } from '../../src/daemon/listener.js';
import { isJsonObject } from '../../src/domain/json.js';
import { generatorShape } from '../../src/plugins/generatorShape.js';
import { ROOT } from '../support/sources.js';

/** Keys below which stand names, not words of JSON Schema. */
const NAMED: ReadonlySet<string> = new Set(['properties', 'schemas', 'responses', 'headers', 'paths']);
/** Keys below which stand values. */
const VALUES: ReadonlySet<string> = new Set(['default', 'examples', 'enum', 'const']);

interface Shown {
  readonly place: string;
  readonly schema: unknown;
  readonly value: unknown;
}

/** Every default and example of a document, with the schema that it stands in. */
const shownIn = function* (node: unknown, place: string, areNames = false): Generator<Shown> {
  if (Array.isArray(node)) {
    for (const [index, item] of node.entries()) yield* shownIn(item, `${place}/${index}`);
    return;
  }
  if (!isJsonObject(node)) return;
  if (!areNames) {
    if (Object.hasOwn(node, 'default'))
      yield { place: `${place}/default`, schema: node, value: node['default'] };
    const { examples } = node;
    if (Array.isArray(examples))
      for (const value of examples) yield { place: `${place}/examples`, schema: node, value };
  }
  for (const [key, inner] of Object.entries(node))
    if (areNames || !VALUES.has(key)) yield* shownIn(inner, `${place}/${key}`, !areNames && NAMED.has(key));
};

/** Places whose value breaks the schema beside it; `root` is what references lead into. */
const brokenIn = (document: unknown): { readonly seen: number; readonly broken: readonly string[] } => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, code: { optimize: false } });
  ajv.addSchema({ ...(document as object), $id: 'root' });
  const shown = [...shownIn(document, '')];
  // Plugins share most of their options: few of the schemas differ.
  const validates = new Map<string, ReturnType<typeof ajv.compile>>();
  const broken = shown.filter(({ schema, value }) => {
    const text = JSON.stringify(schema).replaceAll('"#/', '"root#/');
    const validate = validates.get(text) ?? ajv.compile(JSON.parse(text) as object);
    validates.set(text, validate);
    return !validate(value);
  });
  return { seen: shown.length, broken: broken.map(({ place }) => place) };
};

describe('every default and example is valid by its own schema', () => {
  const file = join(ROOT, 'generators', 'generator.schema.json');
  test.each<[string, unknown]>([
    ['the OpenAPI document', serviceContract('1.2.3').openapi()],
    ['the generator schema for editors', JSON.parse(readFileSync(file, 'utf8'))],
    ['the schema of a generator config', generatorShape.schema],
    ['the schema of the settings', settingsShape.schema],
    ['the schema of a startup entry', startupEntryShape.schema],
  ])('in %s', (_name, document) => {
    const { seen, broken } = brokenIn(document);
    expect(seen).toBeGreaterThan(20);
    expect(broken).toEqual([]);
  });

  test('one that is not is found', () => {
    const document = { properties: { default: { type: 'string', default: null, examples: [1] } } };
    expect(brokenIn(document).broken).toEqual([
      '/properties/default/default',
      '/properties/default/examples',
    ]);
  });
});
