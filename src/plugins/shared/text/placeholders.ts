import { isPointer } from '../../../domain/json.js';
import { MICROS_PER_MS, type Micros } from '../../../domain/time/micros.js';
import type { Zone } from '../../../domain/time/zone.js';

/**
 * What can stand in braces in the text of an option: `{/json/pointer}` is a value of the event, `{event}` the whole
 * event, `{generator}` the folder of the generator, `{partition}` the index of its partition, `{date}` and `{yyyy.MM.dd}` the wall clock, `{id}` a text that the
 * output makes. `{{` and `}}` are braces.
 */
export type TextPlaceholder = 'pointer' | 'event' | 'generator' | 'partition' | 'date' | 'id';

export type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'pointer'; readonly pointer: string }
  | { readonly kind: 'date'; readonly pattern: string }
  | { readonly kind: 'event' }
  | { readonly kind: 'generator' }
  | { readonly kind: 'partition' }
  | { readonly kind: 'id' };

const DAY = 'yyyy-MM-dd';

/** `{{`, `}}`, a name in braces, other text, or a brace without its partner. */
const TOKENS = /\{\{|\}\}|\{([^{}]*)\}|[^{}]+|[{}]/gy;

const placeholderOf = (name: string): Part | null => {
  if (name.startsWith('/')) return isPointer(name) ? { kind: 'pointer', pointer: name } : null;
  if (name === 'event' || name === 'generator' || name === 'partition' || name === 'id')
    return { kind: name };
  if (name === 'date') return { kind: 'date', pattern: DAY };
  return isDatePattern(name) ? { kind: 'date', pattern: name } : null;
};

/** Returns the parts of a text, in order, or null when a brace is out of place or holds no placeholder. */
export const placeholderPartsOf = (written: string): readonly Part[] | null => {
  const parts: Part[] = [];
  for (const [whole, name] of written.matchAll(TOKENS)) {
    if (name !== undefined) {
      const placeholder = placeholderOf(name);
      if (placeholder === null) return null;
      parts.push(placeholder);
    } else if (whole === '{' || whole === '}') return null;
    else parts.push({ kind: 'text', text: whole === '{{' || whole === '}}' ? whole.charAt(0) : whole });
  }
  return parts;
};

/** Whether a text changes with the clock. */
export const hasDates = (written: string): boolean =>
  (placeholderPartsOf(written) ?? []).some(({ kind }) => kind === 'date');

/** Whether a text differs from partition to partition. */
export const isOfPartition = (written: string): boolean =>
  (placeholderPartsOf(written) ?? []).some(({ kind }) => kind === 'partition');

/** Whether a text differs from event to event. */
export const isOfEvent = (written: string): boolean =>
  (placeholderPartsOf(written) ?? []).some(({ kind }) => kind === 'pointer' || kind === 'event');

/** A text without its placeholders: what of it is the same in every event. */
export const constantParts = (written: string): string =>
  (placeholderPartsOf(written) ?? []).map((part) => (part.kind === 'text' ? part.text : '')).join('');

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
const isDatePattern = (text: string): boolean => PATTERN.test(text);

/** The wall clock of the zone in a date pattern. */
export const datedText = (pattern: string, now: Micros, zone: Zone): string => {
  const local = new Date(now / MICROS_PER_MS + zone.offsetSecondsAt(now) * 1_000);
  return pattern.replace(FIELD, (field) => FIELDS[field]?.(local) ?? field);
};
