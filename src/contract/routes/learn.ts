import { MAX_LEARNED_BYTES, uploadBody } from '../body.js';
import { booleanParam, optionalNameParam, textParam, zoneParam } from '../params.js';
import { valueDoc } from '../reply.js';
import { refTo } from '../responses.js';
import { type Reply, route } from '../route.js';

/** As of a generator. */
const MAX_SEED_LENGTH = 256;
const DEFAULT_NAME = 'learned';

/** `ready`: the reply with text that the preview thread has written. */
export const learnRoute = (ready: (chunks: AsyncIterable<Uint8Array>) => Reply) =>
  route({
    id: 'learnGenerator',
    method: 'post',
    path: '/preview/learn',
    tag: 'Preview',
    summary: 'Learn a generator from a log',
    description:
      'As `spate learn`: finds the format, fields, distributions and rate of a log, replaces private values, and compares generated events with the log. Returns the files of the generator; `importGenerator` stores them. Reads 100,000 records and takes at most 90 seconds, one log at a time. Stores nothing. `examples` holds records of the log as they were.',
    query: {
      name: optionalNameParam('Name of the generator in its README.'),
      seed: textParam(
        MAX_SEED_LENGTH,
        'Key of the pseudonyms and of all random choices. Drawn and returned if omitted; who has it can test guesses of private values.',
      ),
      keep_values: booleanParam(false, 'Keep private values: addresses, names, identifiers.'),
      timezone: zoneParam(null, 'Time zone of the generated events. Defaults to the settings.'),
    },
    body: uploadBody('content', MAX_LEARNED_BYTES),
    success: valueDoc('What was learned.', refTo('LearnedLog')),
    errors: ['plugin_failed', 'too_many_requests', 'too_large', 'timed_out', 'unreadable'],
    request: ({ query: { name, ...query }, body }) => ({
      type: 'preview.learn',
      payload: { name: name ?? DEFAULT_NAME, ...query, upload: body },
    }),
    reply: ready,
  });
