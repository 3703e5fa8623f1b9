import type { Json } from '../../domain/json.js';
import type { AnyShape } from '../../schema/index.js';
import { storedBody } from '../body.js';
import { booleanParam } from '../params.js';
import { EXTENSIONS_STAY, nothing, nothingDoc, tagged, taggedDoc, value, valueDoc } from '../reply.js';
import { route } from '../route.js';
import { refTo } from '../schemaParts.js';

const TAG = 'Instance';

/** `settings`: the shape of the settings file. */
export const instanceRoutes = (settings: AnyShape) =>
  [
    route({
      id: 'readSettings',
      method: 'get',
      path: '/instance/settings',
      tag: TAG,
      summary: 'Read the settings',
      description: 'Returns the settings in use with every default. Secrets are masked.',
      query: {
        stored: booleanParam(false, 'Return the settings of the file, which a restart would use.'),
      },
      success: taggedDoc('The settings; the entity tag belongs to the file.', refTo('Settings')),
      errors: ['unreadable'],
      request: ({ query }) => ({ type: 'settings.read', payload: { stored: query.stored } }),
      reply: (answer: { readonly settings: Json; readonly etag: string }) =>
        tagged(answer.etag, answer.settings),
    }),
    route({
      id: 'updateSettings',
      method: 'put',
      path: '/instance/settings',
      tag: TAG,
      summary: 'Update the settings file',
      description: `Changes the file only; restart the instance to apply it. A masked secret keeps its value. ${EXTENSIONS_STAY}`,
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
      summary: 'Get information about the process and the machine',
      description:
        'Network and disk traffic count for the whole machine since it booted. Figures are at most one second old.',
      success: valueDoc(
        'The information; `null` where the system does not provide it.',
        refTo('InstanceInfo'),
      ),
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
      description: 'Responds, then stops like after SIGTERM: delivers events in flight.',
      success: { ...nothingDoc, description: 'The instance is stopping.' },
      errors: [],
      request: () => ({ type: 'instance.stop', payload: null }),
      reply: nothing,
    }),
    route({
      id: 'restartInstance',
      method: 'post',
      path: '/instance/restart',
      tag: TAG,
      summary: 'Restart the instance',
      description:
        'Applies the settings file and the startup list, like SIGHUP. If one of them is invalid, the instance keeps running and responds with 409. ' +
        'Otherwise it responds and restarts inside the same process, refusing connections meanwhile.',
      success: { ...nothingDoc, description: 'The instance is restarting.' },
      errors: ['wrong_state', 'unreadable', 'not_found'],
      request: () => ({ type: 'instance.restart', payload: null }),
      reply: nothing,
    }),
    route({
      id: 'readHealth',
      method: 'get',
      path: '/health',
      tag: TAG,
      summary: 'Check the health of the instance',
      isOpen: true,
      success: valueDoc('It answers.', refTo('Health')),
      errors: [],
      request: () => ({ type: 'instance.health', payload: null }),
      reply: value,
    }),
  ] as const;
