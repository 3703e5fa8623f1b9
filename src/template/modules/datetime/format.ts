import * as E from 'fp-ts/lib/Either.js';
import { offsetText } from '../../../domain/time/iso.js';
import { compileStrftime } from '../../../domain/time/strftime.js';
import type { Zone } from '../../../domain/time/zone.js';
import { checkLonger, checkText, spend } from '../../limits.js';
import { raise } from '../../values/fault.js';
import { civilOf, dayOf, MICROS_PER_DAY } from './civil.js';
import { commonFormat } from './commonCodes.js';

interface Stamp {
  readonly day: number;
  readonly micros: number;
  /** Offset in seconds; `null` without a zone. */
  readonly offset: number | null;
  readonly name: () => string;
}

/** A zone of one offset. Zone names are replaced before, so it needs none. */
const zoneWith = (offset: number): Zone => ({
  id: 'UTC',
  offsetSecondsAt: () => offset,
  instantsOf: (local) => [local - offset * 1_000_000],
  instantOf: (local) => local - offset * 1_000_000,
  nextTransition: () => null,
});

const compiled = (format: string, offset: number): ((micros: number) => string) => {
  const made = compileStrftime(format, zoneWith(offset));
  return E.isLeft(made) ? raise('ValueError', `Invalid format string: ${made.left}`) : made.right;
};

/** Years with exact microseconds, and the days of a calendar cycle. */
const EXACT_YEARS = [1700, 2240] as const;
const FIRST_EXACT_DAY = dayOf(EXACT_YEARS[0], 1, 1);
const LAST_EXACT_DAY = dayOf(EXACT_YEARS[1], 12, 31);
const CYCLE_DAYS = 146_097;

const escaped = (text: string): string => text.replaceAll('%', '%%');

/** Replaces zone codes, and year codes of far years, by text. */
const prepared = (format: string, stamp: Stamp, year: number | null): string =>
  format.replace(/%(%|:?z|Z|Y)/g, (whole, code: string) => {
    if (code === 'Z') return stamp.offset === null ? '' : escaped(stamp.name());
    if (code === 'z' || code === ':z') {
      if (stamp.offset === null) return '';
      return code === 'z' ? offsetText(stamp.offset).replaceAll(':', '') : offsetText(stamp.offset);
    }
    return code === 'Y' && year !== null ? String(year) : whole;
  });

type Write = (micros: number) => string;

interface CachedFormat {
  readonly common: ((day: number, micros: number) => string) | null;
  readonly hasZoneName: boolean;
  /** By offset, zone name, and far year. */
  readonly writers: Map<string, Write>;
}

const KNOWN = new Map<string, CachedFormat>();
const MAX_KNOWN = 1_000;
/** Writers cached per format. */
const MAX_WRITERS = 100;

/** Longer formats are compiled and charged at each use. */
const LONG_FORMAT = 1_024;

const knownFormat = (format: string): CachedFormat => {
  const known = KNOWN.get(format);
  if (known !== undefined) return known;
  spend(format.length);
  if (KNOWN.size >= MAX_KNOWN) KNOWN.clear();
  const made: CachedFormat = {
    common: commonFormat(format),
    hasZoneName: format.includes('%Z'),
    writers: new Map(),
  };
  if (format.length <= LONG_FORMAT) KNOWN.set(format, made);
  return made;
};

/** Output characters per character of a code, at most (`%c`: 24 for two). */
const LONGEST_OF_CODE = 12;

/** The domain has a format of this name; here it is text. */
const ISO = 'iso8601';

/** C's `strftime`. ValueError for unknown codes. */
export const strftime = (stamp: Stamp, format: string): string => {
  if (format.length > LONG_FORMAT) checkLonger(format.length * LONGEST_OF_CODE);
  return checkText(written(stamp, format));
};

const written = (stamp: Stamp, format: string): string => {
  if (format === ISO) return ISO;
  const { common, hasZoneName, writers } = knownFormat(format);
  const isFar = stamp.day < FIRST_EXACT_DAY || stamp.day > LAST_EXACT_DAY;
  if (common !== null && !isFar) return common(stamp.day, stamp.micros);
  const { year } = civilOf(stamp.day);
  const name = hasZoneName && stamp.offset !== null ? stamp.name() : '';
  const key = `${stamp.offset};${name};${isFar ? year : ''}`;
  let write = writers.get(key);
  if (write === undefined) {
    write = compiled(prepared(format, stamp, isFar ? year : null), stamp.offset ?? 0);
    if (writers.size >= MAX_WRITERS) writers.clear();
    writers.set(key, write);
  }
  const day = isFar ? stamp.day + CYCLE_DAYS * Math.round((1970 - year) / 400) : stamp.day;
  return write(day * MICROS_PER_DAY + stamp.micros - (stamp.offset ?? 0) * 1_000_000);
};
