import * as E from 'fp-ts/lib/Either.js';
import type { Issue } from '../domain/errors.js';
import { isJsonObject, type Json } from '../domain/json.js';
import { hasPlaceholder } from '../domain/placeholder.js';
import {
  type GivenTimestamp,
  type LogSample,
  NONE_POINTS,
  type NormalizeTask,
  type OpenTask,
} from '../domain/preview.js';
import { MAX_EXPRESSION_LENGTH } from '../domain/time/expression.js';
import { isoParts } from '../domain/time/iso.js';
import { zoneOf } from '../domain/time/zone.js';
import {
  type AnyShape,
  anyJson,
  decode,
  defaulted,
  isLongerText,
  type JsonSchema,
  listOf,
  MAX_LIST_ITEMS,
  MAX_LONG_TEXT_LENGTH,
  MAX_TEXT_LENGTH,
  mapOf,
  oneOf,
  optional,
  record,
  required,
  schemaWithSpellings,
  text,
} from '../schema/index.js';
import type { BodySpec } from './route.js';

const MIB = 1_048_576;
const JSON_TYPE = 'application/json';

export const MAX_INPUTS = 1_000;
export const MAX_PREVIEW_TIMESTAMPS = 10_000;
export const MAX_PREVIEW_EVENTS = 10_000;

export interface PreviewShapes {
  /** A list of input plugins. */
  readonly inputs: AnyShape;
  readonly event: AnyShape;
  /** A formatter, selected by `format`. */
  readonly formatter: AnyShape;
}

/** Checks the length of a list before its items are read. Returns null when it is fine, or not a list. */
const tooLong = (
  list: unknown,
  most: number,
  noun: string,
  path: readonly (string | number)[] = [],
): Issue | null =>
  Array.isArray(list) && list.length > most
    ? { path, type: 'too_long', message: `must have at most ${most} ${noun}, not ${list.length}` }
    : null;

/** Placeholders are errors: a preview has no parameters. */
const placeholdersIn = (value: Json, path: readonly (string | number)[] = []): readonly Issue[] => {
  if (typeof value === 'string') {
    const message = 'must not contain a placeholder in a preview';
    const hint = 'Send the value.';
    return hasPlaceholder(value) ? [{ path, type: 'not_allowed', message, hint }] : [];
  }
  if (Array.isArray(value))
    return (value as readonly Json[]).flatMap((item, index) => placeholdersIn(item, [...path, index]));
  return isJsonObject(value)
    ? Object.entries(value).flatMap(([key, item]) => placeholdersIn(item, [...path, key]))
    : [];
};

const checkBuilt =
  (shape: AnyShape) =>
  (body: Json): E.Either<readonly Issue[], Json> => {
    const decoded = decode(shape, body);
    if (E.isLeft(decoded)) return decoded;
    const placeholders = placeholdersIn(body);
    return placeholders.length > 0 ? E.left(placeholders) : E.right(body);
  };

/** A body of plugins that are built at once: no placeholders. */
export const builtBody = (schemaName: string, shape: AnyShape): BodySpec<Json> => ({
  kind: 'json',
  mediaTypes: [JSON_TYPE],
  limit_bytes: MIB,
  schemaName,
  check: (body) => {
    const long = tooLong(body, MAX_INPUTS, 'inputs');
    return long === null ? checkBuilt(shape)(body) : E.left([long]);
  },
});

const NO_DATE_TIME = {
  type: 'bad_format',
  message: 'must be an ISO 8601 date-time, like 2026-01-01T09:00:00Z',
};
const dateTime = text({
  label: 'ISO 8601 date-time',
  check: (written) => (isoParts(written) === null ? NO_DATE_TIME : null),
});

const timestamps = listOf(
  record({
    timestamp: required(dateTime, {
      help: 'ISO 8601; without an offset, local time of the zone.',
      example: '2026-01-01T09:00:00Z',
    }),
    tags: required(listOf(text()), { help: 'Tags of the input that would generate the timestamp.' }),
  }),
  { max: MAX_PREVIEW_TIMESTAMPS },
);

/** The check of the shape, several times faster: thousands of timestamps block the main thread. */
const isGiven = (value: unknown): boolean => {
  if (!isJsonObject(value) || Object.keys(value).length !== 2) return false;
  const { timestamp, tags } = value;
  if (typeof timestamp !== 'string' || timestamp.length > MAX_TEXT_LENGTH || isoParts(timestamp) === null)
    return false;
  // The shape counts the characters of longer texts.
  return (
    Array.isArray(tags) &&
    tags.length <= MAX_LIST_ITEMS &&
    tags.every((tag) => typeof tag === 'string' && tag.length <= MAX_TEXT_LENGTH)
  );
};

export const timestampsBody: BodySpec<readonly GivenTimestamp[]> = {
  kind: 'json',
  mediaTypes: [JSON_TYPE],
  limit_bytes: 2 * MIB,
  schemaName: 'PreviewedTimestamps',
  check: (body) => {
    const long = tooLong(body, MAX_PREVIEW_TIMESTAMPS, 'timestamps');
    if (long !== null) return E.left([long]);
    return Array.isArray(body) && body.every(isGiven)
      ? E.right(body as readonly unknown[] as readonly GivenTimestamp[])
      : decode(timestamps, body);
  },
};

const formatShape = (formatter: AnyShape) =>
  record({
    formatter_config: required(formatter, { help: 'The formatter of an output.' }),
    events: required(listOf(text({ maxLength: MAX_LONG_TEXT_LENGTH }), { min: 1, max: MAX_PREVIEW_EVENTS }), {
      help: 'Events to format.',
    }),
  });

export const formatBody = (
  formatter: AnyShape,
): BodySpec<{ readonly formatter: Json; readonly events: readonly string[] }> => {
  const shape = formatShape(formatter);
  return {
    kind: 'json',
    mediaTypes: [JSON_TYPE],
    limit_bytes: MIB,
    schemaName: 'FormatterPreview',
    check: (body) => {
      const given = isJsonObject(body) ? body['events'] : null;
      const long = tooLong(given, MAX_PREVIEW_EVENTS, 'events', ['events']);
      if (long !== null) return E.left([long]);
      const decoded = decode(shape, body);
      if (E.isLeft(decoded)) return decoded;
      const config = (body as { readonly formatter_config: Json }).formatter_config;
      const placeholders = placeholdersIn(config, ['formatter_config']);
      return placeholders.length > 0
        ? E.left(placeholders)
        : E.right({ formatter: config, events: decoded.right.events });
    },
  };
};

const MAX_DRAFTS = 100;

const draftShape = (event: AnyShape, inputs: AnyShape) =>
  record({
    event: required(event, { help: 'The event plugin of a config.' }),
    files: required(mapOf(text({ maxLength: MAX_LONG_TEXT_LENGTH }), { max: MAX_DRAFTS }), {
      help: 'Texts that stand for templates, scripts and samples, by path in the directory.',
    }),
    inputs: optional(inputs, {
      help: 'The inputs `world` of a config: their timestamps have an activity. Others are ignored.',
    }),
  });

export const draftBody = (
  event: AnyShape,
  inputs: AnyShape,
): BodySpec<Pick<OpenTask, 'event' | 'files' | 'inputs'>> => {
  const shape = draftShape(event, inputs);
  return {
    kind: 'json',
    mediaTypes: [JSON_TYPE],
    limit_bytes: 2 * MIB,
    schemaName: 'EventPluginDraft',
    check: (body) => {
      const long = tooLong(isJsonObject(body) ? body['inputs'] : null, MAX_INPUTS, 'inputs', ['inputs']);
      if (long !== null) return E.left([long]);
      const decoded = decode(shape, body);
      if (E.isLeft(decoded)) return decoded;
      const { event: given, inputs: observed = null } = body as {
        readonly event: Json;
        readonly inputs?: Json;
      };
      const placeholders = [...placeholdersIn(given, ['event']), ...placeholdersIn(observed, ['inputs'])];
      return placeholders.length > 0
        ? E.left(placeholders)
        : E.right({ event: given, files: decoded.right.files, inputs: observed });
    },
  };
};

const BAD_ZONE = {
  type: 'not_allowed',
  message: "must be an IANA time zone in its exact spelling, like 'Europe/Berlin' or 'UTC'",
};

export const zoneText = text({ check: (written) => (zoneOf(written) === null ? BAD_ZONE : null) });

/** Text, or a Unix time. */
const expression: AnyShape = {
  ...anyJson(),
  schema: { type: ['string', 'number'], maxLength: MAX_EXPRESSION_LENGTH },
};

const normalizeShape = record({
  value: optional(expression, { help: 'Date-time expression, as in `start` and `end` of inputs.' }),
  timezone: required(zoneText, {
    help: 'Time zone of the result, and of local times in the value.',
    example: 'Europe/Berlin',
  }),
  relative_base: optional(dateTime, { help: 'Start of relative times. Default: now.' }),
  none_point: defaulted(oneOf(NONE_POINTS), 'now', { help: 'Result for a missing value.' }),
});

const expressionFlaw = (value: Json): Issue | null => {
  const flaw = (type: string, message: string): Issue => ({ path: ['value'], type, message });
  if (value === null || typeof value === 'number') return null;
  if (typeof value !== 'string') return flaw('wrong_type', 'must be text or a number');
  return isLongerText(value, MAX_EXPRESSION_LENGTH)
    ? flaw('too_long', `must have at most ${MAX_EXPRESSION_LENGTH} characters`)
    : null;
};

export const normalizeBody: BodySpec<Omit<NormalizeTask, 'kind'>> = {
  kind: 'json',
  mediaTypes: [JSON_TYPE],
  limit_bytes: MIB,
  schemaName: 'DateTimeExpression',
  check: (body) => {
    const decoded = decode(normalizeShape, body);
    if (E.isLeft(decoded)) return decoded;
    const value = decoded.right.value as Json;
    const flaw = expressionFlaw(value);
    return flaw === null
      ? E.right({ ...decoded.right, value: value as NormalizeTask['value'] })
      : E.left([flaw]);
  },
};

export const previewSchemas = ({
  inputs,
  event,
  formatter,
}: PreviewShapes): Readonly<Record<string, JsonSchema>> => ({
  InputPlugins: schemaWithSpellings(inputs.schema),
  EventPlugin: schemaWithSpellings(event.schema),
  EventPluginDraft: schemaWithSpellings(draftShape(event, inputs).schema),
  PreviewedTimestamps: timestamps.schema,
  FormatterPreview: schemaWithSpellings(formatShape(formatter).schema),
  DateTimeExpression: normalizeShape.schema,
});

export const logSampleShape = record({
  text: required(text({ maxLength: MAX_LONG_TEXT_LENGTH }), {
    help: 'The first lines of the log.',
    example: '2026-01-01T09:00:00Z started',
  }),
  timestamp_pattern: optional(text(), {
    help: 'As in the `replay` event plugin. Without it, pattern and format are guessed.',
  }),
  timestamp_format: optional(text({ maxLength: 1_024, minLength: 1 }), {
    help: 'As in the `replay` event plugin. Only with `timestamp_pattern`.',
  }),
  timezone: defaulted(zoneText, 'UTC', {
    help: 'Time zone of the example that the format writes.',
  }),
});

export const logSampleBody: BodySpec<LogSample & { readonly timezone: string }> = {
  kind: 'json',
  mediaTypes: ['application/json'],
  limit_bytes: MIB,
  schemaName: 'LogSample',
  check: (body): E.Either<readonly Issue[], LogSample & { readonly timezone: string }> =>
    decode(logSampleShape, body),
};
