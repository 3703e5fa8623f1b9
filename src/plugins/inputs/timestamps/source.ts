import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import type { Json } from '../../../domain/json.js';
import { isoParts } from '../../../domain/time/parseIso.js';
import { listOf, path, text } from '../../../schema/index.js';
import type { Shape } from '../../../schema/shape.js';

type TimestampSource =
  | { readonly kind: 'list'; readonly texts: readonly string[] }
  | { readonly kind: 'file'; readonly path: string };

/** End of messages about a text that is no instant. */
export const NOT_ISO =
  'must be an ISO 8601 date or date-time from 1684 to 2255, such as 2026-01-01T09:00:00Z';

/** In a config; files have no limit. */
const MAX_TIMESTAMPS = 40_000;

const list = listOf(
  text({
    label: 'ISO 8601 date-time',
    check: (value) => (isoParts(value.trim()) === null ? { type: 'bad_format', message: NOT_ISO } : null),
  }),
  { min: 1, max: MAX_TIMESTAMPS },
);
const file = path();
const LABEL = 'list of ISO 8601 date-times, or path';

export const sourceShape = (): Shape<TimestampSource> => {
  const codec = new t.Type<TimestampSource, Json, unknown>(
    LABEL,
    (value): value is TimestampSource => typeof value === 'object' && value !== null && 'kind' in value,
    (value, context) =>
      Array.isArray(value)
        ? E.map((texts: readonly string[]): TimestampSource => ({ kind: 'list', texts }))(
            list.codec.validate(value, context),
          )
        : E.map((given: string): TimestampSource => ({ kind: 'file', path: given }))(
            file.codec.validate(value, context),
          ),
    (source) => (source.kind === 'list' ? source.texts : source.path),
  );
  const stored = new t.Type<unknown, Json, unknown>(
    LABEL,
    (value): value is unknown => value !== undefined,
    (value, context) =>
      Array.isArray(value) ? list.stored.validate(value, context) : file.stored.validate(value, context),
    (value) => value as Json,
  );
  return { label: LABEL, codec, stored, schema: { oneOf: [list.schema, file.schema] } };
};
