import { describe, expect, test } from '@jest/globals';
import { settingsShape } from '../../../src/config/settings/shape.js';
import { startupEntryShape } from '../../../src/config/startup/shape.js';
import { PLUGINS } from '../../../src/plugins/specs.js';
import {
  type AnyShape,
  anyJson,
  boolean,
  defaulted,
  freeObject,
  integer,
  listOf,
  mapOf,
  number,
  oneKeyOf,
  oneOf,
  optional,
  record,
  required,
  taggedBy,
  text,
} from '../../../src/schema/index.js';
import { type Control, controlFor, controlOf, initialOf } from '../../../src/ui/forms/control.js';

const help = { help: 'x' };
const kinds = { cron: record({ at: required(text(), help) }), timer: record({}) };

const fields = record({
  text: required(text(), help),
  maybe_text: optional(text(), help),
  count: defaulted(integer({ min: 1 }), 5, help),
  share: optional(number(), help),
  flag: defaulted(boolean(), true, help),
  maybe_flag: optional(boolean(), help),
  level: defaulted(oneOf(['low', 'high']), 'low', help),
  maybe_level: optional(oneOf(['low', 'high']), help),
  list: defaulted(listOf(integer()), [], help),
  maybe_list: optional(listOf(text()), help),
  map: defaulted(mapOf(text()), {}, help),
  maybe_map: optional(mapOf(integer()), help),
  group: optional(record({ a: required(text(), help) }), help),
  plugin: required(oneKeyOf(kinds), help),
  maybe_plugin: optional(oneKeyOf(kinds), help),
  tagged: required(taggedBy('mode', kinds), help),
  maybe_tagged: optional(taggedBy('mode', kinds), help),
  free: defaulted(freeObject(), {}, help),
  any: optional(anyJson(), help),
}).fields as Readonly<Record<string, AnyShape>>;

const EXPECTED: Readonly<Record<string, Control['kind']>> = {
  text: 'text',
  maybe_text: 'text',
  count: 'number',
  share: 'number',
  flag: 'switch',
  maybe_flag: 'switch',
  level: 'choice',
  maybe_level: 'choice',
  list: 'list',
  maybe_list: 'list',
  map: 'map',
  maybe_map: 'map',
  group: 'group',
  plugin: 'oneKey',
  maybe_plugin: 'oneKey',
  tagged: 'tagged',
  maybe_tagged: 'tagged',
  free: 'json',
  any: 'json',
};

test.each(Object.entries(EXPECTED))('the declaration of %s makes the control %s', (name, kind) => {
  expect(controlOf(fields[name] as AnyShape).kind).toBe(kind);
});

test('a choice has its names, without null', () => {
  expect(controlOf(fields['maybe_level'] as AnyShape)).toEqual({ kind: 'choice', names: ['low', 'high'] });
});

test.each(['plugin', 'maybe_plugin', 'tagged', 'maybe_tagged'])(
  '%s knows its kinds and their fields',
  (name) => {
    const control = controlOf(fields[name] as AnyShape);
    if (control.kind !== 'oneKey' && control.kind !== 'tagged') throw new Error(control.kind);
    expect(control.kinds).toEqual(['cron', 'timer']);
    expect(Object.keys(control.shapeOf('cron')?.fields ?? {})).toEqual(['at']);
  },
);

describe('a stored value', () => {
  test.each([
    ['count', '${params.n}', 'text'],
    ['flag', '${params.f}', 'text'],
    ['flag', 'yes', 'loose'],
    ['count', { a: 1 }, 'json'],
    ['list', 'x', 'json'],
    ['group', [1], 'json'],
    ['list', [1], 'list'],
    ['list', null, 'list'],
  ] as const)('of %s that is %j has the control %s', (name, value, kind) => {
    expect(controlFor(fields[name] as AnyShape, value as never).kind).toBe(kind);
  });
});

test('a new item begins with a value of its kind', () => {
  const of = (name: string) => initialOf(fields[name] as AnyShape);
  expect([of('text'), of('count'), of('flag'), of('list'), of('group'), of('any')]).toEqual([
    '',
    '',
    false,
    [],
    {},
    null,
  ]);
});

/** Every field below a shape, each kind of a union once; shapes that contain themselves end. */
const fieldsBelow = (
  shape: AnyShape,
  path: string,
  depth = 0,
): readonly (readonly [string, Control['kind']])[] => {
  const control = controlOf(shape);
  const inner = (child: AnyShape | undefined, name: string) =>
    child === undefined || depth > 8 ? [] : fieldsBelow(child, `${path}.${name}`, depth + 1);
  const parts = (): readonly (readonly [string, Control['kind']])[] => {
    switch (control.kind) {
      case 'group':
        return Object.entries(control.fields).flatMap(([name, field]) => inner(field, name));
      case 'list':
      case 'map':
        return inner(control.item, '*');
      case 'oneKey':
      case 'tagged':
        return control.kinds.flatMap((kind) => inner(control.shapeOf(kind), kind));
      default:
        return [];
    }
  };
  return [[path, control.kind], ...parts()];
};

test('settings and startup entries need no JSON, except params', () => {
  const all = [...fieldsBelow(settingsShape, 'settings'), ...fieldsBelow(startupEntryShape, 'entry')];
  expect(all.length).toBeGreaterThan(80);
  expect(all.filter(([, kind]) => kind === 'json').map(([path]) => path)).toEqual(['entry.params']);
});

test('most fields of plugins have a control of their own', () => {
  const all = Object.values(PLUGINS)
    .flat()
    .flatMap(({ spec }) => fieldsBelow(record(spec.fields), spec.name));
  const json = all.filter(([, kind]) => kind === 'json');
  expect(all.length).toBeGreaterThan(400);
  expect(json.length / all.length).toBeLessThan(0.1);
});

test('a recording and the replacements of replay have a control for each field, the key as a secret', () => {
  const specs = [...PLUGINS.input, ...PLUGINS.event].filter(({ spec }) =>
    ['recorded', 'replay'].includes(spec.name),
  );
  const all = specs.flatMap(({ spec }) => fieldsBelow(record(spec.fields), spec.name));
  expect(all.map(([path]) => path)).toEqual(
    expect.arrayContaining([
      'recorded.speed',
      'recorded.record_start',
      'replay.from',
      'replay.remap.names.*.pattern',
    ]),
  );
  // Values of any kind have no other control.
  expect(all.filter(([, kind]) => kind === 'json')).toEqual([['recorded.globals', 'json']]);
});
