import type { Json } from '../../domain/json.js';
import type { AnyShape } from '../../schema/index.js';
import { storedBody } from '../body.js';
import { EXTENSIONS_STAY, nothing, nothingDoc, tagged, taggedDoc, value, valueDoc } from '../reply.js';
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
      success: taggedDoc('The settings; the entity tag is that of the file.', refTo('Settings')),
      errors: ['unreadable'],
      request: () => ({ type: 'settings.read', payload: null }),
      reply: (answer: { readonly settings: Json; readonly etag: string }) =>
        tagged(answer.etag, answer.settings),
    }),
    route({
      id: 'updateSettings',
      method: 'put',
      path: '/instance/settings',
      tag: TAG,
      summary: 'Update the settings file',
      description: `Changes the file only; a restart is needed. A masked secret written back means unchanged. ${EXTENSIONS_STAY}`,
      body: storedBody('Settings', settings),
      isConditional: true,
      success: taggedDoc('Done.', { type: 'null' }),
      errors: ['unreadable', 'precondition_failed', 'unwritable'],
      request: ({ body, ifMatch }) => ({
        type: 'settings.write',
        payload: { settings: body, if_match: ifMatch },
      }),
      reply: (answer: { readonly etag: string }) => tagged(answer.etag, null),
    }),
    route({
      id: 'readInstanceInfo',
      method: 'get',
      path: '/instance/info',
      tag: TAG,
      summary: 'The program and the machine it runs on',
      description:
        'Traffic of network and disks is that of the whole machine since its start. Figures are at most a second old.',
      success: valueDoc('What is known; `null` where the system does not tell.', refTo('InstanceInfo')),
      errors: [],
      request: () => ({ type: 'instance.info', payload: null }),
      reply: value,
    }),
    route({
      id: 'stopInstance',
      method: 'post',
      path: '/instance/stop',
      tag: TAG,
      summary: 'Stop the instance',
      description: 'Answers, then stops as after SIGTERM: what is in flight is delivered.',
      success: { ...nothingDoc, description: 'It stops now.' },
      errors: [],
      request: () => ({ type: 'instance.stop', payload: null }),
      reply: nothing,
    }),
    route({
      id: 'restartInstance',
      method: 'post',
      path: '/instance/restart',
      tag: TAG,
      summary: 'Restart the instance with its settings and startup list as they are now',
      description:
        'As after SIGHUP: settings and startup list are checked; when they cannot be used it goes on and the answer says why (409). ' +
        'Otherwise it answers, stops and starts inside the same process; connections are refused meanwhile.',
      success: { ...nothingDoc, description: 'It restarts now.' },
      errors: ['wrong_state', 'unreadable', 'not_found'],
      request: () => ({ type: 'instance.restart', payload: null }),
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
