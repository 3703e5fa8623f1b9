import type { AnyShape } from '../../schema/index.js';
import { storedBody } from '../body.js';
import { nothing, nothingDoc, value, valueDoc } from '../reply.js';
import { refTo } from '../responses.js';
import { route } from '../route.js';

const TAG = 'Instance';

/** The whole instance; `settings` is the shape of the settings file. */
export const instanceRoutes = (settings: AnyShape) =>
  [
    route({
      id: 'readSettings',
      method: 'get',
      path: '/instance/settings',
      tag: TAG,
      summary: 'Settings in force',
      description: 'Every default filled in; secrets are masked.',
      success: valueDoc('The settings.', refTo('Settings')),
      errors: ['unreadable'],
      request: () => ({ type: 'settings.read', payload: null }),
      reply: value,
    }),
    route({
      id: 'updateSettings',
      method: 'put',
      path: '/instance/settings',
      tag: TAG,
      summary: 'Update the settings file',
      description:
        'Changes the file only; a restart is needed. A masked secret written back means unchanged.',
      body: storedBody('Settings', settings),
      success: nothingDoc,
      errors: ['unreadable', 'unwritable'],
      request: ({ body }) => ({ type: 'settings.write', payload: { settings: body } }),
      reply: nothing,
    }),
    route({
      id: 'readHealth',
      method: 'get',
      path: '/health',
      tag: TAG,
      summary: 'Health of the instance',
      isOpen: true,
      success: valueDoc('It answers.', refTo('Health')),
      errors: [],
      request: () => ({ type: 'instance.health', payload: null }),
      reply: value,
    }),
  ] as const;
