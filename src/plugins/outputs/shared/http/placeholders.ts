import type { Micros } from '../../../../domain/time/micros.js';
import type { Zone } from '../../../../domain/time/zone.js';

/** What a placeholder can be replaced with. */
export interface Filling {
  readonly now: Micros;
  /** Read only for dates. */
  readonly zone: Zone;
  readonly generator: string;
}

const two = (value: number): string => String(value).padStart(2, '0');

const PARTS: Readonly<Record<string, (local: Date) => string>> = {
  yyyy: (local) => String(local.getUTCFullYear()).padStart(4, '0'),
  MM: (local) => two(local.getUTCMonth() + 1),
  dd: (local) => two(local.getUTCDate()),
  HH: (local) => two(local.getUTCHours()),
  mm: (local) => two(local.getUTCMinutes()),
  ss: (local) => two(local.getUTCSeconds()),
};

const PLACEHOLDER = /\{([^{}]*)\}/g;
const DATE = /^(?:yyyy|MM|dd|HH|mm|ss|[-._/:T ])+$/;

const dateText = (pattern: string, { now, zone }: Filling): string => {
  const local = new Date(now / 1_000 + zone.offsetSecondsAt(now) * 1_000);
  return pattern.replace(/yyyy|MM|dd|HH|mm|ss/g, (part) => PARTS[part]?.(local) ?? part);
};

const filled = (name: string, filling: Filling): string | null => {
  if (name === 'generator') return filling.generator;
  if (name === 'date') return dateText('yyyy-MM-dd', filling);
  return DATE.test(name) ? dateText(name, filling) : null;
};

const isKnown = (name: string): boolean => name === 'generator' || name === 'date' || DATE.test(name);

/** The first placeholder that has no meaning; `undefined`: none. */
export const unknownPlaceholder = (text: string): string | undefined =>
  [...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name).find((name) => !isKnown(name));

export const PLACEHOLDERS_HELP = '{date}, {generator} and dates such as {yyyy.MM.dd} are replaced.';

/** Replaces `{generator}`, `{date}` and dates of yyyy, MM, dd, HH, mm and ss; other braces stay. */
export const compilePlaceholders = (
  text: string,
  escaped: (value: string) => string = (value) => value,
): ((filling: Filling) => string) =>
  text.includes('{')
    ? (filling) =>
        text.replace(PLACEHOLDER, (whole, name: string) => {
          const value = filled(name, filling);
          return value === null ? whole : escaped(value);
        })
    : () => text;
