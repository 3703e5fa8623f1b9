import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { replaceConfigText } from '../../src/config/generator/configText.js';
import { DEFAULT_GENERATION } from '../../src/config/settings/generationFields.js';
import { updateSettingsText } from '../../src/config/settings/settings.js';
import { settingsShape } from '../../src/config/settings/shape.js';
import { newEntry } from '../../src/config/startup/entry.js';
import { generatorParamsShape, startupEntryShape } from '../../src/config/startup/shape.js';
import { keepExtensions } from '../../src/config/values.js';
import type { Json } from '../../src/domain/json.js';
import { generatorShape } from '../../src/plugins/generatorShape.js';
import { PLUGIN_SPECS } from '../../src/plugins/specs.js';
import {
  anyJson,
  type Fields,
  listOf,
  mapOf,
  oneKeyOf,
  optional,
  record,
  required,
  taggedBy,
  text,
} from '../../src/schema/index.js';
import {
  GENERATOR_KEYS,
  type Keys,
  pluginKeys,
  SETTINGS_KEYS,
  STARTUP_KEYS,
} from '../support/contract/documentKeys.js';
import { right } from './support.js';

const help = 'x';
const own = optional(anyJson(), { help, extension: true });
const item = record({ known: optional(text(), { help }), own });
const plugin = oneKeyOf({ one: { shape: item, aliases: ['uno'] }, two: record({ own }) });
const shape = record({
  known: optional(text(), { help }),
  own,
  inner: optional(item, { help }),
  plugins: optional(listOf(plugin), { help }),
  tagged: optional(taggedBy('type', { a: item, b: record({ own }) }), { help }),
  map: optional(mapOf(item), { help }),
});
const keep = (stored: Json, body: Json): Json => keepExtensions(shape, stored, body);

describe('extension keys under a body', () => {
  test('stay as stored when the body lacks them', () => {
    expect(keep({ known: 'a', own: { deep: 1 } }, { known: 'b' })).toEqual({ known: 'b', own: { deep: 1 } });
    expect(keep({ inner: { own: 1 } }, { inner: {} })).toEqual({ inner: { own: 1 } });
    expect(keep({ map: { x: { own: 1 } } }, { map: { x: {}, y: {} } })).toEqual({
      map: { x: { own: 1 }, y: {} },
    });
  });

  test('go when the body has null, and are what the body has otherwise', () => {
    expect(keep({ own: 1 }, { own: null })).toEqual({});
    expect(keep({ own: { deep: 1, other: 2 } }, { own: { deep: 3 } })).toEqual({ own: { deep: 3 } });
    expect(keep({ own: [1] }, { own: [] })).toEqual({ own: [] });
  });

  test('other keys go with what the body lacks', () => {
    expect(keep({ known: 'a', inner: { own: 1 } }, {})).toEqual({});
  });

  test('belong to the plugin of the same position and kind, under any of its names', () => {
    const stored = { plugins: [{ one: { own: 1 } }, { two: { own: 2 } }, { uno: { own: 3 } }] };
    expect(keep(stored, { plugins: [{ uno: {} }, { one: {} }, { one: {} }, { one: {} }] })).toEqual({
      plugins: [{ uno: { own: 1 } }, { one: {} }, { one: { own: 3 } }, { one: {} }],
    });
  });

  test('belong to the same kind of a tagged object', () => {
    const stored = { tagged: { type: 'a', own: 1 } };
    expect(keep(stored, { tagged: { type: 'a' } })).toEqual(stored);
    expect(keep(stored, { tagged: { type: 'b' } })).toEqual({ tagged: { type: 'b' } });
  });

  test('are none where what is stored is something else', () => {
    expect(keep('${params.all}', { known: 'a' })).toEqual({ known: 'a' });
    expect(keep({ inner: '${params.inner}' }, { inner: {} })).toEqual({ inner: {} });
  });
});

describe('every declaration says which keys are extensions', () => {
  /** Keys that are wrongly marked: an extension of the documents, or an own key that is none. */
  const wrongIn = (fields: Fields, known: Keys): readonly string[] =>
    Object.entries(fields).flatMap(([name, field]) => {
      const below = known[name];
      if ((below === undefined) !== (field.extension === true)) return [name];
      return below === undefined || below === true || field.fields === undefined
        ? []
        : wrongIn(field.fields, below).map((inner) => `${name}.${inner}`);
    });

  test.each([
    ['the settings', settingsShape.fields, SETTINGS_KEYS],
    ['the parameters of a generator', generatorParamsShape.fields, GENERATOR_KEYS],
    ['a startup entry', startupEntryShape.fields, STARTUP_KEYS],
  ])('%s', (_, fields, known) => {
    expect(wrongIn(fields ?? {}, known)).toEqual([]);
  });

  // Plugins that no document knows cannot be in the body of a client that knows only the documents.
  test.each(
    (['input', 'event', 'output'] as const).flatMap((kind) =>
      Object.entries(PLUGIN_SPECS[kind]).flatMap(([name, { fields }]) => {
        const known = pluginKeys(kind, name);
        return known === undefined ? [] : [[kind, name, fields as Fields, known] as const];
      }),
    ),
  )('the %s %s', (_kind, _name, fields, known) => {
    expect(wrongIn(fields, known)).toEqual([]);
  });

  test('an extension key stands where an object cannot be left out, or it would be lost with it', () => {
    const lost = (fields: Fields, isSure: boolean): readonly string[] =>
      Object.entries(fields).flatMap(([name, field]) => [
        ...(field.extension === true && !isSure ? [name] : []),
        ...(field.extension === true ? [] : lost(field.fields ?? {}, field.presence === 'required')),
      ]);
    expect(lost(settingsShape.fields ?? {}, true)).toEqual([]);
    expect(lost(startupEntryShape.fields ?? {}, true)).toEqual([]);
  });
});

describe('a PUT of', () => {
  const CONFIG = `event:
  template:
    mode: all
    templates: [{a: {template: a.jinja}}]
    # proof
    marks: json
    drop_empty: true
input: [{static: {count: 1}}]
output: [{stdout: {}}]
`;
  const body = (more: Json): Json => ({
    input: [{ static: { count: 2 } }],
    event: {
      template: { mode: 'all', templates: [{ a: { template: 'a.jinja' } }], ...(more as object) },
    },
    output: [{ stdout: {} }],
  });

  test('a config keeps marks and drop_empty, and takes them away', () => {
    const replaced = right(replaceConfigText(CONFIG, body({}), generatorShape));
    expect(replaced).toBe(CONFIG.replace('count: 1', 'count: 2'));
    const gone = right(replaceConfigText(CONFIG, body({ marks: null, drop_empty: null }), generatorShape));
    expect(gone).not.toMatch(/marks|drop_empty/);
  });

  const SETTINGS = `server: {secrets_readable: true, port: 9000}
generation:
  retry: {attempts: 9}
  template_limits: {loop_steps: 5}
  checkpoint: true
  allow_subprocess: true
  thread_heap_mb: 64
log: {}
path: {logs: l, startup: s, generators_dir: g, keyring_cryptfile: k, state: elsewhere}
`;
  const PATHS = { logs: 'l', startup: 's', generators_dir: 'g', keyring_cryptfile: 'k' };

  test('settings keeps what is ours, and gives the default to the rest', () => {
    const bare = { server: {}, generation: {}, log: {}, path: PATHS };
    expect(right(updateSettingsText(SETTINGS, bare))).toBe(SETTINGS.replace(', port: 9000', ''));
  });

  test('settings takes away what is null, or an empty object', () => {
    const text = right(
      updateSettingsText(SETTINGS, {
        server: { secrets_readable: null },
        generation: { retry: {}, template_limits: null, checkpoint: null, thread_heap_mb: null },
        log: {},
        path: { ...PATHS, state: null },
      }),
    );
    expect(text).not.toMatch(/secrets_readable|attempts|template_limits|checkpoint|heap|elsewhere/);
    expect(text).toContain('allow_subprocess: true');
  });

  test('a startup entry keeps seed, retry and checkpoint, and takes them away', () => {
    const context = { generation: DEFAULT_GENERATION, generators_dir: '/g' };
    const written = { path: 'a.yml', autostart: false, seed: 7, retry: { attempts: 9 }, checkpoint: true };
    const put = (entry: { readonly [key: string]: Json }): Json => {
      const made = newEntry('a', { path: 'a.yml', ...entry }, context, { written, path: '/g/a.yml' });
      return E.isRight(made) ? made.right.body : made.left.message;
    };
    expect(put({})).toEqual({ id: 'a', path: 'a.yml', seed: 7, retry: { attempts: 9 }, checkpoint: true });
    expect(put({ seed: null, retry: null, checkpoint: null })).toEqual({ id: 'a', path: 'a.yml' });
  });
});

test('a required section with only an extension key is a section like any other', () => {
  const strict = record({ section: required(record({ own }), { help }) });
  expect(keepExtensions(strict, { section: { own: 1 } }, { section: {} })).toEqual({ section: { own: 1 } });
});
