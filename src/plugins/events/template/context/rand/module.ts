import type { Random } from '../../../../../domain/random.js';
import { MICROS_PER_DAY } from '../../../../../domain/time/micros.js';
import {
  atInstant,
  HostModule,
  LazyMembers,
  PyDateTime,
  raise,
  type Value,
} from '../../../../../template/index.js';
import { binary, wrongType } from './calls.js';
import { choiceFunctions } from './choices.js';
import { cryptoModule } from './crypto.js';
import { networkModule } from './networks.js';
import { numberModule } from './numbers.js';
import { stringModule } from './strings.js';
import { weightedFunctions } from './weighted.js';

export const randModule = (random: Random): HostModule =>
  new HostModule(
    'rand',
    new LazyMembers(
      {
        number: () => numberModule(random),
        string: () => stringModule(random),
        network: () => networkModule(random),
        crypto: () => cryptoModule(random),
        datetime: () => randomDatetimeModule(random),
      },
      Object.entries({ ...choiceFunctions(random), ...weightedFunctions(random) }),
    ),
  );

const FN = 'rand.datetime.timestamp';

const needDateTime = (value: Value, name: string): PyDateTime =>
  value instanceof PyDateTime ? value : wrongType(FN, name, "a date-time, such as 'timestamp'", value);

/** UTC microseconds relative to the wall-clock day; may cross a day. */
const microsOf = (value: PyDateTime): number => value.micros - (value.offset ?? 0) * 1_000_000;

/** Uniform in days and microseconds, both ends included. */
const drawWithin = (random: Random, days: number, micros: number): readonly [number, number] => {
  const span = days * MICROS_PER_DAY + micros;
  if (Number.isSafeInteger(span)) return [0, random.integer(0, span)];
  // Over 285 years: microseconds exceed a double. Draws beyond the span are repeated.
  const wholeDays = days + Math.floor(micros / MICROS_PER_DAY);
  const rest = micros - Math.floor(micros / MICROS_PER_DAY) * MICROS_PER_DAY;
  for (;;) {
    const day = random.integer(0, wholeDays);
    const micro = random.integer(0, MICROS_PER_DAY - 1);
    if (day < wholeDays || micro <= rest) return [day, micro];
  }
};

/**
 * Uniform per microsecond, in the start's zone; compares instants. TypeError for mixing with and without a
 * zone; ValueError for start after end.
 */
const timestampBetween = (random: Random, startValue: Value, endValue: Value): PyDateTime => {
  const start = needDateTime(startValue, 'start');
  const end = needDateTime(endValue, 'end');
  if ((start.zone === null) !== (end.zone === null)) {
    const [zoned, bare] = start.zone === null ? ['end', 'start'] : ['start', 'end'];
    return raise(
      'TypeError',
      `${FN}: ${zoned} has a time zone and ${bare} has none: give both one, or neither`,
    );
  }
  const startMicros = microsOf(start);
  const days = end.day - start.day;
  const micros = microsOf(end) - startMicros;
  if (days * MICROS_PER_DAY + micros < 0)
    return raise('ValueError', `${FN}: start (${start.text()}) is later than end (${end.text()})`);
  const [moreDays, moreMicros] = drawWithin(random, days, micros);
  const total = startMicros + moreMicros;
  const carry = Math.floor(total / MICROS_PER_DAY);
  const day = start.day + moreDays + carry;
  const micro = total - carry * MICROS_PER_DAY;
  return start.zone === null ? new PyDateTime(day, micro, null) : atInstant(day, micro, start.zone);
};

const randomDatetimeModule = (random: Random): HostModule =>
  new HostModule('rand.datetime', {
    timestamp: binary(`${FN}(start, end)`, (start, end) => timestampBetween(random, start, end)),
  });
