import { ERRORS } from '../../domain/errors.js';
import {
  DEFAULT_TAIL_BYTES,
  DEFAULT_TAIL_RATE,
  MAX_TAIL_BYTES,
  MAX_TAIL_RATE,
} from '../../domain/events/tail.js';
import type { Readiness } from '../../domain/stats/board.js';
import { integerParam, nameParam, textsParam } from '../params.js';
import { eventStream, eventStreamDoc, valueDoc } from '../reply.js';
import { refTo } from '../responses.js';
import { type Reply, route, type SuccessDoc } from '../route.js';

const TAG = 'Observability';

/** The smallest piece of an event that is worth showing. */
const MIN_TAIL_BYTES = 16;
/** Far more than is kept of a log. */
const MAX_OFFSET = 1_000_000_000;

const readiness = (answer: Readiness): Reply => {
  if (answer.status === 'ready') return { status: 200, kind: 'json', value: answer };
  const { status, expected, up } = answer;
  const detail =
    status === 'stopping'
      ? 'The service is stopping.'
      : `${up} of ${expected} generators with autostart are up: GET /api/generators/ says why the others are not.`;
  return {
    status: ERRORS.unavailable.status,
    headers: { 'Retry-After': '1' },
    kind: 'json',
    value: { detail, code: 'unavailable' },
  };
};

const metricsDoc: SuccessDoc = {
  status: 200,
  description: 'Text exposition format 0.0.4.',
  contentType: 'text/plain',
  schema: { type: 'string' },
};

const metrics = (chunks: AsyncIterable<Uint8Array>): Reply => ({
  status: 200,
  kind: 'bytes',
  contentType: 'text/plain; version=0.0.4; charset=utf-8',
  chunks,
});

const webSocketDoc: SuccessDoc = {
  status: 101,
  description: 'The connection is a WebSocket from here on; it sends text.',
  contentType: 'text/plain',
  schema: { type: 'string' },
};

/** The answer to a request for a WebSocket path that asks for none. */
const upgradeNeeded = (): Reply => ({
  status: ERRORS.upgrade_required.status,
  headers: { Upgrade: 'websocket', Connection: 'Upgrade' },
  kind: 'json',
  value: {
    detail: 'This path is for WebSocket connections: connect with ws:// or wss://.',
    code: 'upgrade_required',
  },
});

const query = {
  end_offset: integerParam(
    8_192,
    0,
    MAX_OFFSET,
    'Begin this many bytes before the end of the log, at a whole line.',
  ),
};

const FOLLOWED =
  'A WebSocket: text frames of at most 8,192 characters with the last lines of the log, then new ones as they come, over rotations of the ' +
  'file too. What is older than the last lines kept in memory is in the file. Nothing is expected from the client; one that is slower ' +
  'than the log is told how many lines it missed. Close codes: 1001 the service stops, 1008 unknown generator, or the session is over, ' +
  '1013 nothing was logged yet.';

/** What can be seen of a running instance. */
export const observeRoutes = () =>
  [
    route({
      id: 'readReadiness',
      method: 'get',
      path: '/ready',
      tag: TAG,
      summary: 'Readiness of the instance',
      description:
        'Ready means: every generator with autostart runs, or has ended without a failure. Anything else is 503.',
      isOpen: true,
      success: valueDoc('It is ready.', refTo('Readiness')),
      errors: [],
      request: () => ({ type: 'observe.ready', payload: null }),
      reply: readiness,
    }),
    route({
      id: 'readMetrics',
      method: 'get',
      path: '/metrics',
      tag: TAG,
      summary: 'Metrics for Prometheus',
      description:
        'Counters of every generator and plugin, histograms of lateness and delivery lag, phases, and the load of the process. Counters ' +
        'of a generator begin anew at each start. `le` has exact bounds: durations are counted in whole microseconds, rounded up.',
      success: metricsDoc,
      errors: ['too_many_requests'],
      request: () => ({ type: 'observe.metrics', payload: null }),
      reply: metrics,
    }),
    route({
      id: 'followEvents',
      method: 'get',
      path: '/events',
      tag: TAG,
      summary: 'What happens in the instance, as server-sent events',
      description:
        '`generator`: the state of one that is new or has changed (`phase` is `removed` for one that is gone); first all of them, as they are. ' +
        '`stats`: once a second the counters of those whose counters have changed, without those that are 0. `scenario`: its globals are others now (name and entity tag, ' +
        'no values). `reset`: forget what you know, everything follows. A slow client gets the latest state of each, never a backlog. ' +
        'With `Last-Event-ID` only what has changed since then is sent.',
      query: { id: textsParam('Id of a generator; may repeat. Without any: all generators.') },
      isResumable: true,
      success: eventStreamDoc('The stream; comments keep it alive, and it ends when the service stops.'),
      errors: ['too_many_requests'],
      request: (parts) => ({
        type: 'observe.events',
        payload: { ids: parts.query.id, last_event_id: parts.lastEventId },
      }),
      reply: eventStream,
    }),
    route({
      id: 'tailGenerator',
      method: 'get',
      path: '/generators/{id}/tail',
      tag: TAG,
      summary: 'Look on at the events of a generator, as server-sent events',
      description:
        'A sample of the events as they are produced, before any formatter. `event`: `text`, and `is_cut` for one that is longer. `state`: the ' +
        'phase of the generator, now and whenever it changes. `missed`: how many of the sample this client was too slow for. The stream ' +
        'stays open when the generator ends and goes on at its next start.',
      params: { id: nameParam('Id of the generator.') },
      query: {
        rate: integerParam(
          DEFAULT_TAIL_RATE,
          1,
          MAX_TAIL_RATE,
          'Events per second on average, and at most at once.',
        ),
        max_bytes: integerParam(
          DEFAULT_TAIL_BYTES,
          MIN_TAIL_BYTES,
          MAX_TAIL_BYTES,
          'Events with more bytes (as UTF-8) are cut.',
        ),
      },
      success: eventStreamDoc('The stream; comments keep it alive, and it ends when the service stops.'),
      errors: ['not_found', 'too_many_requests'],
      request: (parts) => ({
        type: 'observe.tail',
        payload: { id: parts.path.id, rate: parts.query.rate, max_bytes: parts.query.max_bytes },
      }),
      reply: eventStream,
    }),
    route({
      id: 'followMainLog',
      method: 'get',
      path: '/instance/logs/main',
      tag: TAG,
      summary: 'Follow the log of the instance',
      description: FOLLOWED,
      query,
      success: webSocketDoc,
      errors: ['upgrade_required', 'too_many_requests'],
      request: (parts) => ({
        type: 'observe.log',
        payload: { id: null, from_bytes: parts.query.end_offset },
      }),
      reply: upgradeNeeded,
    }),
    route({
      id: 'followGeneratorLog',
      method: 'get',
      path: '/generators/{id}/logs',
      tag: TAG,
      summary: 'Follow the log of a generator',
      description: FOLLOWED,
      params: { id: nameParam('Id of the generator.') },
      query,
      success: webSocketDoc,
      errors: ['upgrade_required', 'too_many_requests'],
      request: (parts) => ({
        type: 'observe.log',
        payload: { id: parts.path.id, from_bytes: parts.query.end_offset },
      }),
      reply: upgradeNeeded,
    }),
  ] as const;
