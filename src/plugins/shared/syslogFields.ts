import type { RuleBreach } from '../../schema/shape.js';

/** Facilities by code (RFC 5424, 6.2.1); the last ones before `local0` have no agreed names. */
export const FACILITIES = [
  ...['kern', 'user', 'mail', 'daemon', 'auth', 'syslog', 'lpr', 'news', 'uucp', 'cron', 'authpriv', 'ftp'],
  ...['ntp', 'audit', 'alert', 'clock'],
  ...['local0', 'local1', 'local2', 'local3', 'local4', 'local5', 'local6', 'local7'],
] as const;

/** Severities by code. */
export const SEVERITIES = ['emerg', 'alert', 'crit', 'err', 'warning', 'notice', 'info', 'debug'] as const;

export const priorityOf = (facility: string, severity: string): number =>
  (FACILITIES as readonly string[]).indexOf(facility) * SEVERITIES.length +
  (SEVERITIES as readonly string[]).indexOf(severity);

/** SD-NAME of RFC 5424. */
const SD_NAME = /^[!#-<>-\\^-~]{1,32}$/;

interface Rfc5424Parts {
  readonly structured_data: Readonly<Record<string, Readonly<Record<string, string>>>> | null;
  readonly msgid: string | null;
}

/** Allows what only RFC 5424 has when `field` names it, and names of structured data that it allows. */
export const structuredDataRule = <const F extends string>(field: F) => ({
  fields: [field, 'structured_data', 'msgid'] as const,
  check: (value: Rfc5424Parts & Readonly<Record<F, string>>): RuleBreach | null => {
    const { structured_data, msgid } = value;
    const hint = 'Set it, or remove this.';
    for (const [at, given] of Object.entries({ structured_data, msgid })) {
      if (given !== null && value[field] !== 'rfc5424') {
        return { at, type: 'not_allowed', message: `needs \`${field}: rfc5424\``, hint };
      }
    }
    const names = Object.entries(structured_data ?? {}).flatMap(([id, params]) => [
      id,
      ...Object.keys(params),
    ]);
    const bad = names.find((name) => !SD_NAME.test(name));
    return bad === undefined
      ? null
      : {
          at: 'structured_data',
          type: 'bad_format',
          message: `has a name that RFC 5424 does not allow: ${JSON.stringify(bad)}`,
          hint: 'Use up to 32 printable ASCII characters without spaces, =, ] and ".',
        };
  },
});
