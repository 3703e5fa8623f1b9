import { isJsonObject, type Json } from '../../../../domain/json.js';
import { parseIso } from '../../../../domain/time/iso.js';
import { MICROS_PER_MS } from '../../../../domain/time/micros.js';
import { zoneOf } from '../../../../domain/time/zone.js';
import { cronWords } from './cronWords.js';

const SECOND_MS = 1_000;

/** Returns the epoch milliseconds of a local time such as `2027-03-28T00:00`, or null when there is none. */
export const timelineInstantOf = (written: string, zone: string): number | null => {
  const known = zoneOf(zone);
  const micros = written === '' || known === null ? null : parseIso(written, known);
  return micros === null ? null : micros / MICROS_PER_MS;
};

export const PERIODS = {
  hour: { label: 'Hour', ms: 3_600 * SECOND_MS, span: '1m', most: 100_000 },
  day: { label: 'Day', ms: 86_400 * SECOND_MS, span: '15m', most: 200_000 },
  week: { label: 'Week', ms: 604_800 * SECOND_MS, span: '2h', most: 300_000 },
} as const;
export type TimelinePeriod = keyof typeof PERIODS;

/** The answer of `previewTimestamps`. */
export interface TimestampPreview {
  readonly span_edges: readonly string[];
  readonly span_counts: Readonly<Record<string, readonly number[]>>;
  readonly total: number;
  readonly first_timestamps: readonly string[];
  readonly timestamps: readonly string[];
}

/** Inputs with `count` timestamps at each tick, of which a preview needs one. */
const TICKING: ReadonlySet<string> = new Set(['cron', 'timer']);

export interface Thinned {
  readonly inputs: readonly Json[];
  /** What each timestamp of an input stands for. */
  readonly weights: readonly number[];
}

/** The inputs with one timestamp a tick: a preview of the same size reaches further. */
export const thinned = (inputs: readonly Json[]): Thinned => {
  const rows = inputs.map((input) => {
    const [kind = '', fields] = isJsonObject(input) ? (Object.entries(input)[0] ?? []) : [];
    if (!TICKING.has(kind) || !isJsonObject(fields) || !Number.isInteger(fields['count']))
      return { input, weight: 1 };
    return { input: { [kind]: { ...fields, count: 1 } }, weight: Number(fields['count']) };
  });
  return { inputs: rows.map(({ input }) => input), weights: rows.map(({ weight }) => weight) };
};

/** Asked for first: enough for most inputs. */
export const FIRST_SIZE = 1_000;

export interface NextSize {
  readonly size: number;
  /** The size is that of the period, or the most. */
  readonly isFinal: boolean;
  /** The most timestamps end before the period does. */
  readonly isCut: boolean;
}

/** How many timestamps to ask for, after an answer to `asked` ones. Times are epoch milliseconds. */
export const nextSize = (
  { timestamps }: Pick<TimestampPreview, 'timestamps'>,
  asked: number,
  { fromMs, period }: { readonly fromMs: number; readonly period: TimelinePeriod },
): NextSize => {
  const { ms, most } = PERIODS[period];
  const endMs = fromMs + ms;
  const inside = timestamps.findIndex((time) => Date.parse(time) >= endMs);
  if (inside >= 0) return { size: inside, isFinal: true, isCut: false };
  if (timestamps.length < asked) return { size: timestamps.length, isFinal: true, isCut: false };
  if (asked >= most) return { size: most, isFinal: true, isCut: true };
  const reachedMs = Math.max(1, Date.parse(timestamps.at(-1) ?? '') - fromMs);
  const wanted = Math.ceil(((asked * ms) / reachedMs) * 1.1);
  return { size: Math.min(most, Math.max(2 * asked, wanted)), isFinal: false, isCut: false };
};

export interface Timeline {
  /** Epoch seconds of the left edge of each span. */
  readonly edges: readonly number[];
  /** Timestamps per span, one list per input in the order of the config. */
  readonly counts: readonly (readonly number[])[];
  /** Timestamps of each input. */
  readonly totals: readonly number[];
  readonly total: number;
}

/** Returns the counts of a preview that ends with its period. The preview is null when it has no timestamps. */
export const timelineOf = (preview: TimestampPreview | null, weights: readonly number[]): Timeline => {
  const counts = weights.map((weight, index) =>
    (preview?.span_counts[String(index + 1)] ?? []).map((count) => count * weight),
  );
  const totals = counts.map((row) => row.reduce((sum, count) => sum + count, 0));
  return {
    edges: (preview?.span_edges ?? []).map((edge) => Date.parse(edge) / SECOND_MS),
    counts,
    totals,
    total: totals.reduce((sum, count) => sum + count, 0),
  };
};

/** Rows for a stacked chart: each has the counts of the inputs up to its own. */
export const stacked = (counts: readonly (readonly number[])[]): readonly (readonly number[])[] => {
  const below: number[] = [];
  return counts.map((row) =>
    row.map((count, index) => {
      below[index] = (below[index] ?? 0) + count;
      return below[index];
    }),
  );
};

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const scalars = (fields: Readonly<Record<string, unknown>>): string =>
  Object.entries(fields)
    .filter(([key, value]) => key !== 'tags' && value !== null && typeof value !== 'object')
    .map(([key, value]) => `${key} ${shown(value)}`)
    .slice(0, 3)
    .join(', ');

const cronText = (fields: Readonly<Record<string, unknown>>): string => {
  const expression = typeof fields['expression'] === 'string' ? fields['expression'] : '';
  const count = Number(fields['count']);
  const words = cronWords(expression) ?? expression;
  return count > 1 ? `${words}, ${count} timestamps each` : words;
};

export interface InputWords {
  readonly kind: string;
  readonly words: string;
}

/** An input in words: its kind, and when it makes timestamps. */
export const inputWords = (input: Json): InputWords => {
  const [kind = '', fields] = isJsonObject(input) ? (Object.entries(input)[0] ?? []) : [];
  const known = isJsonObject(fields) ? fields : {};
  return { kind, words: kind === 'cron' ? cronText(known) : scalars(known) };
};

/** The tags of an input. */
export const tagsOf = (input: Json): readonly string[] => {
  const fields = isJsonObject(input) ? Object.values(input)[0] : null;
  const tags = isJsonObject(fields) ? fields['tags'] : null;
  return Array.isArray(tags) ? tags.map(String) : [];
};

export interface TaggedTimestamp {
  readonly timestamp: string;
  readonly tags: readonly string[];
}

/** The first timestamps of several inputs in time order, each with the tags of its input. */
export const mergedTimestamps = (
  rows: readonly { readonly times: readonly string[]; readonly tags: readonly string[] }[],
): readonly TaggedTimestamp[] =>
  rows
    .flatMap(({ times, tags }) => times.map((timestamp) => ({ timestamp, tags })))
    .sort((a, b) => Date.parse(a.timestamp) - Date.parse(b.timestamp));

/** Timestamps a second apart, for inputs that make none by themselves. */
export const steadyTimestamps = (fromMs: number, count: number): readonly TaggedTimestamp[] =>
  Array.from({ length: count }, (_, index) => ({
    timestamp: new Date(fromMs + index * SECOND_MS).toISOString(),
    tags: [],
  }));

const LIGHT = ['#1971c2', '#e8590c', '#2f9e44', '#9c36b5', '#c2255c', '#0c8599', '#b08900', '#5c940d'];
const DARK = ['#4dabf7', '#ffa94d', '#69db7c', '#da77f2', '#f783ac', '#3bc9db', '#ffe066', '#a9e34b'];

/** The color of an input by its position in the config. */
export const inputColor = (index: number, isDark: boolean): string => {
  const colors = isDark ? DARK : LIGHT;
  return colors[index % colors.length] ?? '#868e96';
};
