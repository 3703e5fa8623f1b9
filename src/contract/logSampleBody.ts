import type * as E from 'fp-ts/lib/Either.js';
import type { Issue } from '../domain/errors.js';
import type { LogSample } from '../domain/preview.js';
import {
  decode,
  defaulted,
  MAX_LONG_TEXT_LENGTH,
  optional,
  record,
  required,
  text,
} from '../schema/index.js';
import { zoneText } from './previewBodies.js';
import type { BodySpec } from './route.js';

const MIB = 1_048_576;

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
