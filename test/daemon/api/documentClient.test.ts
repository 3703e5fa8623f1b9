import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Json, JsonObject } from '../../../src/domain/json.js';
import { operationsOf } from '../../support/contract/document.js';
import {
  documentConfig,
  documentOnly,
  GENERATOR_KEYS,
  SETTINGS_KEYS,
  STARTUP_KEYS,
} from '../../support/contract/documentKeys.js';
import { type Instance, makeInstance } from '../../support/instance.js';

const OWN_GENERATION = {
  retry: { attempts: 7, base_delay: 0.5, max_delay: 9 },
  template_limits: { loop_steps: 1_234 },
  checkpoint: true,
};

const CONFIG = {
  input: [{ timer: { seconds: 60, count: 1 } }],
  event: {
    template: {
      mode: 'all',
      templates: [{ a: { template: 'a.jinja' } }],
      marks: 'text',
      drop_empty: true,
    },
  },
  output: [{ stdout: {} }],
};

const ENTRY = { id: 'web', path: 'web/generator.yml', autostart: false, seed: 'kept', ...OWN_GENERATION };

const SETTINGS = 'allow_subprocess: true, max_pool_threads: 3, max_script_threads: 4, thread_heap_mb: 256';

/** A document that is replaced with PUT: how it is read, what of it is ours, and what of it a client knows. */
interface Replaced {
  readonly path: string;
  readonly documentOf: (shown: JsonObject) => JsonObject;
  readonly own: JsonObject;
}

const REPLACED: Readonly<Record<string, Replaced>> = {
  updateSettings: {
    path: '/instance/settings',
    documentOf: (shown) => documentOnly(SETTINGS_KEYS, shown) as JsonObject,
    own: {
      server: { secrets_readable: true },
      generation: {
        checkpoint: true,
        allow_subprocess: true,
        max_pool_threads: 3,
        max_script_threads: 4,
        thread_heap_mb: 256,
      },
      path: { state: 'state' },
    },
  },
  updateGeneratorConfig: {
    path: '/generator-configs/web',
    documentOf: documentConfig,
    own: { event: { template: { marks: 'text', drop_empty: true } } },
  },
  replaceStartupEntry: {
    path: '/startup/web',
    documentOf: (shown) => documentOnly(STARTUP_KEYS, shown) as JsonObject,
    own: { seed: 'kept', ...OWN_GENERATION },
  },
  replaceGenerator: {
    path: '/generators/web',
    documentOf: (shown) => documentOnly(GENERATOR_KEYS, shown) as JsonObject,
    own: { seed: 'kept', ...OWN_GENERATION },
  },
};

/**
 * They replace a value, a file, or an object with free keys: nothing of it is ours. Of destinations all is ours: who replaces
 * one knows its keys.
 */
const WITHOUT_KEYS = [
  'replaceGlobals',
  'setSecret',
  'replaceGeneratorFile',
  'writeIncident',
  'writeDestination',
];

let instance: Instance;

beforeAll(async () => {
  instance = await makeInstance({
    startup: JSON.stringify([ENTRY]),
    generators: { 'web/generator.yml': JSON.stringify(CONFIG), 'web/a.jinja': 'a' },
    server: 'secrets_readable: true',
    settings: `checkpoint: true, ${SETTINGS}`,
  });
  await instance.start();
});

afterAll(() => instance.remove());

test('every PUT of the OpenAPI document is tried below, or replaces what has no keys of ours', async () => {
  const document = (await instance.api('GET', '/openapi.json')).body as JsonObject;
  const puts = operationsOf(document).filter(({ method }) => method === 'PUT');
  expect(puts.map(({ id }) => id).sort()).toEqual([...Object.keys(REPLACED), ...WITHOUT_KEYS].sort());
});

test.each(Object.entries(REPLACED))(
  '%s with exactly the keys of the API document loses nothing',
  async (_, { path, documentOf, own }) => {
    const shown = async (): Promise<JsonObject> => {
      const { status, body } = await instance.api('GET', path);
      expect(status).toBe(200);
      return body as JsonObject;
    };
    const before = await shown();
    expect(before).toMatchObject(own);
    const body = documentOf(before);
    expect(body).not.toMatchObject(own);
    expect((await instance.api('PUT', path, body)).status).toBe(200);
    expect(await shown()).toEqual(before);
  },
);

test('extension keys of the settings file survive such a PUT', async () => {
  expect(await instance.file('spate.yml')).toContain(`checkpoint: true, ${SETTINGS}`);
  expect(await instance.file('spate.yml')).toContain('state: state');
});

test('null takes a key of ours away', async () => {
  const { body } = await instance.api('GET', '/startup/web');
  const without = { ...(body as JsonObject), seed: null, retry: null } as Json;
  expect((await instance.api('PUT', '/startup/web', without)).status).toBe(200);
  expect((await instance.api('GET', '/startup/web')).body).toMatchObject({
    seed: null,
    retry: { attempts: 5 },
  });
  expect(await instance.file('startup.yml')).not.toMatch(/seed|attempts/);
});
