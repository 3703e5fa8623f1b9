import { integerParam, nameParam, optionalNameParam, timeParam } from '../params.js';
import { value, valueDoc } from '../reply.js';
import { route } from '../route.js';
import { refTo } from '../schemaParts.js';

const TAG = 'Dead letters';
const path = '/generators/{id}/dead-letters';
const params = { id: nameParam('Id of the generator.') };
const output = optionalNameParam(
  'Only the dead letters of this output: its name, for example `1-file`, or its number. Default: all outputs.',
);

const MAX_PAGE = 500;
const DEFAULT_PAGE = 50;
const MAX_OFFSET = 1_000_000_000;
const MAX_REPLAYED = 1_000_000;
const DEFAULT_REPLAYED = 100_000;

const common = ['not_found', 'unreadable', 'unwritable', 'host_crashed', 'too_many_requests'] as const;

export const deadLetterRoutes = () =>
  [
    route({
      id: 'listDeadLetters',
      method: 'get',
      path,
      tag: TAG,
      summary: 'List the outputs of a generator with dead letters',
      description: 'Returns an empty list for a generator without dead letters.',
      params,
      success: valueDoc('Counts, ages and reasons per output.', {
        type: 'array',
        items: refTo('DeadLetterBox'),
      }),
      errors: common,
      request: (parts) => ({ type: 'letters.list', payload: { id: parts.path.id } }),
      reply: value,
    }),
    route({
      id: 'readDeadLetters',
      method: 'get',
      path: `${path}/{output}`,
      tag: TAG,
      summary: 'Read dead letters of an output',
      description:
        'Returns a page of dead letters, oldest first, about 2 MiB at most. Offsets shift when letters are sent or removed.',
      params: { ...params, output: nameParam('Name of the output, for example `1-file`, or its number.') },
      query: {
        offset: integerParam(0, 0, MAX_OFFSET, 'Number of older letters to skip.'),
        limit: integerParam(DEFAULT_PAGE, 1, MAX_PAGE, 'Maximum letters of the page.'),
      },
      success: valueDoc('The letters.', refTo('DeadLetters')),
      errors: common,
      request: (parts) => ({ type: 'letters.read', payload: { ...parts.path, ...parts.query } }),
      reply: value,
    }),
    route({
      id: 'replayDeadLetters',
      method: 'post',
      path: '/generators/{id}/replay-dead-letters',
      tag: TAG,
      summary: 'Send dead letters again',
      description:
        'Sends dead letters through formatter and output of the current config file, like `spate deadletter replay`. Delivered letters are ' +
        'removed; refused ones stay with the new reason. Stops after 20 seconds and the write in flight: call again until `is_done`. Letters ' +
        'that the generator adds meanwhile are not sent. Letters of a write that timed out may arrive twice.',
      params,
      query: {
        output,
        limit: integerParam(DEFAULT_REPLAYED, 1, MAX_REPLAYED, 'Maximum letters to try.'),
      },
      success: valueDoc('What was sent per output.', { type: 'array', items: refTo('ReplayedLetters') }),
      errors: [...common, 'wrong_state', 'plugin_failed', 'keyring_locked'],
      request: (parts) => ({ type: 'letters.replay', payload: { id: parts.path.id, ...parts.query } }),
      reply: value,
    }),
    route({
      id: 'purgeDeadLetters',
      method: 'delete',
      path,
      tag: TAG,
      summary: 'Remove dead letters',
      description:
        'Removes dead letters permanently. With `until`, newer letters stay: send the `newest` of the list to remove only what was listed. Letters that ' +
        'the generator adds meanwhile stay.',
      params,
      query: { output, until: timeParam('Only letters up to this time.') },
      success: valueDoc('What was removed per output.', { type: 'array', items: refTo('PurgedLetters') }),
      errors: [...common, 'wrong_state'],
      request: (parts) => ({ type: 'letters.purge', payload: { id: parts.path.id, ...parts.query } }),
      reply: value,
    }),
  ] as const;
