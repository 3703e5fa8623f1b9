import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result, type SpateError } from '../../domain/errors.js';
import { seededRandom } from '../../domain/random.js';
import type { Micros } from '../../domain/time/micros.js';
import { addToTally, emptyTally, type Tally } from './compare/tally.js';
import type { Cut } from './cut.js';
import { type FormatName, logReaderOf, type Reader } from './formats/detect.js';
import { MAX_FIELD_NAMES, MAX_FIELDS } from './limits.js';
import type { Model } from './model.js';
import { personNamesOf } from './privacy/collect.js';
import { makePseudonyms, type Pseudonyms } from './privacy/pseudonyms.js';
import { makeScrubber, type Scrubber, scrubbedCut } from './privacy/scrub.js';
import type { LogRecords } from './records.js';
import { learnedShapesOf, type PatternMember } from './shapes.js';
import { type Sortable, type Sorted, type Sorter, sorterOf } from './sort.js';
import { datedTimes } from './times/dated.js';
import { type FoundTime, looksTimed, type TimeRange } from './times/find.js';
import { learnedRateOf } from './times/rate.js';

export interface LearnOptions {
  /** Key of the pseudonyms and of all random choices: who has it can test guesses of the private values. */
  readonly seed: string;
  /** Private values stay as they are. */
  readonly keep_values: boolean;
  /** No record is later: times without a year get the last one that fits. */
  readonly now: Micros;
}

/** Records of one shape as they were: they hold private values. */
export interface Example {
  readonly shape: string;
  readonly records: readonly string[];
}

/** What a log holds, and how to hold other events against it. */
export interface Learned {
  readonly model: Model;
  /** Ascending. */
  readonly times: readonly Micros[];
  /** The fields of the log, with its private values replaced. */
  readonly tally: Tally;
  /** The fields of other events. */
  readonly tallyOf: (events: Iterable<string>) => Tally;
  /** The shape of another event; null: one that the log does not have. */
  readonly shapeOf: (event: string) => string | null;
  /** The first records of each shape. */
  readonly examples: readonly Example[];
}

const MAX_EXAMPLES = 3;

const NO_SCRUBBER: Scrubber = { text: (text) => text, field: (_, value) => value };

/** Collects what the scrubber would replace. */
const collecting = (found: Set<string>): Pseudonyms => ({
  of: (_, value) => {
    found.add(value.toLowerCase());
    return value;
  },
  counts: () => ({}),
});

/** Fewer records do not show that a value is constant. */
const MIN_CONSTANT = 20;

/** Tells the values of fields that are the same in all records. */
const constantsOf = (cuts: readonly Cut[]): ((name: string, value: string) => boolean) => {
  const seen = new Map<string, { readonly value: string; count: number; isOne: boolean }>();
  for (const { names, values } of cuts)
    for (const [at, name] of names.entries()) {
      const value = values[at] ?? '';
      const known = seen.get(name);
      if (known === undefined) seen.set(name, { value, count: 1, isOne: true });
      else if (known.value === value) known.count += 1;
      else known.isOne = false;
    }
  return (name, value) => {
    const known = seen.get(name);
    return known?.isOne === true && known.count >= MIN_CONSTANT && known.value === value;
  };
};

interface Scrubbing {
  readonly scrubber: Scrubber;
  readonly pseudonyms: Pseudonyms | null;
}

const scrubbing = (
  cuts: readonly Cut[],
  range: TimeRange | null,
  { seed, keep_values }: LearnOptions,
): Scrubbing => {
  if (keep_values) return { scrubber: NO_SCRUBBER, pseudonyms: null };
  const names = personNamesOf(cuts);
  const found = new Set(names.keys());
  const scrubOptions = { range, isConstant: constantsOf(cuts) };
  const look = makeScrubber(collecting(found), names, scrubOptions);
  for (const cut of cuts) scrubbedCut(cut, look);
  const pseudonyms = makePseudonyms(seed, found);
  return { scrubber: makeScrubber(pseudonyms, names, scrubOptions), pseudonyms };
};

interface Times {
  readonly found: readonly (FoundTime | null)[];
  readonly each: readonly (Micros | null)[];
  readonly sorted: readonly Micros[];
  readonly range: TimeRange | null;
}

const timesOf = (records: readonly string[], { location }: Reader, now: Micros): Times => {
  const found = records.map((record) => location?.find(record) ?? null);
  const each = datedTimes(records, found, now);
  const sorted = each.filter((at) => at !== null).toSorted((a, b) => a - b);
  const [from, to] = [sorted[0], sorted.at(-1)];
  return { found, each, sorted, range: from === undefined || to === undefined ? null : { from, to } };
};

/** A record without a time has that of the record before. */
const filledTimes = (times: Times['each']): Times['each'] => {
  let before: Micros | null = null;
  return times.map((at) => {
    before = at ?? before;
    return before;
  });
};

/** Records without a time, of a log whose other records have one, or that seem to hold one. */
const undatedOf = (records: readonly string[], { found, sorted }: Times): Model['undated'] => {
  const undated = records.flatMap((record, at) =>
    found[at] === null && (sorted.length > 0 || looksTimed(record)) ? [at + 1] : [],
  );
  return { count: undated.length, first: undated[0] ?? null };
};

type Sort = (event: string) => Sorted | null;

const sortWith =
  (reader: Reader, sorter: Sorter): Sort =>
  (event) =>
    sorter.sort({
      cut: reader.cut(event).cut,
      asLine: () => reader.asLine(event),
      time: reader.location?.find(event) ?? null,
    });

const tallyWith =
  (sort: Sort) =>
  (events: Iterable<string>): Tally => {
    const tally = emptyTally();
    for (const event of events) addToTally(tally, sort(event));
    return tally;
  };

const examplesOf = (records: readonly string[], sorted: readonly (Sorted | null)[]): readonly Example[] => {
  const examples = new Map<string, string[]>();
  for (const [at, found] of sorted.entries()) {
    if (found === null) continue;
    const known = examples.get(found.shape) ?? [];
    examples.set(found.shape, known);
    if (known.length < MAX_EXAMPLES) known.push(records[at] ?? '');
  }
  return [...examples].map(([shape, some]) => ({ shape, records: some }));
};

interface Prepared extends Sortable {
  readonly format: FormatName;
}

const countFormats = (prepared: readonly Prepared[]): Model['formats'] => {
  const counts = new Map<FormatName, number>();
  for (const { format } of prepared) counts.set(format, (counts.get(format) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a);
};

/** Names of fields with private values. */
const privateNames = (raw: readonly Prepared[], clean: readonly Prepared[]): ReadonlySet<string> => {
  const names = new Set<string>();
  for (const [at, { cut }] of clean.entries()) {
    const before = raw[at]?.cut.values ?? [];
    for (const [index, value] of cut.values.entries())
      if (value !== before[index]) names.add(cut.names[index] ?? '');
  }
  return names;
};

/** Counts the fields of records, as each takes memory. Returns the bound that a record exceeds. */
const fieldNames = () => {
  const seen = new Set<string>();
  const add = ({ names }: Cut): SpateError | null => {
    if (names.length > MAX_FIELDS)
      return failure(
        'too_large',
        `a record has ${names.length} fields, and learning takes at most ${MAX_FIELDS}: remove columns or keys that you do not need`,
      );
    for (const name of names) seen.add(name);
    return seen.size <= MAX_FIELD_NAMES
      ? null
      : failure(
          'too_large',
          `the log has more than ${MAX_FIELD_NAMES} different fields, and learning takes no more: keys that hold values, such as an identifier, belong into a value`,
        );
  };
  return { add };
};

/** Learns a model of the records of a log. Returns an error when it has none, or too many names of fields. */
export const learn = (given: LogRecords, options: LearnOptions): Result<Learned> => {
  const reader = logReaderOf(given.records);
  const records = given.records.filter((record) => record !== reader.header);
  if (records.length === 0)
    return E.left(failure('invalid', 'the log holds no line of text. Give a log with at least one event.'));
  const times = timesOf(records, reader, options.now);
  const raw: Prepared[] = [];
  const names = fieldNames();
  for (const [at, record] of records.entries()) {
    const cut = reader.cut(record);
    const tooMany = names.add(cut.cut);
    if (tooMany !== null) return E.left(tooMany);
    raw.push({ ...cut, asLine: () => reader.asLine(record), time: times.found[at] ?? null });
  }
  const { scrubber, pseudonyms } = scrubbing(
    raw.map(({ cut }) => cut),
    times.range,
    options,
  );
  const clean = raw.map(
    ({ format, cut, asLine, time }): Prepared => ({
      format,
      time,
      cut: scrubbedCut(cut, scrubber),
      asLine: () => scrubbedCut(asLine(), scrubber),
    }),
  );
  const sorter = sorterOf(clean);
  const members = clean.map(({ format, cut }, at): PatternMember => ({ at, format, cut }));
  const tally = emptyTally();
  for (const name of privateNames(raw, clean)) tally.private_names.add(name);
  const { sorted } = sorter;
  for (const found of sorted) addToTally(tally, found);
  const known = sorted.flatMap((found, at) =>
    found === null ? [] : [{ found, member: members[at] as PatternMember }],
  );
  const shapes = learnedShapesOf(known, {
    times: filledTimes(times.each),
    random: seededRandom(options.seed),
  });
  const hasYear = reader.location !== null && /%[Yys]/.test(reader.location.format);
  const model: Model = {
    records: records.length,
    bytes: records.reduce((sum, record) => sum + Buffer.byteLength(record) + 1, 0),
    left_out: {
      too_long: given.too_long,
      binary: given.binary,
      bad_characters: given.bad_characters,
    },
    formats: countFormats(clean),
    header: reader.header === null ? null : scrubber.text(reader.header),
    times: reader.location === null ? null : { format: reader.location.format, found: times.sorted.length },
    undated: undatedOf(records, times),
    rate: learnedRateOf(times.sorted, hasYear),
    shapes,
    copied: sorted.filter((found) => found?.is_whole === true).length,
    replaced: pseudonyms?.counts() ?? null,
  };
  const sort = sortWith(reader, sorter);
  return E.right({
    model,
    times: times.sorted,
    tally,
    tallyOf: tallyWith(sort),
    shapeOf: (event) => sort(event)?.shape ?? null,
    examples: examplesOf(records, sorted),
  });
};
