import { ERRORS } from '../../domain/errors.js';
import { MAX_SEARCH_LENGTH } from '../../domain/events/search.js';
import {
  DEFAULT_TAIL_BYTES,
  DEFAULT_TAIL_RATE,
  MAX_SEARCHES,
  MAX_TAIL_BYTES,
  MAX_TAIL_RATE,
  MAX_TAILED,
} from '../../domain/events/tail.js';
import type { Readiness } from '../../domain/stats/board.js';
import { plural } from '../../domain/text/shown.js';
import { booleanParam, integerParam, nameParam, namesParam, textParam, textsParam } from '../params.js';
import { eventStream, eventStreamDoc, valueDoc } from '../reply.js';
import { type Reply, route, type SuccessDoc } from '../route.js';
import { refTo } from '../schemaParts.js';

const TAG = 'Observability';

/** Bytes. */
const MIN_TAIL_BYTES = 16;
/** Bytes; far more than a log keeps in memory. */
const MAX_OFFSET = 1_000_000_000;
/** Seconds. */
const MAX_PAST = 300;

const readiness = (answer: Readiness): Reply => {
  if (answer.status === 'ready') return { status: 200, kind: 'json', value: answer };
  const { status, expected, up, failing = 0 } = answer;
  const detail =
    status === 'stopping'
      ? 'The service is stopping.'
      : up === expected && failing > 0
        ? `${plural(failing, 'failing generator')}. GET /api/generators/ shows why.`
        : `${up} of ${expected} generators with autostart are up. GET /api/generators/ shows why the others are not; GET /api/startup/group-actions/invalid names invalid startup entries.`;
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
  description: 'The connection switches to WebSocket and sends text frames.',
  contentType: 'text/plain',
  schema: { type: 'string' },
};

/** The response to a plain request for a WebSocket path. */
const upgradeNeeded = (): Reply => ({
  status: ERRORS.upgrade_required.status,
  headers: { Upgrade: 'websocket', Connection: 'Upgrade' },
  kind: 'json',
  value: {
    detail: 'This path accepts WebSocket connections only. Connect with ws:// or wss://.',
    code: 'upgrade_required',
  },
});

const query = {
  end_offset: integerParam(
    8_192,
    0,
    MAX_OFFSET,
    'Start this many bytes before the end of the log, at the start of a line.',
  ),
};

const tailQuery = {
  rate: integerParam(
    DEFAULT_TAIL_RATE,
    1,
    MAX_TAIL_RATE,
    'Maximum events per second, as an average and in one burst.',
  ),
  max_bytes: integerParam(
    DEFAULT_TAIL_BYTES,
    MIN_TAIL_BYTES,
    MAX_TAIL_BYTES,
    'Maximum size of an event in bytes of UTF-8; longer events are truncated.',
  ),
};

const SEARCH =
  'Terms that must all match, without regard to case: a word or a "text in quotes"; `field:value`, with `*` for any text, of a JSON event or of ' +
  '`field=value` in another, where the last keys of a nested field are enough; `field:>=500` (also `>`, `<`, `<=`); `-` before a term excludes.';

const FOLLOWED =
  'A WebSocket that sends the last lines of the log and then new ones, in text frames of at most 8,192 characters and across rotations of the ' +
  'file. Only recent lines are in memory; older ones are in the file. The client sends nothing. A client that is slower ' +
  'than the log receives the number of lines it missed. Close codes: 1001 service stopping, 1008 unknown generator or expired session, ' +
  '1013 nothing logged yet.';

export const observeRoutes = () =>
  [
    route({
      id: 'readReadiness',
      method: 'get',
      path: '/ready',
      tag: TAG,
      summary: 'Check the readiness of the instance',
      description:
        'The instance is ready when every generator with autostart runs or has finished. Responds with 503 otherwise. With `strict=true`, ' +
        'the health of no generator may be `failing`, autostart or not.',
      isOpen: true,
      query: { strict: booleanParam(false, 'Also respond with 503 while a generator is `failing`.') },
      success: valueDoc('The instance is ready.', refTo('Readiness')),
      errors: [],
      request: (parts) => ({ type: 'observe.ready', payload: { strict: parts.query.strict } }),
      reply: readiness,
    }),
    route({
      id: 'readMetrics',
      method: 'get',
      path: '/metrics',
      tag: TAG,
      summary: 'Get Prometheus metrics',
      description:
        'Returns counters of every generator and plugin, histograms of lateness and delivery lag, phases, and the load of the process. Counters ' +
        'of a generator reset at each start. The bounds of `le` are exact: durations are whole microseconds, rounded up.',
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
      summary: 'Stream the state of the instance',
      description:
        'Server-sent events. `generator`: the state of a generator, first of each, then of each that changes (`phase` is `removed` after its removal). ' +
        '`stats`: once a second, the changed counters and `lateness_p99_us`, without zeros. `scenario`: the globals of a scenario changed (name and entity tag, ' +
        'no values). `past`, if asked for: events per second of generators before the stream, oldest first, null for seconds without a run. `reset`: discard all state, a full update follows. A slow client receives the latest state, never a backlog. ' +
        'With `Last-Event-ID`, only later changes are sent.',
      query: {
        id: textsParam('Id of a generator; repeatable. Default: all generators.'),
        past: integerParam(0, 0, MAX_PAST, 'Begin with the rates of so many last seconds.'),
      },
      isResumable: true,
      success: eventStreamDoc(
        'The stream; comments keep the connection alive. It ends when the service stops.',
      ),
      errors: ['too_many_requests'],
      request: (parts) => ({
        type: 'observe.events',
        payload: { ids: parts.query.id, last_event_id: parts.lastEventId, past: parts.query.past },
      }),
      reply: eventStream,
    }),
    route({
      id: 'tailGenerator',
      method: 'get',
      path: '/generators/{id}/tail',
      tag: TAG,
      summary: 'Stream sampled events of a generator',
      description:
        'Server-sent events with a sample of the produced events, before formatting. `event`: `text`, and `is_cut` if it was truncated. `state`: the ' +
        'phase of the generator, first and on every change. `missed`: number of sampled events that a slow client missed. The stream ' +
        'stays open when the generator ends and continues at its next start. In a cluster it follows the generator to another node: `moved` has the `node`. ' +
        'With `find` every event is looked at, and those that match are sent. `search`: how many events were `searched` and `found` since the last ' +
        'such message, and how many were `skipped` because searches had taken a fifth of the time.',
      params: { id: nameParam('Id of the generator.') },
      query: {
        find: textParam(MAX_SEARCH_LENGTH, `Only events that this search finds. ${SEARCH}`),
        ...tailQuery,
      },
      success: eventStreamDoc(
        'The stream; comments keep the connection alive. It ends when the service stops.',
      ),
      errors: ['not_found', 'too_many_requests'],
      request: (parts) => ({
        type: 'observe.tail',
        payload: {
          id: parts.path.id,
          find: parts.query.find ?? '',
          rate: parts.query.rate,
          max_bytes: parts.query.max_bytes,
        },
      }),
      reply: eventStream,
    }),
    route({
      id: 'tailGenerators',
      method: 'get',
      path: '/tails',
      tag: TAG,
      summary: 'Stream sampled events of several generators',
      description:
        'As `/generators/{id}/tail`, with the `id` of the generator in each message. `rate` and `max_bytes` apply to each generator; `missed` counts those of ' +
        'all. A generator that does not exist has the phase `removed`; its events follow once it exists. Each `find` is a search over all of them; its ' +
        'messages name it, and `rate` applies to each.',
      query: {
        id: namesParam(MAX_TAILED, `Id of a generator; repeatable, at most ${MAX_TAILED} times.`),
        find: textsParam(
          'Only events that this search finds, as for one generator; repeatable. An empty one: all events.',
          { maxItems: MAX_SEARCHES, maxLength: MAX_SEARCH_LENGTH },
        ),
        ...tailQuery,
      },
      success: eventStreamDoc(
        'The stream; comments keep the connection alive. It ends when the service stops.',
      ),
      errors: ['too_many_requests'],
      request: (parts) => ({
        type: 'observe.tails',
        payload: {
          ids: parts.query.id,
          find: parts.query.find,
          rate: parts.query.rate,
          max_bytes: parts.query.max_bytes,
        },
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
