import { CONFIG, defaultAnswers, SETTINGS } from '../support.js';
import { VALID_CLUSTER } from './validCluster.js';
import { VALID_DEAD_LETTERS } from './validDeadLetters.js';
import { VALID_DESTINATIONS } from './validDestinations.js';
import { VALID_FILES } from './validFiles.js';
import { VALID_INCIDENTS } from './validIncidents.js';
import { VALID_LIBRARY } from './validLibrary.js';
import { VALID_MANAGEMENT } from './validManagement.js';
import { VALID_OBSERVE } from './validObserve.js';
import { VALID_PREVIEW } from './validPreview.js';
import type { ValidRequest } from './validRequest.js';
import { VALID_WORLDS } from './validWorlds.js';

export const INPUTS = CONFIG.input;
export const GLOBALS = '/scenarios/s/globals';
export const PREVIEW = '/preview/web/input-plugins/generate';

/** Sends a request to a server as clients do; text bodies go as they are, all others as JSON. */
export const callApi = (
  url: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
) =>
  fetch(`${url}/api${path}`, {
    method,
    headers: body === undefined ? headers : { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });

/** Every route once, as a client sends it right: what its owner is asked and what the client gets. */
export const VALID: readonly ValidRequest[] = [
  [
    'listGeneratorConfigs',
    'GET',
    '/generator-configs/?extended=yes',
    undefined,
    { type: 'configs.list', payload: { extended: true } },
    200,
    [{ name: 'web' }],
  ],
  [
    'createGeneratorConfig',
    'POST',
    '/generator-configs/web',
    CONFIG,
    { type: 'configs.create', payload: { name: 'web', config: CONFIG } },
    201,
    null,
  ],
  [
    'readGeneratorConfig',
    'GET',
    '/generator-configs/a%20b',
    undefined,
    { type: 'configs.read', payload: { name: 'a b' } },
    200,
    CONFIG,
  ],
  [
    'updateGeneratorConfig',
    'PUT',
    '/generator-configs/web',
    CONFIG,
    { type: 'configs.update', payload: { name: 'web', config: CONFIG, if_match: null, user: 'local' } },
    200,
    null,
  ],
  [
    'readGeneratorFileTree',
    'GET',
    '/generator-configs/web/file-tree',
    undefined,
    { type: 'configs.tree', payload: { name: 'web' } },
    200,
    [{ name: 'a', is_dir: true, children: [{ name: 'b', is_dir: false, children: [] }] }],
  ],
  [
    'exportGenerator',
    'GET',
    '/generator-configs/web/export?exclude=a&exclude=b%2F',
    undefined,
    { type: 'configs.export', payload: { name: 'web', exclude: ['a', 'b/'] } },
    200,
    'PK',
  ],
  ...VALID_DEAD_LETTERS,
  ...VALID_FILES,
  ...VALID_LIBRARY,
  ...VALID_DESTINATIONS,
  ...VALID_WORLDS,
  ...VALID_INCIDENTS,
  ...VALID_MANAGEMENT,
  ...VALID_OBSERVE,
  ...VALID_CLUSTER,
  ...VALID_PREVIEW,
  [
    'previewTimestamps',
    'POST',
    `${PREVIEW}?size=5&skip_past=no&timezone=Europe%2FBerlin&span=1h30m`,
    INPUTS,
    {
      type: 'preview.timestamps',
      payload: {
        name: 'web',
        inputs: INPUTS,
        size: 5,
        skip_past: false,
        timezone: 'Europe/Berlin',
        span: '1h30m',
      },
    },
    200,
    { total: 0 },
  ],
  [
    'readGlobals',
    'GET',
    GLOBALS,
    undefined,
    { type: 'globals.read', payload: { name: 's' } },
    200,
    { a: null },
  ],
  [
    'patchGlobals',
    'PATCH',
    GLOBALS,
    { a: null },
    {
      type: 'globals.change',
      payload: { name: 's', change: { kind: 'shallow', values: { a: null } }, if_match: null, user: 'local' },
    },
    200,
    null,
  ],
  [
    'replaceGlobals',
    'PUT',
    GLOBALS,
    { a: 1 },
    {
      type: 'globals.change',
      payload: { name: 's', change: { kind: 'replace', values: { a: 1 } }, if_match: null, user: 'local' },
    },
    200,
    null,
  ],
  [
    'clearGlobals',
    'DELETE',
    GLOBALS,
    undefined,
    {
      type: 'globals.change',
      payload: { name: 's', change: { kind: 'replace', values: {} }, if_match: null, user: 'local' },
    },
    200,
    null,
  ],
  [
    'deleteGlobalsKey',
    'DELETE',
    `${GLOBALS}/a%2Fb`,
    undefined,
    {
      type: 'globals.change',
      payload: { name: 's', change: { kind: 'delete_key', key: 'a/b' }, if_match: null, user: 'local' },
    },
    200,
    null,
  ],
  [
    'readGlobalsHistory',
    'GET',
    '/scenarios/s/globals-history',
    undefined,
    { type: 'globals.history', payload: { name: 's' } },
    200,
    defaultAnswers()['globals.history'],
  ],
  [
    'readGeneratorHistory',
    'GET',
    '/generators/g/history',
    undefined,
    { type: 'generators.history', payload: { id: 'g' } },
    200,
    defaultAnswers()['generators.history'],
  ],
  [
    'checkOutputs',
    'POST',
    '/generators/g/check-outputs',
    undefined,
    { type: 'generators.check_outputs', payload: { id: 'g' } },
    200,
    [
      { plugin: 'stdout', error: null, error_code: null },
      { plugin: 'tcp', error: 'refused', error_code: 'output_failed' },
    ],
  ],
  [
    'listGenerators',
    'GET',
    '/generators/',
    undefined,
    { type: 'generators.list', payload: null },
    200,
    defaultAnswers()['generators.list'],
  ],
  [
    'readGenerator',
    'GET',
    '/generators/g',
    undefined,
    { type: 'generators.read', payload: { id: 'g' } },
    200,
    defaultAnswers()['generators.read'],
  ],
  [
    'readGeneratorStatus',
    'GET',
    '/generators/g/status',
    undefined,
    { type: 'generators.status', payload: { id: 'g' } },
    200,
    defaultAnswers()['generators.status'],
  ],
  [
    'readGeneratorStats',
    'GET',
    '/generators/g/stats',
    undefined,
    { type: 'generators.stats', payload: { id: 'g' } },
    200,
    defaultAnswers()['generators.stats'],
  ],
  [
    'patchGenerator',
    'PATCH',
    '/generators/g?persist=true',
    { event: { script: { path: 'other.js' } }, output: null },
    {
      type: 'generators.patch',
      payload: { id: 'g', sections: { event: { script: { path: 'other.js' } } }, persist: true },
    },
    200,
    null,
  ],
  [
    'startGenerator',
    'POST',
    '/generators/g/start',
    undefined,
    { type: 'generators.start', payload: { id: 'g' } },
    200,
    true,
  ],
  [
    'stopGenerator',
    'POST',
    '/generators/g/stop',
    undefined,
    { type: 'generators.stop', payload: { id: 'g' } },
    200,
    null,
  ],
  [
    'readSettings',
    'GET',
    '/instance/settings',
    undefined,
    { type: 'settings.read', payload: { stored: false } },
    200,
    SETTINGS,
  ],
  [
    'updateSettings',
    'PUT',
    '/instance/settings',
    SETTINGS,
    { type: 'settings.write', payload: { settings: SETTINGS, if_match: null } },
    200,
    null,
  ],
  [
    'readHealth',
    'GET',
    '/health',
    undefined,
    { type: 'instance.health', payload: null },
    200,
    { status: 'ok', uptime_seconds: 1 },
  ],
];
