import { CONFIG, PREVIEWED } from '../support.js';
import type { ValidRequest } from './validRequest.js';

const BASE = '/preview/a%20b/event-plugin';
const name = 'a b';
const TIMESTAMPS = [
  { timestamp: '2026-01-01T00:00:00Z', tags: ['x'] },
  { timestamp: '2026-01-01 01:00', tags: [] },
];

/** The five requests of one state. */
const stateRows = (id: string, path: string, scope: unknown): readonly ValidRequest[] => {
  const asked = (action: unknown) => ({ type: 'preview.state', payload: { name, scope, action } });
  const at = `${BASE}/template/state/${path}`;
  const values = { a: null };
  return [
    [`read${id}`, 'GET', at, undefined, asked({ kind: 'read' }), 200, PREVIEWED.state],
    [`patch${id}`, 'PATCH', at, values, asked({ kind: 'merge', values }), 200, null],
    [`clear${id}`, 'DELETE', at, undefined, asked({ kind: 'clear' }), 200, null],
    [`read${id}Key`, 'GET', `${at}/k%2Fk`, undefined, asked({ kind: 'read_key', key: 'k/k' }), 200, null],
    [`delete${id}Key`, 'DELETE', `${at}/k`, undefined, asked({ kind: 'delete_key', key: 'k' }), 200, null],
  ];
};

/** As `VALID`, for previews of events and texts, and for secrets. */
export const VALID_PREVIEW: readonly ValidRequest[] = [
  [
    'openEventPreview',
    'POST',
    `${BASE}?timezone=Europe/Berlin`,
    CONFIG.event,
    {
      type: 'preview.open',
      payload: { name, event: CONFIG.event, files: null, inputs: null, timezone: 'Europe/Berlin' },
    },
    201,
    null,
  ],
  [
    'openDraftPreview',
    'POST',
    `${BASE}/drafts`,
    { event: CONFIG.event, files: { 'produce.js': 'text' }, inputs: CONFIG.input },
    {
      type: 'preview.open',
      payload: {
        name,
        event: CONFIG.event,
        files: { 'produce.js': 'text' },
        inputs: CONFIG.input,
        timezone: null,
      },
    },
    201,
    null,
  ],
  [
    'produceEventPreview',
    'POST',
    `${BASE}/produce`,
    TIMESTAMPS,
    { type: 'preview.produce', payload: { name, timestamps: TIMESTAMPS } },
    200,
    PREVIEWED.produce,
  ],
  [
    'releaseEventPreview',
    'DELETE',
    BASE,
    undefined,
    { type: 'preview.release', payload: { name } },
    200,
    null,
  ],
  ...stateRows('PreviewGlobals', 'global', { kind: 'global' }),
  ...stateRows('PreviewSharedState', 'shared', { kind: 'shared' }),
  ...stateRows('PreviewLocalState', 'local/main%20one', { kind: 'local', alias: 'main one' }),
  [
    'previewFormatter',
    'POST',
    '/preview/a%20b/formatter/format',
    { formatter_config: { format: 'json' }, events: ['{}'] },
    { type: 'preview.format', payload: { name, formatter: { format: 'json' }, events: ['{}'] } },
    200,
    PREVIEWED.format,
  ],
  [
    'normalizeDateTime',
    'POST',
    '/preview/a%20b/versatile-datetime/normalize',
    { value: '+1h', timezone: 'UTC' },
    {
      type: 'preview.normalize',
      payload: { name, value: '+1h', timezone: 'UTC', relative_base: null, none_point: 'now' },
    },
    200,
    PREVIEWED.normalize,
  ],
  [
    'guessLogTimestamps',
    'POST',
    '/preview/log-timestamps',
    { text: 'at 1', timestamp_pattern: '(?P<timestamp>1)' },
    {
      type: 'preview.log_times',
      payload: {
        text: 'at 1',
        timestamp_pattern: '(?P<timestamp>1)',
        timestamp_format: null,
        timezone: 'UTC',
      },
    },
    200,
    PREVIEWED.logTimes,
  ],
  [
    'learnGenerator',
    'POST',
    '/preview/learn?seed=s&keep_values=true',
    'text',
    {
      type: 'preview.learn',
      payload: {
        name: 'learned',
        seed: 's',
        keep_values: true,
        timezone: null,
        upload: { file: 'text', size_bytes: 4 },
      },
    },
    200,
    PREVIEWED.learned,
  ],
  ['listSecrets', 'GET', '/secrets/', undefined, { type: 'secrets.list', payload: null }, 200, ['a', 'b']],
  [
    'readSecret',
    'GET',
    '/secrets/a.b',
    undefined,
    { type: 'secrets.read', payload: { name: 'a.b' } },
    200,
    'the "value"',
  ],
  [
    'setSecret',
    'PUT',
    '/secrets/a.b',
    '"two\\nlines"',
    { type: 'secrets.set', payload: { name: 'a.b', value: 'two\nlines' } },
    200,
    null,
  ],
  [
    'renameSecret',
    'POST',
    '/secrets/a.b/rename?to=c',
    undefined,
    { type: 'secrets.rename', payload: { name: 'a.b', to: 'c', force: false } },
    200,
    null,
  ],
  [
    'listSecretReferences',
    'GET',
    '/secrets/a.b/references',
    undefined,
    { type: 'secrets.references', payload: { name: 'a.b' } },
    200,
    [{ kind: 'generator', file: 'web/generator.yml' }],
  ],
  [
    'deleteSecret',
    'DELETE',
    '/secrets/a.b',
    undefined,
    { type: 'secrets.remove', payload: { name: 'a.b' } },
    200,
    null,
  ],
];
