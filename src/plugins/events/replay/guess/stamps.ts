import { type Context, contextOf } from './contexts.js';
import { FAMILIES, type Family } from './families.js';

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

const READY = FAMILIES.map((family) => {
  const slots = family.slots.map(({ source }) => `(${source})`).join('');
  // Bounded repetitions only: no text makes it slow.
  return { family, search: new RegExp(`(?<!${family.notAfter ?? NOT_AFTER})${slots}(?!\\d|\\.\\d)`, 'g') };
});

/** Distinct texts of a slot that are kept: enough to see its padding. */
const MAX_TEXTS = 400;

/** Groups of the timestamps of a sample. */
export const groupsOf = (lines: readonly string[]): readonly Group[] => {
  const groups = new Map<string, Group>();
  for (const [index, whole] of lines.entries()) {
    const line = whole.slice(0, MAX_LENGTH);
    for (const { family, search } of READY) {
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
