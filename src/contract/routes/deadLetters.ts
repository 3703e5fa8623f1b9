import type { ResentDeadLetters } from '../../messages/deadLetters.js';
import { integerParam, nameParam, optionalNameParam, timeParam } from '../params.js';
import { asHeader, value, valueDoc, WARNING } from '../reply.js';
import { route, type SuccessDoc } from '../route.js';
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
const MAX_RESENT = 1_000_000;
const DEFAULT_RESENT = 100_000;

const RESEND =
  'Sends dead letters through formatter and output of the current config file, like `spate deadletter resend`. Delivered letters are ' +
  'removed; refused ones stay with the new reason. Stops after 20 seconds and the write in flight: call again until `is_done`. Letters ' +
  'that the generator adds meanwhile are not sent. Letters of a write that timed out may arrive twice.';

const resendDoc = (formerly: string | null): SuccessDoc => {
  const doc = valueDoc('What was sent per output.', { type: 'array', items: refTo('ResentDeadLetters') });
  return formerly === null ? doc : { ...doc, headers: { ...doc.headers, [WARNING]: 'The present path.' } };
};

const common = ['not_found', 'unreadable', 'unwritable', 'host_crashed', 'too_many_requests'] as const;

/** The row that sends dead letters again. `formerly` documents a path of the version before, which answers with a warning. */
const resendRoute = <const I extends string>({
  formerly,
  ...given
}: {
  readonly id: I;
  readonly path: string;
  readonly formerly: string | null;
}) =>
  route({
    ...given,
    method: 'post',
    tag: TAG,
    summary: 'Send dead letters again',
    description: `${formerly === null ? '' : `${formerly} `}${RESEND}`,
    ...(formerly === null ? {} : { isDeprecated: true }),
    params,
    query: {
      output,
      limit: integerParam(DEFAULT_RESENT, 1, MAX_RESENT, 'Maximum letters to try.'),
    },
    success: resendDoc(formerly),
    errors: [...common, 'wrong_state', 'plugin_failed', 'keyring_locked'],
    request: (parts) => ({ type: 'dead_letters.resend', payload: { id: parts.path.id, ...parts.query } }),
    reply: (answer: readonly ResentDeadLetters[]) =>
      formerly === null ? value(answer) : { ...value(answer), headers: { [WARNING]: asHeader(formerly) } },
  });

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
        items: refTo('DeadLetterSummary'),
      }),
      errors: common,
      request: (parts) => ({ type: 'dead_letters.list', payload: { id: parts.path.id } }),
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
      request: (parts) => ({ type: 'dead_letters.read', payload: { ...parts.path, ...parts.query } }),
      reply: value,
    }),
    resendRoute({
      id: 'resendDeadLetters',
      path: '/generators/{id}/resend-dead-letters',
      formerly: null,
    }),
    resendRoute({
      id: 'replayDeadLetters',
      path: '/generators/{id}/replay-dead-letters',
      formerly: 'Former path of `resend-dead-letters`; the next version no longer knows it.',
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
      success: valueDoc('What was removed per output.', { type: 'array', items: refTo('PurgedDeadLetters') }),
      errors: [...common, 'wrong_state'],
      request: (parts) => ({ type: 'dead_letters.purge', payload: { id: parts.path.id, ...parts.query } }),
      reply: value,
    }),
  ] as const;
