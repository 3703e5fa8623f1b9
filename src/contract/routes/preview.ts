import { parseIso } from '../../domain/time/iso.js';
import { utc } from '../../domain/time/zone.js';
import { MAX_LEARNED_BYTES, uploadBody } from '../body.js';
import {
  booleanParam,
  integerParam,
  nameParam,
  optionalNameParam,
  spanParam,
  textParam,
  timeParam,
  zoneParam,
} from '../params.js';
import {
  builtBody,
  draftBody,
  formatBody,
  logSampleBody,
  MAX_PREVIEW_TIMESTAMPS,
  normalizeBody,
  type PreviewShapes,
  timestampsBody,
} from '../previewBodies.js';
import { created, createdDoc, jsonReply, nothing, nothingDoc, valueDoc } from '../reply.js';
import { route } from '../route.js';
import { refTo } from '../schemaParts.js';
import { previewStateRoutes } from './previewState.js';

const MAX_SIZE = 1_000_000;

const TAG = 'Preview';
const params = { name: nameParam('Name of the generator directory.') };
const NOT_STORED = 'Relative paths resolve against the generator directory. Placeholders are not accepted.';
/** Errors of the preview itself, beside those of its request. */
const ENDS = ['forbidden', 'not_found', 'plugin_failed', 'too_many_requests'] as const;

const previewTimestamps = ({ inputs }: PreviewShapes) =>
  route({
    id: 'previewTimestamps',
    method: 'post',
    path: '/preview/{name}/input-plugins/generate',
    tag: TAG,
    summary: 'Preview timestamps of input plugins',
    description: `Stores nothing. ${NOT_STORED}`,
    params,
    query: {
      size: integerParam(1000, 1, MAX_SIZE, 'Number of timestamps to generate.'),
      skip_past: booleanParam(true, 'Skip timestamps in the past.'),
      timezone: zoneParam('UTC', 'Time zone of generated timestamps.'),
      from: timeParam('Start of generation, with an offset. Default: now.'),
      span: spanParam(
        'Span for aggregating timestamps: numbers with units (ms s m h d w) or an ISO 8601 duration. Chosen automatically if omitted.',
      ),
    },
    body: builtBody('InputPlugins', inputs),
    success: valueDoc('The preview.', refTo('TimestampPreview')),
    errors: ENDS,
    request: ({ path, query: { from, ...query }, body }) => {
      const now = from === null ? null : parseIso(from, utc);
      return {
        type: 'preview.timestamps',
        payload: { name: path.name, inputs: body, ...query, ...(now === null ? {} : { now }) },
      };
    },
    reply: jsonReply,
  });

const eventPlugin = ({ event, inputs }: PreviewShapes) =>
  [
    route({
      id: 'openEventPreview',
      method: 'post',
      path: '/preview/{name}/event-plugin',
      tag: TAG,
      summary: 'Build an event plugin for preview',
      description: `Keeps one plugin per directory with its state, on its own thread. It ends when it is released or replaced, after 15 minutes without a request, with its directory, and when its thread fails. If the plugin cannot be built, the former one stays. ${NOT_STORED}`,
      params,
      query: {
        timezone: zoneParam(null, 'Time zone of the timestamps. Defaults to the settings.'),
      },
      body: builtBody('EventPlugin', event),
      success: createdDoc,
      errors: ENDS,
      request: ({ path, query, body }) => ({
        type: 'preview.open',
        payload: { name: path.name, event: body, files: null, inputs: null, timezone: query.timezone },
      }),
      reply: created,
    }),
    route({
      id: 'openDraftPreview',
      method: 'post',
      path: '/preview/{name}/event-plugin/drafts',
      tag: TAG,
      summary: 'Build an event plugin with unsaved files and inputs for preview',
      description: `As without \`drafts\`, with texts in the place of templates, scripts and samples, and with inputs \`world\`, which give their timestamps an activity. Logs for \`replay\` are read from their files. ${NOT_STORED}`,
      params,
      query: {
        timezone: zoneParam(null, 'Time zone of the timestamps. Defaults to the settings.'),
      },
      body: draftBody(event, inputs),
      success: createdDoc,
      errors: ENDS,
      request: ({ path, query, body }) => ({
        type: 'preview.open',
        payload: { name: path.name, ...body, timezone: query.timezone },
      }),
      reply: created,
    }),
    route({
      id: 'produceEventPreview',
      method: 'post',
      path: '/preview/{name}/event-plugin/produce',
      tag: TAG,
      summary: 'Preview events of an event plugin',
      description: `Takes at most ${MAX_PREVIEW_TIMESTAMPS} timestamps. The plugin keeps its state between calls. A call of more than 10 seconds ends the preview.`,
      params,
      body: timestampsBody,
      success: valueDoc('The events and the failures.', refTo('EventPreview')),
      errors: [...ENDS, 'not_ready', 'wrong_state', 'too_large'],
      request: ({ path, body }) => ({
        type: 'preview.produce',
        payload: { name: path.name, timestamps: body },
      }),
      reply: jsonReply,
    }),
    route({
      id: 'releaseEventPreview',
      method: 'delete',
      path: '/preview/{name}/event-plugin',
      tag: TAG,
      summary: 'Release an event plugin',
      description: 'Ends the preview at once and aborts a call in progress.',
      params,
      success: nothingDoc,
      errors: ['not_ready', 'forbidden', 'not_found'],
      request: ({ path }) => ({ type: 'preview.release', payload: { name: path.name } }),
      reply: nothing,
    }),
  ] as const;

const texts = ({ formatter }: PreviewShapes) =>
  [
    route({
      id: 'previewFormatter',
      method: 'post',
      path: '/preview/{name}/formatter/format',
      tag: TAG,
      summary: 'Preview formatted events',
      description: NOT_STORED,
      params,
      body: formatBody(formatter),
      success: valueDoc('The text that an output would write, and the failures.', refTo('FormattedPreview')),
      errors: [...ENDS, 'too_large'],
      request: ({ path, body }) => ({ type: 'preview.format', payload: { name: path.name, ...body } }),
      reply: jsonReply,
    }),
    route({
      id: 'normalizeDateTime',
      method: 'post',
      path: '/preview/{name}/versatile-datetime/normalize',
      tag: TAG,
      summary: 'Preview a date-time expression',
      description:
        'Takes the expressions of `start` and `end`: absolute, time of day, now, never, relative or human text.',
      params,
      body: normalizeBody,
      success: valueDoc('The date-time in ISO 8601 with the offset of the zone.', {
        type: 'string',
        format: 'date-time',
      }),
      errors: ENDS,
      request: ({ path, body }) => ({ type: 'preview.normalize', payload: { name: path.name, ...body } }),
      reply: jsonReply,
    }),
  ] as const;

const logTimes = () =>
  route({
    id: 'guessLogTimestamps',
    method: 'post',
    path: '/preview/log-timestamps',
    tag: TAG,
    summary: 'Find the timestamps of a log',
    description:
      'For the `timestamp_pattern` and `timestamp_format` of the `replay` event plugin: guesses both from a sample of the log, or checks those of the body. Returns how many lines match and where, and the flaws of a pattern or format that the plugin refuses. Stores nothing.',
    body: logSampleBody,
    success: valueDoc('The guesses, and the lines with their timestamps.', refTo('LogTimestamps')),
    errors: ['plugin_failed', 'too_many_requests'],
    request: ({ body }) => ({ type: 'preview.log_times', payload: body }),
    reply: jsonReply,
  });

/** Previews run parts of a config without storing it. */
export const previewRoutes = (shapes: PreviewShapes) =>
  [
    previewTimestamps(shapes),
    ...eventPlugin(shapes),
    ...previewStateRoutes(),
    ...texts(shapes),
    logTimes(),
    learnRoute(),
  ] as const;

/** As of a generator. */
const MAX_SEED_LENGTH = 256;
const DEFAULT_NAME = 'learned';

const learnRoute = () =>
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
    reply: jsonReply,
  });
