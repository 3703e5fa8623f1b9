import { shortened } from '../../domain/text/shown.js';
import type { Micros } from '../../domain/time/micros.js';
import { INSPECT_LIMITS, type InspectLimits } from './limits.js';
import { readCef, readJsonEvent, readPairs } from './read.js';
import {
  EVENT_KINDS,
  type EventKind,
  type EventsReport,
  type FailureReport,
  type LimitHit,
} from './report.js';
import { countText } from './show.js';
import { distinctEstimate, hashOf } from './tally/distinct.js';
import { fieldTree } from './tally/fieldTree.js';
import { gzipTally } from './tally/gzipRatio.js';
import { sizeTally } from './tally/sizes.js';
import { timeBins } from './tally/timeBins.js';

const SIZE_BINS = 24;
/** Characters that are given to gzip at once. */
const CHUNK_CHARS = 256 * 1024;

export interface InspectedBatch {
  /** Timestamps of the events. */
  readonly micros: Iterable<Micros>;
  /** As written, without line ends. */
  readonly events: readonly string[];
  /** Events that could not be produced or formatted, and inputs that failed. */
  readonly failures: readonly Pick<FailureReport, 'kind' | 'reason'>[];
}

/** Measures events in bounded memory. */
export interface Inspector {
  readonly add: (batch: InspectedBatch) => Promise<void>;
  /** Call once, at the end. */
  readonly report: () => Promise<EventsReport>;
}

/** Counts distinct texts by their hashes: exactly up to a limit, then an estimate. */
const distinctTexts = (max_exact: number) => {
  const seen = new Set<number>();
  const estimate = distinctEstimate();
  let isExact = true;
  return {
    add: (text: string): void => {
      const hash = hashOf(text);
      estimate.add(hash);
      if (!isExact) return;
      // 53 bits, as many as a number holds.
      const key = (hash.high & 0x1f_ffff) * 2 ** 32 + hash.low;
      if (seen.size >= max_exact && !seen.has(key)) {
        isExact = false;
        seen.clear();
      } else seen.add(key);
    },
    result: () => ({ count: isExact ? seen.size : estimate.count(), is_exact: isExact }),
  };
};

const MAX_REASONS = 10;
const MAX_REASON_CHARS = 500;

const failureTally = () => {
  const counts = new Map<string, FailureReport>();
  let failed = 0;
  return {
    add: ({ kind, reason }: Pick<FailureReport, 'kind' | 'reason'>): void => {
      if (kind !== 'input') failed++;
      const short = shortened(reason, MAX_REASON_CHARS);
      const key = `${kind} ${short}`;
      const known = counts.get(key);
      if (known === undefined && counts.size >= MAX_REASONS) return;
      counts.set(key, { kind, reason: short, count: (known?.count ?? 0) + 1 });
    },
    result: () => ({ failed, failures: [...counts.values()] }),
  };
};

const counted = (count: number, noun: string): string =>
  `${countText(count)} ${noun}${count === 1 ? '' : 's'}`;

export const makeInspector = (limits: InspectLimits = INSPECT_LIMITS): Inspector => {
  const tree = fieldTree(limits);
  const sizes = sizeTally();
  const times = timeBins();
  const gzip = gzipTally(limits.max_gzip_bytes);
  const distinct = distinctTexts(limits.max_distinct_events);
  const kinds = new Map<EventKind, number>();
  const cut = { gzip: false, pairs: 0, json: 0 };
  const failures = failureTally();
  let made = 0;

  const readText = (whole: string): EventKind => {
    const isLong = whole.length > limits.max_pair_chars;
    if (isLong) cut.pairs++;
    const text = isLong ? whole.slice(0, limits.max_pair_chars) : whole;
    if (readCef(text, tree.pair)) return 'cef';
    return readPairs(text, tree.pair) ? 'key_value' : 'text';
  };

  const looksLikeJson = (text: string): boolean => /^\s*(?:["[{\d-]|true|false|null)/.test(text);

  const readEvent = (text: string): EventKind => {
    tree.begin(made);
    if (!looksLikeJson(text)) return readText(text);
    if (text.length > limits.max_json_chars) {
      cut.json++;
      return 'text';
    }
    return readJsonEvent(text, tree) ? 'json' : readText(text);
  };

  const addEvent = (text: string): void => {
    const kind = readEvent(text);
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    sizes.add(Buffer.byteLength(text, 'utf8'));
    distinct.add(text);
    made++;
  };

  const compress = async (events: readonly string[]): Promise<void> => {
    let chunk = '';
    for (const text of events) {
      if (cut.gzip) return;
      chunk += `${text}\n`;
      if (chunk.length < CHUNK_CHARS) continue;
      cut.gzip = !(await gzip.add(chunk));
      chunk = '';
    }
    if (chunk !== '') cut.gzip = !(await gzip.add(chunk));
  };

  const hits = (): readonly LimitHit[] => {
    const { fields, depth, values, value_chars } = tree.hits();
    const all: readonly (readonly [LimitHit['limit'], number, number | boolean, string])[] = [
      ['fields', limits.max_fields, fields, `${counted(fields, 'value')} of further fields: not listed`],
      ['depth', limits.max_depth, depth, `${counted(depth, 'value')} nested deeper: not listed`],
      [
        'values',
        limits.max_values,
        values,
        `${counted(values, 'field')} with too many distinct values to count each: their number and entropy are estimates`,
      ],
      [
        'value_chars',
        limits.max_shown_chars,
        value_chars,
        `${counted(value_chars, 'field')} with longer values: cut here, measured whole`,
      ],
      [
        'distinct_events',
        limits.max_distinct_events,
        !distinct.result().is_exact,
        'the number of distinct events is an estimate',
      ],
      ['gzip_bytes', limits.max_gzip_bytes, cut.gzip, 'gzip compressed only the first bytes'],
      [
        'pair_chars',
        limits.max_pair_chars,
        cut.pairs,
        `${counted(cut.pairs, 'text')} longer: the rest was not searched for fields`,
      ],
      [
        'json_chars',
        limits.max_json_chars,
        cut.json,
        `${counted(cut.json, 'event')} longer: not searched for fields`,
      ],
    ];
    return all
      .filter(([, , hit]) => hit !== false && hit !== 0)
      .map(([limit, max, , message]) => ({ limit, max, message }));
  };

  return {
    add: async ({ micros, events, failures: failed }) => {
      for (const at of micros) times.add(at);
      for (const text of events) addEvent(text);
      for (const failure of failed) failures.add(failure);
      await compress(events);
    },
    report: async () => {
      const measured = sizes.sizes(SIZE_BINS);
      const { bins = [], ...size_bytes } = measured ?? {};
      return {
        made,
        ...failures.result(),
        distinct: distinct.result(),
        kinds: Object.fromEntries(
          EVENT_KINDS.flatMap((kind) => (kinds.has(kind) ? [[kind, kinds.get(kind) ?? 0]] : [])),
        ),
        size_bytes: measured === null ? null : (size_bytes as NonNullable<EventsReport['size_bytes']>),
        size_bins: bins,
        times: times.result(),
        fields: tree.fields(made),
        gzip: await gzip.end(),
        limits: hits(),
      };
    },
  };
};
