import type { AnswerOf } from './routes.js';

/** Seconds of history behind each rate; the service tells them when a stream opens. */
export const HISTORY = 60;

/** Shorter spans between two looks make rates of chance. */
const LEAST_SECONDS = 0.5;
const SECOND_MS = 1_000;
/** A generator that is not heard of for this long made nothing in the last second. */
const QUIET_MS = 1_500;

/** Events per second of one generator. In a cluster each comes from its own node, with its own clock. */
export interface Rates {
  /** At each of the last seconds, oldest first. */
  rates: number[];
  /** Produced events at the last look; `null` before the first. */
  before: number | null;
  /** Time of the last look, by the clock of the service. */
  lastAt: number | null;
  /** Time of the last second, by the clock of the browser. */
  lastMs: number;
  /** Seconds appended so far. */
  count: number;
}

export const noRates = (): Rates => ({
  rates: [],
  before: null,
  lastAt: null,
  lastMs: 0,
  count: 0,
});

/** Appends a second. False: nothing shows it, all are zero. */
const append = (of: Rates, rate: number): boolean => {
  if (rate === 0 && of.rates.every((one) => one === 0)) return false;
  of.rates.push(rate);
  of.count++;
  if (of.rates.length > HISTORY) of.rates.shift();
  return true;
};

/** Rates of the last seconds as the service knows them. The next look goes on from there. */
export const ratesSince = (past: readonly (number | null)[]): Rates => {
  const rates = past.map((rate) => rate ?? 0).slice(-HISTORY);
  return { ...noRates(), rates, count: rates.length };
};

/** Notes the produced events of a look at `at`; both times in milliseconds. */
export const noteProduced = (of: Rates, produced: number, at: number, nowMs: number): void => {
  const { before, lastAt } = of;
  Object.assign(of, { before: produced, lastAt: at, lastMs: nowMs });
  if (before === null || lastAt === null) return;
  const seconds = Math.max(LEAST_SECONDS, (at - lastAt) / SECOND_MS);
  // A restart begins at zero.
  append(of, produced < before ? 0 : (produced - before) / seconds);
};

/** Notes the seconds without news: the service says nothing of a generator whose counters stay. True: the rates changed. */
export const noteQuiet = (of: Rates, nowMs: number): boolean => {
  if (of.lastAt === null) return false;
  const seconds = Math.max(0, Math.ceil((nowMs - of.lastMs - QUIET_MS) / SECOND_MS));
  of.lastAt += seconds * SECOND_MS;
  of.lastMs += seconds * SECOND_MS;
  let isChanged = false;
  for (let n = 0; n < Math.min(seconds, HISTORY); n++) isChanged = append(of, 0) || isChanged;
  return isChanged;
};

/** Less than this of the last step says little about its rate. */
const LEAST_KNOWN_SECONDS = 0.2;

/** Events per second of each step, oldest first; null is a gap. */
export const stepRates = ({
  seconds,
  produced,
}: Pick<AnswerOf<'readSeries'>, 'seconds' | 'produced'>): readonly (number | null)[] => {
  const rates = seconds.map((known, i): number | null => {
    const events = produced[i] ?? null;
    if (events === null) return null;
    // A run of an instant is no flood: its events are those of a second. The last second is not over yet.
    return events / (i === seconds.length - 1 ? known : Math.max(1, known));
  });
  return (seconds.at(-1) ?? 0) < LEAST_KNOWN_SECONDS ? rates.slice(0, -1) : rates;
};
