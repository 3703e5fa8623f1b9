import { MICROS_PER_MS, type Micros } from '../../../domain/time/micros.js';
import type { Zone } from '../../../domain/time/zone.js';

const two = (value: number): string => String(value).padStart(2, '0');

const FIELDS: Readonly<Record<string, (local: Date) => string>> = {
  yyyy: (local) => String(local.getUTCFullYear()).padStart(4, '0'),
  MM: (local) => two(local.getUTCMonth() + 1),
  dd: (local) => two(local.getUTCDate()),
  HH: (local) => two(local.getUTCHours()),
  mm: (local) => two(local.getUTCMinutes()),
  ss: (local) => two(local.getUTCSeconds()),
};

const FIELD = /yyyy|MM|dd|HH|mm|ss/g;
const PATTERN = /^[-._/:T ]*(?:(?:yyyy|MM|dd|HH|mm|ss)[-._/:T ]*)+$/;

/** Whether a text is a date of `yyyy`, `MM`, `dd`, `HH`, `mm` and `ss`, with separators. */
export const isDatePattern = (text: string): boolean => PATTERN.test(text);

/** The wall clock of the zone in a date pattern. */
export const dateText = (pattern: string, now: Micros, zone: Zone): string => {
  const local = new Date(now / MICROS_PER_MS + zone.offsetSecondsAt(now) * 1_000);
  return pattern.replace(FIELD, (field) => FIELDS[field]?.(local) ?? field);
};
