import { deflateRawSync, inflateRawSync } from 'node:zlib';
import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result, reasonOf } from '../domain/errors.js';
import { type GeneratorPhase, noSuchGenerator } from '../domain/generator.js';
import { isJsonObject, parsedJson } from '../domain/json.js';
import { generatorIdOf } from '../domain/partitions.js';
import type { GeneratorRow } from '../domain/stats/board.js';
import {
  busiest,
  LEVELS,
  makeSeries,
  mergedById,
  type NamedPart,
  type Series,
  type SeriesPart,
} from '../domain/stats/series.js';
import { makeSpans } from '../domain/stats/seriesSpans.js';
import { sealed, unsealed } from '../domain/text/crc32.js';
import { MICROS_PER_MS } from '../domain/time/micros.js';
import type { BusiestQuery, SeriesQuery } from '../messages/observe.js';
import type { Clock } from '../ports/clock.js';
import type { Files } from '../ports/files.js';
import type { Log } from '../ports/log.js';

const VERSION = 2;
/** Of about 5,000 generators that have run for days. */
const MAX_FILE_BYTES = 256 * 1024 * 1024;
/** A dump that inflates to more is damaged. */
const MAX_DUMP_BYTES = 262_144;
/** Series of generators that are no longer registered: a change of the startup list may bring them back. */
const MAX_GONE = 64;
/** Steps of an answer. */
const MAX_STEPS = 4_320;
const [, , COARSEST] = LEVELS;
/** Maximum milliseconds before the event loop gets a turn. */
const TURN_MS = 5;
/** Under this key the file has the sum of all generators, which is no id. */
const SUM = '';

interface SeriesOptions {
  readonly clock: Clock;
  /** Only the owner can read its files. */
  readonly files: Pick<Files, 'readText' | 'replaceText' | 'makeDirectory'>;
  /** Folder of the state. */
  readonly folder: string;
  readonly log: Log;
}

export interface SeriesStore {
  /** Looks at the counters of a generator or partition; a null row says that it is no longer registered. */
  readonly note: (id: string, row: GeneratorRow | null) => void;
  /** Returns the errors `not_found` and `invalid`. */
  readonly read: (query: SeriesQuery) => Result<SeriesPart>;
  /** Partitions are one generator. Returns the error `invalid`. */
  readonly busiest: (query: BusiestQuery) => Result<readonly NamedPart[]>;
  /** Events per second of each generator that made any in so many last seconds, oldest first. Null is a gap. */
  readonly past: (seconds: number) => ReadonlyMap<string, readonly (number | null)[]>;
  /** Takes what the last process saved. Never rejects: what cannot be read is a warning. */
  readonly restore: () => Promise<void>;
  /** Writes all series to the state folder. Never rejects: a failure is a warning. */
  readonly save: () => Promise<void>;
}

/** Phases in which a generator makes events; all others are gaps. */
const MAKING: ReadonlySet<GeneratorPhase> = new Set(['running', 'draining']);

interface Noted {
  readonly series: Series;
  readonly spanOf: ReturnType<typeof makeSpans>;
  /** What was made until the end of a run counts, too. */
  isMaking: boolean;
}

const wrongQuery = (name: string, type: string, message: string): Result<never> =>
  E.left(failure('invalid', `${name} ${message}`, { issues: [{ path: ['query', name], type, message }] }));

interface TimeWindow {
  readonly from_ms: number;
  readonly to_ms: number;
  readonly step_ms: number;
}

/** Resolves the parts of a query that are left open, and cuts it to what series can know: that may be nothing. */
const windowOf = (
  { from_ms, to_ms, last_s, step_s }: Omit<SeriesQuery, 'id'>,
  now_ms: number,
): Result<TimeWindow> => {
  if (from_ms !== null && to_ms !== null && from_ms >= to_ms)
    return wrongQuery('from', 'out_of_range', 'must be before `to`');
  const to = Math.min(to_ms ?? now_ms, now_ms);
  const oldest = now_ms - COARSEST.keep_ms;
  const from = Math.min(to, Math.max(from_ms ?? to - last_s * 1_000, oldest));
  const reaching = LEVELS.find(({ keep_ms }) => now_ms - keep_ms <= from) ?? COARSEST;
  const step_ms = step_s === null ? reaching.step_ms : step_s * 1_000;
  const steps = Math.ceil((to - from) / step_ms);
  if (steps <= MAX_STEPS) return E.right({ from_ms: from, to_ms: to, step_ms });
  const [asked, most] = [steps, MAX_STEPS].map((count) => count.toLocaleString('en-US'));
  return wrongQuery(
    'step',
    'too_small',
    `makes ${asked} steps, and an answer has at most ${most}: make it larger, or the time shorter`,
  );
};

const packed = (words: Uint32Array): string =>
  deflateRawSync(Buffer.from(words.buffer, words.byteOffset, words.byteLength), { level: 1 }).toString(
    'base64',
  );

const unpacked = (text: unknown): Uint32Array | null => {
  if (typeof text !== 'string') return null;
  try {
    const bytes = inflateRawSync(Buffer.from(text, 'base64'), { maxOutputLength: MAX_DUMP_BYTES });
    return bytes.length % 4 === 0 ? new Uint32Array(new Uint8Array(bytes).buffer) : null;
  } catch {
    return null;
  }
};

/** The series of a saved file by id; a text says why there are none. */
const savedIn = (text: string): ReadonlyMap<string, Series> | string => {
  const object = unsealed(text.trimEnd());
  // Without its checksum a file is cut off or edited.
  const value = object === null || object.length === text.trimEnd().length ? null : parsedJson(object);
  if (!isJsonObject(value)) return 'it is damaged';
  if (value['version'] !== VERSION) return 'another version of Spate wrote it';
  if (!isJsonObject(value['series'])) return 'it is damaged';
  const saved = new Map<string, Series>();
  for (const [id, one] of Object.entries(value['series'])) {
    const dump = unpacked(one);
    const series = makeSeries();
    if (dump === null || !series.restore(dump)) return 'it is damaged';
    saved.set(id, series);
  }
  return saved;
};

/** Keeps what generators made over time, and their sum, across restarts of the service. */
export const seriesStore = ({ clock, files, folder, log }: SeriesOptions): SeriesStore => {
  const file = `${folder}/series.json`;
  const registered = new Set<string>();
  /** By id, from the first run on. */
  const noted = new Map<string, Noted>();
  /** Those of `noted` that are not registered, the longest gone first. */
  const gone = new Set<string>();
  let sum = makeSeries();
  const empty = makeSeries();
  const nowMs = (): number => Math.floor(clock.now() / MICROS_PER_MS);

  const begin = (id: string, series: Series): Noted => {
    const fresh: Noted = { series, spanOf: makeSpans(), isMaking: false };
    noted.set(id, fresh);
    return fresh;
  };

  const note: SeriesStore['note'] = (id, row) => {
    if (row === null) {
      registered.delete(id);
      if (noted.has(id)) gone.add(id);
      for (const oldest of gone) {
        if (gone.size <= MAX_GONE) break;
        gone.delete(oldest);
        noted.delete(oldest);
      }
      return;
    }
    registered.add(id);
    gone.delete(id);
    const isMaking = MAKING.has(row.phase);
    if (!isMaking && noted.get(id)?.isMaking !== true) return;
    const entry = noted.get(id) ?? begin(id, makeSeries());
    entry.isMaking = isMaking;
    if (row.stats === null || row.startedAt === null) return;
    const span = entry.spanOf({
      at_ms: nowMs(),
      monotonic_ms: clock.monotonicMs(),
      run_ms: Math.floor(row.startedAt / MICROS_PER_MS),
      stats: row.stats,
    });
    if (span === null) return;
    entry.series.add(span);
    sum.add(span);
  };

  const read: SeriesStore['read'] = (query) => {
    const { id } = query;
    if (id !== null && !registered.has(id)) return E.left(noSuchGenerator(id));
    const series = id === null ? sum : (noted.get(id)?.series ?? empty);
    return E.map(({ from_ms, to_ms, step_ms }: TimeWindow) => series.read(from_ms, to_ms, step_ms))(
      windowOf(query, nowMs()),
    );
  };

  /** Parts of all that are registered and that `isWanted` takes, partitions with the id of their generator. */
  const partsIn = (
    { from_ms, to_ms, step_ms }: TimeWindow,
    isWanted: (id: string) => boolean,
  ): readonly NamedPart[] =>
    [...noted]
      .filter(([id]) => !gone.has(id) && isWanted(generatorIdOf(id)))
      .map(([id, { series }]) => ({ id: generatorIdOf(id), part: series.read(from_ms, to_ms, step_ms) }));

  const readBusiest: SeriesStore['busiest'] = (query) =>
    E.map((window: TimeWindow) => {
      // Minutes tell who made most, and cost little where there are thousands of generators.
      const rough = busiest(
        partsIn({ ...window, step_ms: COARSEST.step_ms }, () => true),
        query.count,
      );
      const chosen = new Set(rough.map(({ id }) => id));
      return busiest(
        partsIn(window, (id) => chosen.has(id)),
        query.count,
      );
    })(windowOf(query, nowMs()));

  const past: SeriesStore['past'] = (seconds) => {
    const to_ms = nowMs();
    const window: TimeWindow = { from_ms: to_ms - seconds * 1_000, to_ms, step_ms: 1_000 };
    const making = partsIn(window, () => true).filter(({ part }) =>
      part.produced.some((events) => events > 0),
    );
    return new Map(mergedById(making).map(({ id, part }) => [id, ratesOf(part)]));
  };

  const restore = async (): Promise<void> => {
    const refuse = (reason: string): void =>
      log.write('warning', 'the saved series are not used: charts begin anew', { file, reason });
    const text = await files.readText(file, MAX_FILE_BYTES);
    if (E.isLeft(text)) {
      if (text.left.code !== 'not_found') refuse(text.left.message);
      return;
    }
    const saved = savedIn(text.right);
    if (typeof saved === 'string') return refuse(saved);
    for (const [id, series] of saved) {
      if (id === SUM) sum = series;
      else {
        begin(id, series);
        gone.add(id);
      }
    }
  };

  const write = async (): Promise<void> => {
    const now = nowMs();
    const series = new Map<string, string>();
    let turnEndsAt = clock.monotonicMs() + TURN_MS;
    for (const [id, one] of [
      [SUM, sum] as const,
      ...[...noted].map(([id, { series: own }]) => [id, own] as const),
    ]) {
      const dump = one.dump(now);
      if (dump.length > 0) series.set(id, packed(dump));
      if (clock.monotonicMs() < turnEndsAt) continue;
      await clock.yieldTurn();
      turnEndsAt = clock.monotonicMs() + TURN_MS;
    }
    if (series.size === 0) return;
    const made = await files.makeDirectory(folder);
    const text = sealed(JSON.stringify({ version: VERSION, series: Object.fromEntries(series) }));
    const written = E.isLeft(made) ? made : await files.replaceText(file, `${text}\n`);
    if (E.isLeft(written)) throw new Error(written.left.message);
  };

  return {
    note,
    read,
    busiest: readBusiest,
    past,
    restore,
    save: () =>
      write().catch((thrown: unknown) =>
        log.write('warning', 'series cannot be saved: charts begin anew after the restart', {
          file,
          reason: reasonOf(thrown),
        }),
      ),
  };
};

/** Less of a second than this says little about its rate. */
const LEAST_KNOWN_MS = 200;

/** Events per second; the second that is not over is left out while little of it is known. */
const ratesOf = ({ covered_ms, produced }: SeriesPart): readonly (number | null)[] => {
  const rates = covered_ms.map((known, i) =>
    known === 0 ? null : Math.round(((produced[i] as number) * 1_000) / Math.max(known, LEAST_KNOWN_MS)),
  );
  return (covered_ms.at(-1) ?? 0) < LEAST_KNOWN_MS ? rates.slice(0, -1) : rates;
};
