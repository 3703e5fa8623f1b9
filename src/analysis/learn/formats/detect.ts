import { type Cut, cutter, shapeKey } from '../cut.js';
import { type LineLocation, timeLocationOf } from '../times/find.js';
import { cutAccess } from './access.js';
import { cutCef } from './cef.js';
import { csvFormat } from './csv.js';
import { cutJson, sortedJson } from './json.js';
import { cutPairs } from './pairs.js';
import { cutSyslog } from './syslog.js';

export type FormatName = 'json' | 'access' | 'cef' | 'syslog' | 'csv' | 'pairs' | 'lines';

type CutRecord = (record: string) => Cut | null;

/** Orders of the same members from which the order is chance, as in the export of journald. */
const MIN_ORDERS = 4;

const cutSortedJson: CutRecord = (record) => (cutJson(record) === null ? null : cutJson(sortedJson(record)));

/** Whether JSON objects have the same members in ever other orders. */
const isUnordered = (records: readonly string[]): boolean => {
  const shapesOf = (cut: CutRecord): number =>
    new Set(
      records.flatMap((record) => {
        const made = cut(record);
        return made === null ? [] : [shapeKey(made)];
      }),
    ).size;
  return shapesOf(cutJson) > shapesOf(cutSortedJson) * MIN_ORDERS;
};

/** Strict ones first: a record belongs to the first format that reads it. */
const FORMATS: readonly (readonly [FormatName, CutRecord])[] = [
  ['json', cutJson],
  ['cef', cutCef],
  ['access', cutAccess],
  ['syslog', cutSyslog],
  ['pairs', cutPairs],
];

/** Records of a format below this share of the log are read as lines of text. */
const MIN_SHARE = 0.02;
const MAX_LOOKED_AT = 2_000;

/** The time of a line apart from the rest; without one the whole line is the message. */
const cutLine = (record: string, location: LineLocation | null): Cut => {
  const span = location?.find(record)?.span ?? null;
  const out = cutter();
  if (span === null) {
    out.value('message', record);
    return out.done('line');
  }
  const [before, after] = [record.slice(0, span[0]), record.slice(span[1])];
  if (/\w/.test(before)) out.value('before', before);
  else out.literal(before);
  out.value('time', record.slice(...span));
  // A bracket opens the message or its header.
  const [, gap = '', rest = ''] = /^([^\w[({<]*)(.*)$/s.exec(after) ?? [];
  out.literal(gap);
  if (rest !== '') out.value('message', rest);
  return out.done('line');
};

export interface Reader {
  /** Never fails: what no format reads is a line of text. */
  readonly cut: (record: string) => { readonly format: FormatName; readonly cut: Cut };
  /** The record as a line of text: its time and the rest. */
  readonly asLine: (record: string) => Cut;
  /** The header of a CSV file, which is no event. */
  readonly header: string | null;
  readonly location: LineLocation | null;
}

/** Finds the formats of records. A log may mix several. */
export const logReaderOf = (records: readonly string[]): Reader => {
  const location = timeLocationOf(records);
  const asLine = (record: string): Cut => cutLine(record, location);
  const step = Math.max(1, Math.floor(records.length / MAX_LOOKED_AT));
  const looked = records.filter((_, at) => at % step === 0);
  const counts = new Map<FormatName, number>();
  for (const record of looked) {
    const found = FORMATS.find(([, cut]) => cut(record) !== null)?.[0] ?? 'lines';
    counts.set(found, (counts.get(found) ?? 0) + 1);
  }
  const isLines = (counts.get('lines') ?? 0) > looked.length / 2;
  const csv = isLines ? csvFormat(records) : null;
  const isSorted = (counts.get('json') ?? 0) > 0 && isUnordered(looked);
  const used = FORMATS.filter(
    ([name]) => (counts.get(name) ?? 0) >= Math.max(1, looked.length * MIN_SHARE),
  ).map(([name, cut]) => [name, name === 'json' && isSorted ? cutSortedJson : cut] as const);
  const order: typeof FORMATS = csv === null ? used : [['csv', csv.cut], ...used];
  return {
    header: csv?.header ?? null,
    location,
    asLine,
    cut: (record) => {
      for (const [format, cut] of order) {
        const made = cut(record);
        if (made !== null) return { format, cut: made };
      }
      return { format: 'lines', cut: asLine(record) };
    },
  };
};
