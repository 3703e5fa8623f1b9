import { escaped } from './slots.js';

/** What surrounds a timestamp in a line. */
export interface Context {
  /** Pattern before the timestamp; equal for equal contexts. */
  readonly lead: string;
  readonly tail: string;
  /** For people: `at the start of the line`. */
  readonly place: string;
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
  const place = LIKELY.findIndex((like) => like.test(key));
  return place === -1 ? UNLIKELY_DOUBT : place + 1;
};

const START: Context = { lead: '^', tail: '', place: 'at the start of the line', doubt: 0 };
const PRIORITY: Context = {
  lead: '^<\\d{1,3}>(?:\\d{1,2} )?',
  tail: '',
  place: 'after the syslog priority',
  doubt: 0,
};
const LETTER: Context = { lead: '^[A-Z]', tail: '', place: 'after the letter of the level', doubt: 0 };

const startContext = (before: string, after: string): Context | null => {
  if (before === '') return START;
  if (/^<\d{1,3}>(?:\d{1,2} )?$/.test(before)) return PRIORITY;
  if (/^[A-Z]$/.test(before)) return LETTER;
  if (before === '[' && after.startsWith(']'))
    return { lead: '^\\[', tail: '\\]', place: 'in brackets at the start of the line', doubt: 0 };
  return null;
};

const keyContext = (before: string): Context | null => {
  const member = /"([\w@.$-]{1,64})"(\s*):(\s*)("?)$/.exec(before);
  if (member !== null) {
    const [, key = '', , , quote = ''] = member;
    return {
      lead: `"${escaped(key)}"\\s*:\\s*${quote}`,
      tail: '',
      place: `in the member "${key}"`,
      doubt: doubtOf(key),
    };
  }
  const pair = /(?:^|[\s,;|<{(])([\w@.-]{1,64})=(["'[]?)$/.exec(before);
  if (pair === null) return null;
  const [, key = '', quote = ''] = pair;
  const edge = /^\w/.test(key) ? '\\b' : '';
  return {
    lead: `${edge}${escaped(key)}=${escaped(quote)}`,
    tail: '',
    place: `after ${key}=`,
    doubt: doubtOf(key),
  };
};

/** The place of the text from `start` to `end`. */
export const contextOf = (line: string, start: number, end: number): Context => {
  const before = line.slice(Math.max(0, start - REACH), start);
  const after = line.slice(end, end + 1);
  const known = startContext(start <= REACH ? before : ' ', after) ?? keyContext(before);
  if (known !== null) return known;
  const call = /([A-Za-z_]{1,32})\($/.exec(before);
  if (call !== null) return { lead: `\\b${call[1]}\\(`, tail: '', place: `after ${call[1]}(`, doubt: 1 };
  if (before.endsWith('[') && after === ']')
    return { lead: '\\[', tail: '\\]', place: 'in brackets', doubt: 1 };
  return {
    lead: /^\w/.test(line.slice(start)) ? '\\b' : '',
    tail: '',
    place: 'anywhere in the line',
    doubt: LIKELY.length + 1,
  };
};
