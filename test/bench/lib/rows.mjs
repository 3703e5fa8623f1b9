/** Rows of a report from the rounds of a pair case, pure. */
import { cpuRatiosOf, median, ratiosOf, spreadOf } from './statistics.mjs';

/** The side of a pair case that is Spate. */
export const OURS = 'spate';

const middle = (rounds, name, of) => {
  const values = rounds.map((round) => of(round[name])).filter((value) => Number.isFinite(value));
  return values.length === 0 ? null : median(values);
};

const figuresOf = (rounds, name) => ({
  events_per_second: middle(rounds, name, ({ events, seconds }) => events / seconds),
  seconds: middle(rounds, name, ({ seconds }) => seconds),
  cpu_seconds: middle(rounds, name, ({ cpu_seconds }) => cpu_seconds),
  peak_mb: middle(rounds, name, ({ peak_mb }) => peak_mb),
});

/** Rows of all yardsticks, or one of events a second where there is none. */
export const rowsOfRounds = (name, rounds, yardsticks, bars) => {
  const spate = figuresOf(rounds, OURS);
  if (yardsticks.length === 0) {
    const rates = rounds.map((round) => round[OURS].events / round[OURS].seconds);
    return [
      { case: name, figure: 'events/s', spread: spreadOf(rates), unit: '', bar: null, isMet: null, spate },
    ];
  }
  return yardsticks.map((yardstick) => {
    const ratio = spreadOf(ratiosOf(rounds, OURS, yardstick));
    const bar = bars[yardstick] ?? null;
    const isMet = bar === null ? null : ratio.median >= bar;
    const cpu_ratio = spreadOf(cpuRatiosOf(rounds, OURS, yardstick));
    const yardstick_used = figuresOf(rounds, yardstick);
    return { case: name, yardstick, ratio, cpu_ratio, bar, isMet, spate, yardstick_used };
  });
};

/** CPU time of a further event in microseconds: what a run and its `short` one differ by, so start-up does not count. */
export const marginOf = ({ events, cpu_seconds, short }) =>
  (1e6 * (cpu_seconds - short.cpu_seconds)) / (events - short.events);

/** Rows of sides with a `short` run: the CPU time of a further event of each, and of yardsticks as a share of it. */
export const marginRows = (rounds, names, bars) =>
  names.flatMap((name) => {
    const times = rounds.map((round) => marginOf(round[name]));
    const row = { figure: `CPU time of a further event: ${name}`, spread: spreadOf(times), unit: 'us' };
    if (name === OURS) return [{ ...row, bar: null, isMet: null }];
    const shares = spreadOf(rounds.map((round) => marginOf(round[name]) / marginOf(round[OURS])));
    const bar = bars[name] ?? null;
    const share = { figure: `${name} against ${OURS}, a further event`, spread: shares, unit: '' };
    const verdict = bar === null ? { bar, isMet: null } : { bar: `>= ${bar}`, isMet: shares.median >= bar };
    return [
      { ...row, bar: null, isMet: null },
      { ...share, ...verdict },
    ];
  });
