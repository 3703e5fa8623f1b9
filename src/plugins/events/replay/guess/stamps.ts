import { type Context, contextOf } from './contexts.js';
import { DATES, FAMILIES, type Family } from './families.js';

/** Timestamps of one line that are looked at, per family. */
const MAX_PER_LINE = 12;
/** Characters of a line that are looked at. */
const MAX_LENGTH = 8_192;

/** Timestamps that are written in the same way at the same place. */
export interface Group {
  readonly family: Family;
  readonly context: Context;
  /** Texts of each slot, without repetitions. */
  readonly texts: readonly Set<string>[];
  readonly example: string;
  /** Where the first one is. */
  readonly position: number;
  /** Lines with such a timestamp. */
  lines: number;
  lastLine: number;
}

/** A longer number, or a date or time that has begun before. */
const NOT_AFTER = '\\d|\\d[.:/-]';

const sourceOf = ({ slots, notAfter }: Family, [open, close]: readonly [string, string]): string =>
  `(?<!${notAfter ?? NOT_AFTER})${slots.map(({ source }) => `${open}${source}${close}`).join('')}(?!\\d|\\.\\d)`;

const ready = (family: Family): Ready => ({
  family,
  // Bounded repetitions only: no text makes it slow.
  search: new RegExp(sourceOf(family, ['(', ')']), 'g'),
});

interface Ready {
  readonly family: Family;
  readonly search: RegExp;
}

const READY = FAMILIES.map(ready);
const READY_WITH_DATES = [...READY, ...DATES.map(ready)];

/** Families that match digits which often mean something else. */
const MAX_DOUBT = 1;
const sure = FAMILIES.filter(({ doubt, name }) => doubt <= MAX_DOUBT && !name.startsWith('Fourteen'));
/** Regular expression without capturing groups for times with a date, and for dates. */
export const DATED_SOURCE = `(?<!\\d)(?=\\d|[A-Z][a-z]{2}[ ,])(?:${[...sure, ...DATES].map((family) => sourceOf(family, ['(?:', ')'])).join('|')})`;

const COULD_BE_DATED = /\d:[0-5]\d|\d\d\.[0-5]\d\.[0-5]\d|20\d\d/;
/** Cheap: whether `DATED_SOURCE` may match somewhere in a text. */
export const couldBeDated = (text: string): boolean => COULD_BE_DATED.test(text);

/** Distinct texts of a slot that are kept: enough to see its padding. */
const MAX_TEXTS = 400;

/** Groups of the timestamps of a sample; with `has_dates` also of dates without a time of day. */
export const groupsOf = (lines: readonly string[], has_dates: boolean): readonly Group[] => {
  const groups = new Map<string, Group>();
  for (const [index, whole] of lines.entries()) {
    const line = whole.slice(0, MAX_LENGTH);
    for (const { family, search } of has_dates ? READY_WITH_DATES : READY) {
      let left = MAX_PER_LINE;
      for (const match of line.matchAll(search)) {
        if (left-- === 0) break;
        const [text, ...parts] = match;
        const context = contextOf(line, match.index, match.index + text.length);
        const kinds = family.slots.map((slot, at) => slot.kindOf(parts[at] ?? ''));
        const key = [family.name, context.lead, context.tail, ...kinds].join('\u0000');
        let group = groups.get(key);
        if (group === undefined) {
          group = {
            family,
            context,
            texts: parts.map(() => new Set<string>()),
            example: text,
            position: match.index,
            lines: 0,
            lastLine: -1,
          };
          groups.set(key, group);
        }
        if (group.lastLine !== index) group.lines += 1;
        group.lastLine = index;
        for (const [at, part] of parts.entries()) {
          const seen = group.texts[at];
          if (seen !== undefined && seen.size < MAX_TEXTS) seen.add(part);
        }
      }
    }
  }
  return [...groups.values()];
};
