import * as E from 'fp-ts/lib/Either.js';
import {
  boolean,
  custom,
  defaulted,
  integer,
  lazily,
  mapOf,
  oneOf,
  optional,
  refined,
} from '../../../schema/index.js';
import { defect } from '../../../schema/issues.js';
import type { RuleBreach, Shape } from '../../../schema/shape.js';
import { formatterPlugin } from '../../declare.js';
import { FACILITIES, SEVERITIES, structuredDataRule } from '../../shared/syslogFields.js';
import { compileText } from '../../shared/text/compile.js';
import { eventText } from '../../shared/text/field.js';
import { constantParts } from '../../shared/text/placeholders.js';

/** Words of loggers beside the names of severities. */
const WORDS: Readonly<Record<(typeof SEVERITIES)[number], readonly string[]>> = {
  emerg: ['emergency', 'panic'],
  alert: [],
  // Not `emerg`: receivers show that on every terminal.
  crit: ['critical', 'fatal'],
  err: ['error', 'severe', 'failure'],
  warning: ['warn'],
  notice: [],
  info: ['information', 'informational', 'log', 'config'],
  debug: ['trace', 'verbose', 'fine', 'finer', 'finest'],
};

const NUMBER = /^\d{1,2}$/;

const codes = (
  names: readonly string[],
  more: Readonly<Record<string, readonly string[]>>,
): ReadonlyMap<string, number> =>
  new Map(names.flatMap((name, code) => [name, ...(more[name] ?? [])].map((word) => [word, code])));

const reader = (
  names: readonly string[],
  more: Readonly<Record<string, readonly string[]>> = {},
): ((value: unknown) => number | null) => {
  const known = codes(names, more);
  return (value) => {
    if (typeof value !== 'string' && typeof value !== 'number') return null;
    const word = String(value).trim().toLowerCase();
    if (!NUMBER.test(word)) return known.get(word) ?? null;
    return Number(word) < names.length ? Number(word) : null;
  };
};

/** Returns the code of a facility by its name or number, or null when it is unknown. */
export const facilityCode = reader(FACILITIES);

/** Returns the code of a severity by its name, its number or the word of a logger, or null when it is unknown. */
export const severityCode = reader(SEVERITIES, WORDS);

/** Text for a word of the header. */
const wordText = (maxLength: number): Shape<string> =>
  refined(eventText(), (written) => {
    const constant = constantParts(written);
    if (!/^[!-~]*$/.test(constant)) return defect('bad_format', 'must be printable ASCII without spaces');
    if (constant.length > maxLength) return defect('too_long', `must have at most ${maxLength} characters`);
    return written === '' ? defect('too_short', 'must not be empty') : null;
  });

/** A name or a number, or a text with values of the event. */
const codeShape = (
  codeOf: (value: unknown) => number | null,
  names: readonly string[],
): Shape<string | number> => {
  const number = integer({ min: 0, max: names.length - 1 });
  const word = refined(eventText(), (written) => {
    const constant = compileText(written).constant;
    return constant === null || codeOf(constant) !== null
      ? null
      : defect('not_allowed', 'is not known', `Known: ${names.join(', ')}.`);
  });
  return custom<string | number, string | number>({
    base: (value) => (typeof value === 'number' ? number : word) as Shape<string | number>,
    label: 'name, number or text with JSON pointers in braces',
    schema: { anyOf: [word.schema, number.schema] },
    is: (value): value is string | number => number.codec.is(value) || word.codec.is(value),
    decode: E.right,
    encode: (value) => value,
  });
};

/** A tag that needs no replacement; receivers end it at the first other character. */
const constantTagRule = {
  fields: ['header', 'app_name'] as const,
  check: ({ header, app_name }: { readonly header: string; readonly app_name: string }): RuleBreach | null =>
    header !== 'rfc3164' || /^[\w./-]{0,32}$/.test(constantParts(app_name))
      ? null
      : {
          at: 'app_name',
          type: 'bad_format',
          message: 'must be up to 32 letters, digits and `_`, `.`, `/`, `-` with `header: rfc3164`',
        },
};

const FROM_EVENT = '`{/event/code}` stands for a value of the event.';

/** Longest words of RFC 5424. */
export const MAX_WORDS = { hostname: 255, app_name: 48, procid: 128, msgid: 32 } as const;

export const syslogFormatterFields = lazily(() => ({
  header: defaulted(oneOf(['rfc5424', 'rfc3164']), 'rfc5424', { help: 'Header before each message.' }),
  facility: defaulted(codeShape(facilityCode, FACILITIES), 'user', {
    help: 'Facility: a name, a number, or a value of the event; `user` if that is unknown.',
    example: 'local0',
  }),
  severity: defaulted(codeShape(severityCode, SEVERITIES), 'info', {
    help: 'Severity: a name, a number, or a value of the event such as `WARN`; `info` if that is unknown.',
    example: '{/log/level}',
  }),
  timestamp: optional(eventText(), {
    help: 'Time: ISO 8601 or Unix time. Default, and for events without it: the clock at formatting.',
    example: '{/@timestamp}',
  }),
  hostname: optional(wordText(MAX_WORDS.hostname), {
    help: `Host; ${FROM_EVENT} Default: the name of this host.`,
    example: '{/host/name}',
  }),
  app_name: defaulted(wordText(MAX_WORDS.app_name), 'spate', {
    help: `Application, the tag in \`rfc3164\`; ${FROM_EVENT}`,
    example: 'shop',
  }),
  procid: optional(wordText(MAX_WORDS.procid), {
    help: `Process; ${FROM_EVENT}`,
    example: '{/process/pid}',
  }),
  msgid: optional(wordText(MAX_WORDS.msgid), {
    help: `Message type, \`rfc5424\` only; ${FROM_EVENT}`,
    example: 'ORDER',
  }),
  structured_data: optional(mapOf(mapOf(eventText())), {
    help: `Structured data by its ID, \`rfc5424\` only; ${FROM_EVENT}`,
    example: { 'origin@32473': { ip: '{/host/ip}' } },
  }),
  message: optional(eventText(), {
    help: `Text after the header; ${FROM_EVENT} Default: the event.`,
    example: '{/message}',
  }),
  bom: defaulted(boolean(), true, {
    help: 'Byte order mark before a message that is not ASCII, as RFC 5424 requires of UTF-8; `rfc5424` only.',
  }),
  control_characters: defaulted(oneOf(['escape', 'space', 'keep']), 'escape', {
    help: 'Line ends, NUL and other control characters in messages and structured data: `#012` as rsyslog writes them, a space, or unchanged.',
  }),
}));

export const syslogFormatterSpec = formatterPlugin({
  name: 'syslog',
  summary: 'Writes each event as a syslog message (RFC 5424 or RFC 3164).',
  fields: syslogFormatterFields,
  rules: [structuredDataRule('header'), constantTagRule],
  notes: [
    'Events may be any text as long as no option names a value of the event; otherwise they are JSON objects. Other events are dropped for this output, counted as `format_failed` and logged. So are events with a `timestamp` that is no time.',
    'Known severities are those of syslog and the words of common loggers: `fatal` and `critical` are `crit`, `severe` is `err`, `trace` is `debug`. Upper and lower case are equal.',
    'In values of the event, header characters other than printable ASCII become `_`, as do characters other than letters, digits, `_`, `.`, `/` and `-` in the tag of `rfc3164`. Words are cut at the length that the RFC allows; the tag at 32 characters. Empty ones become `-`.',
    'A parameter of structured data whose single pointer finds nothing is left out, and so is an element that loses all its parameters.',
    'With the output `syslog`, set its `format: raw`: it adds a header of its own otherwise.',
  ],
  examples: [
    {
      title: 'A log in JSON as RFC 5424',
      params: {
        severity: '{/log/level}',
        timestamp: '{/@timestamp}',
        hostname: '{/host/name}',
        app_name: 'shop',
        structured_data: { 'origin@32473': { ip: '{/host/ip}' } },
        message: '{/message}',
      },
    },
    {
      title: 'Any events behind an RFC 3164 header',
      params: { header: 'rfc3164', facility: 'auth', hostname: 'web-1', app_name: 'sshd', procid: '812' },
    },
  ],
});
