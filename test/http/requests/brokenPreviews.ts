import {
  MAX_INPUTS,
  MAX_PREVIEW_EVENTS,
  MAX_PREVIEW_TIMESTAMPS,
} from '../../../src/contract/previewBodies.js';
import { MAX_SECRET_BYTES } from '../../../src/domain/secrets.js';

const EVENT = '/preview/web/event-plugin';
const PRODUCE = `${EVENT}/produce`;
const FORMAT = '/preview/web/formatter/format';
const NORMALIZE = '/preview/web/versatile-datetime/normalize';
const LOG_TIMES = '/preview/log-timestamps';
const PLACEHOLDER = `\${params.x}`;
const GIVEN = { timestamp: '2026-01-01T00:00:00Z', tags: [] };

/** As `BROKEN`, for previews of events and texts, and for secrets. */
export const BROKEN_PREVIEWS: readonly (readonly [
  string,
  string,
  string,
  unknown,
  ...(readonly [loc: string, type: string])[],
])[] = [
  ['an unknown event plugin', 'POST', EVENT, { scripd: {} }, ['body.scripd', 'unknown_kind']],
  ['an event plugin in a list', 'POST', EVENT, [{ script: { path: 'x' } }], ['body', 'wrong_type']],
  [
    'a placeholder in an event plugin',
    'POST',
    EVENT,
    { script: { path: `dir/${PLACEHOLDER}` } },
    ['body.script.path', 'not_allowed'],
  ],
  [
    'a placeholder in the text of an input',
    'POST',
    '/preview/web/input-plugins/generate',
    [{ cron: { expression: PLACEHOLDER, count: 1 } }],
    ['body.0.cron.expression', 'not_allowed'],
  ],
  [
    'an event plugin in a zone that does not exist',
    'POST',
    `${EVENT}?timezone=Nowhere`,
    { script: { path: 'x' } },
    ['query.timezone', 'not_allowed'],
  ],
  ['timestamps that are no list', 'POST', PRODUCE, GIVEN, ['body', 'wrong_type']],
  [
    'timestamps of every wrong form',
    'POST',
    PRODUCE,
    [{ timestamp: 'soon', tags: [] }, { timestamp: 1, tags: 'x', more: 1 }, { tags: [1] }, 'x'],
    ['body.0.timestamp', 'bad_format'],
    ['body.1.timestamp', 'wrong_type'],
    ['body.1.tags', 'wrong_type'],
    ['body.1.more', 'unknown_key'],
    ['body.2.tags.0', 'wrong_type'],
    ['body.2.timestamp', 'missing'],
    ['body.3', 'wrong_type'],
  ],
  [
    'one timestamp too many',
    'POST',
    PRODUCE,
    Array.from({ length: MAX_PREVIEW_TIMESTAMPS + 1 }, () => GIVEN),
    ['body', 'too_long'],
  ],
  [
    'one input too many',
    'POST',
    '/preview/web/input-plugins/generate',
    Array.from({ length: MAX_INPUTS + 1 }, () => ({ cron: { expression: '* * * * *', count: 1 } })),
    ['body', 'too_long'],
  ],
  [
    'one event too many to format',
    'POST',
    FORMAT,
    {
      formatter_config: { format: 'plain' },
      events: Array.from({ length: MAX_PREVIEW_EVENTS + 1 }, () => 'x'),
    },
    ['body.events', 'too_long'],
  ],
  ['a state that is a list', 'PATCH', `${EVENT}/template/state/global`, [], ['body', 'wrong_type']],
  [
    'no events to format',
    'POST',
    FORMAT,
    { formatter_config: { format: 'plain' }, events: [] },
    ['body.events', 'too_short'],
  ],
  [
    'a formatter that does not exist',
    'POST',
    FORMAT,
    { formatter_config: { format: 'jsn' }, events: ['x'] },
    ['body.formatter_config.format', 'unknown_kind'],
  ],
  [
    'events that are no texts',
    'POST',
    FORMAT,
    { formatter_config: { format: 'json', indent: -1 }, events: ['x', {}] },
    ['body.formatter_config.indent', 'out_of_range'],
    ['body.events.1', 'wrong_type'],
  ],
  ['a date without a zone', 'POST', NORMALIZE, { value: 'now' }, ['body.timezone', 'missing']],
  [
    'a date with everything wrong',
    'POST',
    NORMALIZE,
    { value: 'now', timezone: 'Mars', relative_base: 'now', none_point: 'never' },
    ['body.timezone', 'not_allowed'],
    ['body.relative_base', 'bad_format'],
    ['body.none_point', 'not_allowed'],
  ],
  [
    'a date that is an object',
    'POST',
    NORMALIZE,
    { value: {}, timezone: 'UTC' },
    ['body.value', 'wrong_type'],
  ],
  [
    'a date that is a novel',
    'POST',
    NORMALIZE,
    { value: 'x'.repeat(1_001), timezone: 'UTC' },
    ['body.value', 'too_long'],
  ],
  ['a log without text', 'POST', LOG_TIMES, {}, ['body.text', 'missing']],
  [
    'a sample of a log with everything wrong',
    'POST',
    LOG_TIMES,
    { text: 'x'.repeat(262_145), timestamp_pattern: 1, timestamp_format: '', timezone: 'Mars' },
    ['body.text', 'too_long'],
    ['body.timestamp_pattern', 'wrong_type'],
    ['body.timestamp_format', 'too_short'],
    ['body.timezone', 'not_allowed'],
  ],
  ['a secret that is a number', 'PUT', '/secrets/a', 1, ['body', 'wrong_type']],
  ['a secret that is empty', 'PUT', '/secrets/a', '""', ['body', 'too_short']],
  [
    'a secret that is too long',
    'PUT',
    '/secrets/a',
    JSON.stringify('x'.repeat(MAX_SECRET_BYTES + 1)),
    ['body', 'too_long'],
  ],
  ['a secret that no output could write', 'PUT', '/secrets/a', '"\\ud800"', ['body', 'not_allowed']],
  [
    'a secret with a name that no config can say',
    'PUT',
    '/secrets/a%20b',
    '"x"',
    ['path.name', 'not_allowed'],
  ],
];
