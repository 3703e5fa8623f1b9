import * as E from 'fp-ts/lib/Either.js';
import { isoParts } from '../../../domain/time/iso.js';
import { custom, lazily, listOf, path, required, text } from '../../../schema/index.js';
import type { Shape } from '../../../schema/shape.js';
import { inputPlugin } from '../../declare.js';

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

/** A list, or the path of a file. */
const sourceShape = (): Shape<TimestampSource> =>
  custom<readonly string[] | string, TimestampSource>({
    base: (value) => (Array.isArray(value) ? list : file) as Shape<readonly string[] | string>,
    label: 'list of ISO 8601 date-times, or path',
    schema: { oneOf: [list.schema, file.schema] },
    is: (value): value is TimestampSource => typeof value === 'object' && value !== null && 'kind' in value,
    decode: (given) =>
      E.right(typeof given === 'string' ? { kind: 'file', path: given } : { kind: 'list', texts: given }),
    encode: (source) => (source.kind === 'list' ? source.texts : source.path),
  });

const fields = lazily(() => ({
  source: required(sourceShape(), {
    help: 'List of ISO 8601 date-times in ascending order, or path of a text file with one per line.',
    example: ['2026-01-01T00:00:00Z', '2026-01-01T00:00:05Z'],
    reads: 'file',
  }),
}));

export const timestampsSpec = inputPlugin({
  name: 'timestamps',
  summary: 'Timestamps from a list or a file.',
  fields,
  notes: [
    'Times without an offset are in the time zone of the generator. Blank lines of a file are ignored.',
    'The file is read once, at the start of the generator. `skip_past` skips timestamps at or before that.',
  ],
  examples: [
    { title: 'Two timestamps', params: { source: ['2026-01-01T00:00:00Z', '2026-01-01T00:00:05Z'] } },
    { title: 'From a file beside generator.yml', params: { source: 'moments.txt' } },
  ],
});
