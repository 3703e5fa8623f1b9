/** Seconds of history behind each rate. */
export const HISTORY = 300;

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
  /** Nobody has looked since the last look: the next one tells the average of the time between. */
  wasAway: boolean;
}

export const noRates = (): Rates => ({
  rates: [],
  before: null,
  lastAt: null,
  lastMs: 0,
  count: 0,
  wasAway: false,
});

/** Appends a second. False: nothing shows it, all are zero. */
const append = (of: Rates, rate: number): boolean => {
  if (rate === 0 && of.rates.every((one) => one === 0)) return false;
  of.rates.push(rate);
  of.count++;
  if (of.rates.length > HISTORY) of.rates.shift();
  return true;
};

/** Notes the produced events of a look at `at`; both times in milliseconds. */
export const noteProduced = (of: Rates, produced: number, at: number, nowMs: number): void => {
  const seconds = of.lastAt === null ? 1 : Math.max(LEAST_SECONDS, (at - of.lastAt) / SECOND_MS);
  // A restart begins at zero.
  const made = of.before === null || produced < of.before ? 0 : produced - of.before;
  const looks = of.wasAway ? Math.min(HISTORY, Math.max(1, Math.round(seconds))) : 1;
  Object.assign(of, { before: produced, lastAt: at, lastMs: nowMs, wasAway: false });
  for (let n = 0; n < looks; n++) append(of, made / seconds);
};

/** Notes the seconds without news: the service says nothing of a generator whose counters stay. True: the rates changed. */
export const noteQuiet = (of: Rates, nowMs: number): boolean => {
  if (of.lastAt === null || of.wasAway) return false;
  const seconds = Math.max(0, Math.ceil((nowMs - of.lastMs - QUIET_MS) / SECOND_MS));
  of.lastAt += seconds * SECOND_MS;
  of.lastMs += seconds * SECOND_MS;
  let isChanged = false;
  for (let n = 0; n < Math.min(seconds, HISTORY); n++) isChanged = append(of, 0) || isChanged;
  return isChanged;
};
