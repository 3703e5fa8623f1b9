import { FACILITIES, SEVERITIES } from '../../shared/syslog/priority.js';

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
