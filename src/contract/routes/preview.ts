import type { AnyShape } from '../../schema/index.js';
import { directBody } from '../body.js';
import { booleanParam, integerParam, nameParam, spanParam, zoneParam } from '../params.js';
import { valueDoc } from '../reply.js';
import { refTo } from '../responses.js';
import { route } from '../route.js';

/** Most timestamps of one preview. */
const MAX_SIZE = 1_000_000;

/** Previews; `inputs` is the shape of a list of input plugins. */
export const previewRoutes = (inputs: AnyShape) =>
  [
    route({
      id: 'previewTimestamps',
      method: 'post',
      path: '/preview/{name}/input-plugins/generate',
      tag: 'Preview',
      summary: 'Preview timestamps of input plugins',
      description:
        'Nothing is stored and nothing runs on. Relative paths resolve in the generator directory; placeholders are not accepted.',
      params: { name: nameParam('Name of the generator directory.') },
      query: {
        size: integerParam(1000, 1, MAX_SIZE, 'Number of timestamps to generate.'),
        skip_past: booleanParam(true, 'Skip timestamps in the past.'),
        timezone: zoneParam('UTC', 'Time zone of generated timestamps.'),
        span: spanParam(
          'Span for aggregating timestamps: numbers with units (ms s m h d w) or an ISO 8601 duration. Chosen automatically when omitted.',
        ),
      },
      body: directBody('InputPlugins', inputs),
      success: valueDoc('The preview.', refTo('TimestampPreview')),
      errors: ['forbidden', 'not_found', 'too_many_requests'],
      request: ({ path, query, body }) => ({
        type: 'preview.timestamps',
        payload: { name: path.name, inputs: body, ...query },
      }),
      reply: (chunks: AsyncIterable<Uint8Array>) => ({
        status: 200,
        kind: 'bytes',
        contentType: 'application/json; charset=utf-8',
        chunks,
      }),
    }),
  ] as const;
