import * as E from 'fp-ts/lib/Either.js';

export interface FieldRule {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  /** Upper case; the first stands for `min`. */
  readonly names: readonly string[];
}

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

export const SECOND: FieldRule = { name: 'second', min: 0, max: 59, names: [] };
export const MINUTE: FieldRule = { name: 'minute', min: 0, max: 59, names: [] };
export const HOUR: FieldRule = { name: 'hour', min: 0, max: 23, names: [] };
export const MONTH_DAY: FieldRule = { name: 'day-of-month', min: 1, max: 31, names: [] };
export const MONTH: FieldRule = { name: 'month', min: 1, max: 12, names: MONTHS };
/** 0 and 7 are Sunday. 7 stays until values are collected, for ranges such as `5-7`. */
export const WEEKDAY: FieldRule = { name: 'day-of-week', min: 0, max: 7, names: WEEKDAYS };

/**
 * A value, or problem and remedy joined by `; `. Messages never repeat the text: it may hold a secret from a
 * placeholder. Short numbers are shown.
 */
export type ParsedCron<A> = E.Either<string, A>;

const refuse = (what: string, hint: string): ParsedCron<never> => E.left(`${what}. ${hint}`);

const NO_SUCH_FORM: Readonly<Record<string, readonly [string, string]>> = {
  H: ['uses H (a hashed value), which is not supported', 'Write the value itself, e.g. 17.'],
  R: ['uses R (a random value), which is not supported', 'Write the value itself, e.g. 17.'],
  W: ['uses W (the nearest weekday), which is not supported', 'List the days themselves, e.g. 14-16.'],
  LW: ['uses LW (the last weekday), which is not supported', 'Use L for the last day of the month.'],
};

const allowed = ({ min, max, names }: FieldRule): string =>
  `a number from ${min} to ${max}${names.length === 0 ? '' : ` or a name from ${names[0]} to ${names.at(-1)}`}`;

/** Error for a text that is no value, by the closest known form. */
const refuseWord = (text: string, rule: FieldRule): ParsedCron<never> => {
  const known = NO_SUCH_FORM[text.replace(/[^A-Z]/g, '')];
  if (known !== undefined) return refuse(...known);
  if (text === '') return refuse('has an empty part', `Give each part ${allowed(rule)}.`);
  if (/[*?]/.test(text)) {
    return refuse('mixes * or ? with other characters', 'Let it stand alone or with a step, e.g. */5.');
  }
  if (/L/.test(text) && rule === MONTH_DAY) {
    return refuse('uses L with other characters', 'Let L stand alone, for the last day of the month.');
  }
  if (/^L$/.test(text) && rule === WEEKDAY) {
    return refuse('has L without a weekday', 'Write 5L for the last Friday of the month.');
  }
  if (/[L#]/.test(text)) {
    return rule === WEEKDAY
      ? refuse('uses L or # in an unknown form', 'Write 5L for the last Friday, 5#2 for the second Friday.')
      : refuse('uses L or # in a field that does not take it', `Use ${allowed(rule)}.`);
  }
  return refuse('has an invalid value', `Use ${allowed(rule)}.`);
};

const parseValue = (text: string, rule: FieldRule): ParsedCron<number> => {
  const named = rule.names.indexOf(text);
  if (named >= 0) return E.right(rule.min + named);
  if (!/^\d+$/.test(text)) return refuseWord(text, rule);
  const value = Number(text);
  if (value >= rule.min && value <= rule.max) return E.right(value);
  const shown = text.length <= 3 ? String(value) : 'a number';
  return refuse(`has ${shown}, which is outside ${rule.min} to ${rule.max}`, `Use ${allowed(rule)}.`);
};

type Bounds = readonly [low: number, high: number];

const ordered = (low: number, high: number, rule: FieldRule): ParsedCron<Bounds> => {
  // A range that ends on Sunday (SAT-SUN, 5-0) ends the week: Sunday is day 7.
  const end = rule === WEEKDAY && high === 0 && low > 0 ? 7 : high;
  if (low <= end) return E.right([low, end]);
  const last = rule === WEEKDAY ? 6 : rule.max;
  return refuse(
    `has a range that runs backwards, ${low}-${high}`,
    `Write it as two: ${low}-${last},${rule.min}-${high}.`,
  );
};

/** The part before a step: `*`, `?`, a value or a range. A single value with a step runs to the maximum. */
const parseBounds = (text: string, rule: FieldRule, hasStep: boolean): ParsedCron<Bounds> => {
  if (text === '*' || text === '?') return E.right([rule.min, rule.max]);
  const ends = text.split('-');
  if (ends.length > 2) return refuse('has a range with more than two ends', 'Write low-high, e.g. 1-5.');
  const low = parseValue(ends[0] ?? '', rule);
  if (E.isLeft(low)) return low;
  if (ends.length === 1) return E.right([low.right, hasStep ? rule.max : low.right]);
  const high = parseValue(ends[1] ?? '', rule);
  return E.isLeft(high) ? high : ordered(low.right, high.right, rule);
};

const parseStep = (text: string | undefined): ParsedCron<number> => {
  if (text === undefined) return E.right(1);
  return /^\d{1,9}$/.test(text) && Number(text) > 0
    ? E.right(Number(text))
    : refuse('has a step that is not a number of at least 1', 'Write it after one slash, e.g. */5.');
};

/** Values of a list item such as `*`, `5`, `MON-FRI`, `10-50/20`, upper case; ascending. */
const parseItem = (item: string, rule: FieldRule): ParsedCron<readonly number[]> => {
  const [base = '', stepText, ...more] = item.split('/');
  if (more.length > 0) return refuse('has more than one step in an item', 'Write one slash, e.g. 10-50/20.');
  // First the bounds: H/5 is refused for its H, not for its step.
  const bounds = parseBounds(base, rule, stepText !== undefined);
  if (E.isLeft(bounds)) return bounds;
  const step = parseStep(stepText);
  if (E.isLeft(step)) return step;
  const [low, high] = bounds.right;
  const values: number[] = [];
  for (let value = low; value <= high; value += step.right) values.push(value);
  return E.right(values);
};

const ascending = (values: Iterable<number>): readonly number[] => [...new Set(values)].sort((a, b) => a - b);

export const parseValues = (field: string, rule: FieldRule): ParsedCron<readonly number[]> => {
  const values: number[] = [];
  for (const item of field.split(',')) {
    const parsed = parseItem(item, rule);
    if (E.isLeft(parsed)) return parsed;
    values.push(...parsed.right);
  }
  return E.right(ascending(values));
};

export interface MonthDays {
  readonly days: readonly number[];
  readonly hasLast: boolean;
}

/** Weekdays with Sunday as 0: every one, the last, or the nth (1 to 5) of a month. */
export interface Weekdays {
  readonly every: readonly number[];
  readonly last: readonly number[];
  readonly nth: readonly { readonly weekday: number; readonly nth: number }[];
}

const isUnrestricted = (field: string): boolean => field === '*' || field === '?';

/** Reads days of the month. Returns null when they are not restricted. */
export const parseMonthDays = (field: string): ParsedCron<MonthDays | null> => {
  if (isUnrestricted(field)) return E.right(null);
  const items = field.split(',');
  const numbers = items.filter((item) => item !== 'L');
  const hasLast = numbers.length < items.length;
  if (numbers.length === 0) return E.right({ days: [], hasLast });
  const days = parseValues(numbers.join(','), MONTH_DAY);
  return E.isLeft(days) ? days : E.right({ days: days.right, hasLast });
};

const parseWeekday = (text: string): ParsedCron<number> => {
  const value = parseValue(text, WEEKDAY);
  return E.isLeft(value) ? value : E.right(value.right % 7);
};

/** `5#2`: the second Friday. */
const parseNth = (item: string): ParsedCron<Weekdays['nth'][number]> => {
  const [day = '', count = '', ...more] = item.split('#');
  if (!/^([0-9]|[A-Z]{3})$/.test(day)) return refuseWord(item, WEEKDAY);
  const weekday = parseWeekday(day);
  if (E.isLeft(weekday)) return weekday;
  return more.length === 0 && /^[1-5]$/.test(count)
    ? E.right({ weekday: weekday.right, nth: Number(count) })
    : refuse('has a # without a number from 1 to 5 after it', 'Write 5#2 for the second Friday.');
};

export const parseWeekdays = (field: string): ParsedCron<Weekdays | null> => {
  if (isUnrestricted(field)) return E.right(null);
  const every: number[] = [];
  const last: number[] = [];
  const nth: Weekdays['nth'][number][] = [];
  for (const item of field.split(',')) {
    const lastOf = /^L([0-9]|[A-Z]{3})$|^([0-9]|[A-Z]{3})L$/.exec(item);
    if (item.includes('#')) {
      const parsed = parseNth(item);
      if (E.isLeft(parsed)) return parsed;
      nth.push(parsed.right);
    } else if (lastOf !== null) {
      const parsed = parseWeekday(lastOf[1] ?? lastOf[2] ?? '');
      if (E.isLeft(parsed)) return parsed;
      last.push(parsed.right);
    } else {
      const parsed = parseItem(item, WEEKDAY);
      if (E.isLeft(parsed)) return parsed;
      every.push(...parsed.right.map((day) => day % 7));
    }
  }
  return E.right({ every: ascending(every), last: ascending(last), nth });
};
