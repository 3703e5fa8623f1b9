import * as E from 'fp-ts/lib/Either.js';
import type { LogTimesCandidate } from '../../../../domain/preview.js';
import { matchesOf } from '../../../../domain/text/matches.js';
import { literalPattern } from '../../../../domain/text/pattern.js';
import { compilePattern, type TimestampPattern } from '../../../../domain/timestamps/pattern.js';
import { timestampSpan } from '../../../../domain/timestamps/span.js';
import { DATES, FAMILIES, type TimeFamily } from './families.js';

/** Timestamps of one line that are looked at, per family. */
const MAX_PER_LINE = 12;
/** Characters of a line that are looked at. */
const MAX_LENGTH = 8_192;

/** Timestamps that are written in the same way at the same location. */
interface Group {
  readonly family: TimeFamily;
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

const sourceOf = ({ slots, notAfter }: TimeFamily, [open, close]: readonly [string, string]): string =>
  `(?<!${notAfter ?? NOT_AFTER})${slots.map(({ source }) => `${open}${source}${close}`).join('')}(?!\\d|\\.\\d)`;

const ready = (family: TimeFamily): Ready => ({
  family,
  // Bounded repetitions only: no text makes it slow.
  search: new RegExp(sourceOf(family, ['(', ')']), 'g'),
});

interface Ready {
  readonly family: TimeFamily;
  readonly search: RegExp;
}

const READY = FAMILIES.map(ready);
const READY_WITH_DATES = [...READY, ...DATES.map(ready)];

/** Families that match digits which often mean something else. */
const MAX_DOUBT = 1;
const sure = FAMILIES.filter(({ doubt, name }) => doubt <= MAX_DOUBT && !name.startsWith('Fourteen'));
/** Regular expression without capturing groups for times with a date, and for dates. */
const DATED_SOURCE = `(?<!\\d)(?=\\d|[A-Z][a-z]{2}[ ,])(?:${[...sure, ...DATES].map((family) => sourceOf(family, ['(?:', ')'])).join('|')})`;

const COULD_BE_DATED = /\d:[0-5]\d|\d\d\.[0-5]\d\.[0-5]\d|20\d\d/;
/** Cheap: whether `DATED_SOURCE` may match somewhere in a text. */
const couldBeDated = (text: string): boolean => COULD_BE_DATED.test(text);

/** Distinct texts of a slot that are kept: enough to see its padding. */
const MAX_TEXTS = 400;

/** Groups of the timestamps of a sample; with `has_dates` also of dates without a time of day. */
const groupsOf = (lines: readonly string[], has_dates: boolean): readonly Group[] => {
  const groups = new Map<string, Group>();
  for (const [index, whole] of lines.entries()) {
    const line = whole.slice(0, MAX_LENGTH);
    for (const { family, search } of has_dates ? READY_WITH_DATES : READY) {
      let left = MAX_PER_LINE;
      for (const match of matchesOf(line, search)) {
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

/** What surrounds a timestamp in a line. */
interface Context {
  /** Pattern before the timestamp; equal for equal contexts. */
  readonly lead: string;
  readonly tail: string;
  /** For people: `at the start of the line`. */
  readonly location: string;
  /** 0: where timestamps of events are. */
  readonly doubt: number;
}

/** Characters before a timestamp that are read. */
const REACH = 120;

/** Names of the time of an event, the likeliest first. */
const LIKELY = [
  /^@?timestamp$/i,
  /^(?:time|ts|t|datetime|date_?time|time_?stamp|time_?local)$/i,
  /^(?:event|log|utc|system|record|receipt|rt).*$/i,
  /time|date|stamp|_at$|At$|^ts|ts$/i,
];
const UNLIKELY_DOUBT = LIKELY.length + 2;

const doubtOf = (key: string): number => {
  const rank = LIKELY.findIndex((like) => like.test(key));
  return rank === -1 ? UNLIKELY_DOUBT : rank + 1;
};

const START: Context = { lead: '^', tail: '', location: 'at the start of the line', doubt: 0 };
const PRIORITY: Context = {
  lead: '^<\\d{1,3}>(?:\\d{1,2} )?',
  tail: '',
  location: 'after the syslog priority',
  doubt: 0,
};
const LETTER: Context = { lead: '^[A-Z]', tail: '', location: 'after the letter of the level', doubt: 0 };

const startContext = (before: string, after: string): Context | null => {
  if (before === '') return START;
  if (/^<\d{1,3}>(?:\d{1,2} )?$/.test(before)) return PRIORITY;
  if (/^[A-Z]$/.test(before)) return LETTER;
  if (before === '[' && after.startsWith(']'))
    return { lead: '^\\[', tail: '\\]', location: 'in brackets at the start of the line', doubt: 0 };
  return null;
};

const keyContext = (before: string): Context | null => {
  const member = /"([\w@.$-]{1,64})"(\s*):(\s*)("?)$/.exec(before);
  if (member !== null) {
    const [, key = '', , , quote = ''] = member;
    return {
      lead: `"${literalPattern(key)}"\\s*:\\s*${quote}`,
      tail: '',
      location: `in the member "${key}"`,
      doubt: doubtOf(key),
    };
  }
  const pair = /(?:^|[\s,;|<{(])([\w@.-]{1,64})=(["'[]?)$/.exec(before);
  if (pair === null) return null;
  const [, key = '', quote = ''] = pair;
  const edge = /^\w/.test(key) ? '\\b' : '';
  return {
    lead: `${edge}${literalPattern(key)}=${literalPattern(quote)}`,
    tail: '',
    location: `after ${key}=`,
    doubt: doubtOf(key),
  };
};

/** The location of the text from `start` to `end`. */
const contextOf = (line: string, start: number, end: number): Context => {
  const before = line.slice(Math.max(0, start - REACH), start);
  const after = line.slice(end, end + 1);
  const known = startContext(start <= REACH ? before : ' ', after) ?? keyContext(before);
  if (known !== null) return known;
  const call = /([A-Za-z_]{1,32})\($/.exec(before);
  if (call !== null) return { lead: `\\b${call[1]}\\(`, tail: '', location: `after ${call[1]}(`, doubt: 1 };
  if (before.endsWith('[') && after === ']')
    return { lead: '\\[', tail: '\\]', location: 'in brackets', doubt: 1 };
  return {
    lead: /^\w/.test(line.slice(start)) ? '\\b' : '',
    tail: '',
    location: 'anywhere in the line',
    doubt: LIKELY.length + 1,
  };
};

export { couldBeDated, DATED_SOURCE };

/** Lines that are searched for timestamps of every kind; the patterns made from them run over all lines. */
const MAX_SEARCHED = 200;
const MAX_COMPARED = 24;
const MAX_CANDIDATES = 8;
/** Candidates within this share of the best one match as well: some lines are always different. */
const AS_GOOD = 0.95;

interface Ranked extends LogTimesCandidate {
  readonly doubt: number;
  readonly position: number;
  /** Spans of the first lines: equal ones are the same guess. */
  readonly spans: string;
  /** Characters of the matched timestamps of the first lines. */
  readonly length: number;
}

const patternOf = ({
  family,
  context,
  texts,
}: Group): { readonly pattern: string; readonly format: string } => {
  const pieces = family.slots.map((slot, at) => slot.pieceOf([...(texts[at] ?? [])]));
  const last = pieces.at(-1)?.pattern ?? '';
  // A number must not go on.
  const edge = context.tail === '' && family.doubt > 0 && /\d|\}$/.test(last) ? '\\b' : context.tail;
  return {
    pattern: `${context.lead}(?P<timestamp>${pieces.map(({ pattern }) => pattern).join('')})${edge}`,
    format: pieces.map(({ format }) => format).join(''),
  };
};

const countOf = (lines: readonly string[], pattern: TimestampPattern): number =>
  lines.reduce((count, line) => count + (timestampSpan(line, pattern) === null ? 0 : 1), 0);

const ranked = (group: Group, lines: readonly string[]): Ranked | null => {
  const { pattern, format } = patternOf(group);
  const compiled = compilePattern(pattern);
  if (E.isLeft(compiled)) return null;
  const spans = lines.slice(0, MAX_SEARCHED).map((line) => timestampSpan(line, compiled.right));
  return {
    name: `${group.family.name}, ${group.context.location}`,
    timestamp_pattern: pattern,
    timestamp_format: format,
    matched: countOf(lines, compiled.right),
    example: group.example,
    doubt: group.family.doubt + group.context.doubt,
    position: group.position,
    spans: spans.join(';'),
    length: spans.reduce((sum, span) => sum + (span === null ? 0 : span[1] - span[0]), 0),
  };
};

const byMerit =
  (most: number) =>
  (a: Ranked, b: Ranked): number => {
    const [first, second] = [a.matched >= most * AS_GOOD, b.matched >= most * AS_GOOD];
    if (first !== second) return first ? -1 : 1;
    if (!first && a.matched !== b.matched) return b.matched - a.matched;
    return a.doubt - b.doubt || a.position - b.position || b.length - a.length || b.matched - a.matched;
  };

/** Where the timestamps of these lines may be, best first; with `has_dates` also dates without a time of day. */
export const guessTimes = (lines: readonly string[], has_dates = false): readonly LogTimesCandidate[] => {
  const found = groupsOf(lines.slice(0, MAX_SEARCHED), has_dates)
    .toSorted((a, b) => b.lines - a.lines || a.family.doubt - b.family.doubt)
    .slice(0, MAX_COMPARED)
    .map((group) => ranked(group, lines))
    .filter((candidate) => candidate !== null);
  const most = Math.max(0, ...found.map(({ matched }) => matched));
  const best = found.toSorted(byMerit(most));
  const isNew = ({ spans }: Ranked, at: number): boolean =>
    best.findIndex((other) => other.spans === spans) === at;
  return best
    .filter(isNew)
    .slice(0, MAX_CANDIDATES)
    .map(({ doubt: _doubt, position: _position, spans: _spans, length: _length, ...candidate }) => candidate);
};
