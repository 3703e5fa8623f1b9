import { DAY_NAMES, MONTH_NAMES } from '../../../../domain/time/names.js';

const WORDS: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};

/** Sunday is 0 or 7. */
const DAYS: readonly string[] = [...DAY_NAMES, DAY_NAMES[0]];
const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth'];

const isAny = (field: string): boolean => field === '*' || field === '?';
const isNumber = (text: string): boolean => /^\d+$/.test(text);

const listed = (items: readonly string[], word = 'and'): string =>
  items.length < 2 ? (items[0] ?? '') : `${items.slice(0, -1).join(', ')} ${word} ${items.at(-1)}`;

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** The number of a value that may be a name. */
const numberOf = (text: string, names: readonly string[]): number => {
  const named = names.findIndex((name) => name.slice(0, 3).toUpperCase() === text.toUpperCase());
  return named < 0 ? Number(text) : named;
};

const nameOfDay = (text: string): string => DAYS[numberOf(text, DAYS)] ?? text;
const nameOfMonth = (text: string): string =>
  isNumber(text)
    ? (MONTH_NAMES[Number(text) - 1] ?? text)
    : (MONTH_NAMES[numberOf(text, MONTH_NAMES)] ?? text);

interface Step {
  readonly base: string;
  readonly step: number;
}

const stepOf = (field: string): Step | null => {
  const [base = '', step = '', ...more] = field.split('/');
  return more.length === 0 && isNumber(step) && !field.includes(',') ? { base, step: Number(step) } : null;
};

const every = (step: number, unit: string): string =>
  step === 1 ? `every ${unit}` : `every ${step} ${unit}s`;

/** One item of a field, `5`, `9-17` or `10-50/20`, with its values named. */
const itemWords = (item: string, unit: string, name: (text: string) => string): string => {
  const step = stepOf(item);
  const base = step?.base ?? item;
  const [low = '', high] = base.split('-');
  const range = isAny(base)
    ? ''
    : high === undefined
      ? step === null
        ? name(low)
        : `from ${name(low)} on`
      : `${name(low)} to ${name(high)}`;
  return step === null ? range : [every(step.step, unit), range].filter(Boolean).join(' ');
};

const fieldWords = (field: string, unit: string, name: (text: string) => string): string =>
  listed(field.split(',').map((item) => itemWords(item, unit, name)));

const plain = (text: string): string => text;

/** `second 0 and 30`, `every 5 minutes`, `every second`. */
const partWords = (field: string, unit: string): string => {
  if (isAny(field)) return every(1, unit);
  const step = stepOf(field);
  if (step !== null && (isAny(step.base) || step.base === '0')) return every(step.step, unit);
  return stepOf(field) === null && !field.includes('/')
    ? `at ${unit}${isNumber(field) ? '' : 's'} ${fieldWords(field, unit, plain)}`
    : fieldWords(field, unit, (text) => `${unit} ${text}`);
};

const hourRange = (low: string, high: string): string =>
  `from ${twoDigits(Number(low))}:00 to ${twoDigits(Number(high))}:59`;

/** When of the day, for a field of hours that is no `*`. */
const hourWords = (hour: string): string => {
  const step = stepOf(hour);
  if (step !== null) {
    if (isAny(step.base) || step.base === '0') return `of ${every(step.step, 'hour')}`;
    const [low = '', high = '23'] = step.base.split('-');
    return `of ${every(step.step, 'hour')} ${hourRange(low, high)}`;
  }
  const items = hour.split(',').map((item) => {
    const [low = '', high = low] = item.split('-');
    return hourRange(low, high);
  });
  return listed(items);
};

const timeWords = (second: string, minute: string, hour: string): string => {
  const isExact = isNumber(second) && isNumber(minute) && hour.split(',').every(isNumber);
  if (isExact) {
    const tail = Number(second) === 0 ? '' : `:${twoDigits(Number(second))}`;
    const times = hour
      .split(',')
      .map((one) => `${twoDigits(Number(one))}:${twoDigits(Number(minute))}${tail}`);
    return `at ${listed(times)}`;
  }
  const when = isAny(hour) ? '' : hourWords(hour);
  if (second === '0' && minute === '0') {
    if (isAny(hour)) return 'every hour';
    return when.startsWith('of ') ? when.slice(3) : `every hour ${when}`;
  }
  const minutes = partWords(minute, 'minute');
  if (second === '0')
    return [minutes, isAny(hour) && minutes.startsWith('at') ? 'of every hour' : when]
      .filter(Boolean)
      .join(' ');
  const seconds = partWords(second, 'second');
  const within = isAny(minute) ? (seconds.startsWith('at') ? 'of every minute' : '') : minutes;
  const hours = isAny(hour) && within.startsWith('at') ? 'of every hour' : when;
  return [seconds, within, hours].filter(Boolean).join(', ').replace(', of ', ' of ');
};

const weekdayItem = (item: string): string => {
  const nth = /^(\w+)#(\d)$/.exec(item);
  if (nth !== null) return `the ${ORDINALS[Number(nth[2]) - 1]} ${nameOfDay(nth[1] ?? '')} of the month`;
  const last = /^(?:L(\w+)|(\w+)L)$/i.exec(item);
  if (last !== null && item.length > 1) return `the last ${nameOfDay(last[1] ?? last[2] ?? '')} of the month`;
  return itemWords(item, 'day', nameOfDay);
};

const dayWords = (monthDay: string, weekday: string): string => {
  const ofMonth = isAny(monthDay)
    ? ''
    : listed(
        monthDay
          .split(',')
          .map((item) =>
            item.toUpperCase() === 'L' ? 'the last day' : itemWords(item, 'day', (day) => `day ${day}`),
          ),
      );
  const ofWeek = isAny(weekday) ? '' : listed(weekday.split(',').map(weekdayItem));
  const monthly = ofMonth === '' ? '' : `on ${ofMonth} of the month`.replace('on every', 'every');
  const weekly = ofWeek === '' ? '' : `on ${ofWeek}`.replace('on every', 'every');
  return [monthly, weekly].filter(Boolean).join(' or ');
};

/** Returns a cron expression in words, or null when it does not have the form of one. */
export const cronWords = (expression: string): string | null => {
  const written = expression.trim();
  const fields = (WORDS[written.toLowerCase()] ?? written).split(/\s+/);
  if (fields.length !== 5 && fields.length !== 6) return null;
  const [second = '', minute = '', hour = '', monthDay = '', month = '', weekday = ''] =
    fields.length === 5 ? ['0', ...fields] : fields;
  const days = dayWords(monthDay, weekday);
  const months = isAny(month)
    ? ''
    : `in ${fieldWords(month, 'month', nameOfMonth)}`.replace('in every', 'every');
  const time = timeWords(second, minute, hour);
  const daily = time.startsWith('at ') && !time.includes('every') && days === '' ? 'every day' : '';
  const text = [time, daily, days, months].filter(Boolean).join(', ');
  return text.charAt(0).toUpperCase() + text.slice(1);
};
