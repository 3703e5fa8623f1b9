import type { LogLevel } from '../../domain/errors.js';
import type { Json } from '../../domain/json.js';
import { shortened } from '../../domain/shortText.js';
import type { Clock } from '../../ports/clock.js';
import type { Log, LogContext } from '../../ports/log.js';
import { isAtLeast } from './logLine.js';

/** How much may be logged at once, and a second in the long run. */
export interface LogBudget {
  readonly burst_chars: number;
  readonly chars_per_second: number;
  /** Who logs too much, for people. */
  readonly who: string;
}

/** About 1,000 short lines a second. */
export const GENERATOR_BUDGET: LogBudget = {
  burst_chars: 1024 * 1024,
  chars_per_second: 256 * 1024,
  who: 'the generator logs',
};

/** All generators of one thread together. */
export const THREAD_BUDGET: LogBudget = {
  burst_chars: 8 * GENERATOR_BUDGET.burst_chars,
  chars_per_second: 8 * GENERATOR_BUDGET.chars_per_second,
  who: 'the generators of one thread log',
};

/** What a line costs beside its texts. */
const LINE_CHARS = 200;
/** How often is said at most that lines were left out. */
const TELL_EVERY_MS = 1_000;

const shortValue = (value: Json): Json => {
  if (typeof value === 'string') return shortened(value);
  if (typeof value !== 'object' || value === null) return value;
  const text = JSON.stringify(value);
  const short = shortened(text);
  return short === text ? value : short;
};

const shortContext = (context: LogContext): LogContext =>
  Object.fromEntries(Object.entries(context).map(([key, value]) => [key, shortValue(value)]));

const costOf = (message: string, context: LogContext): number => {
  let chars = LINE_CHARS + message.length;
  for (const value of Object.values(context)) if (typeof value === 'string') chars += value.length;
  return chars;
};

/** A bucket of characters that fills up again with time. */
const bucket = (monotonicMs: () => number, { burst_chars, chars_per_second }: LogBudget) => {
  let chars = burst_chars;
  let atMs = monotonicMs();
  return (cost: number): boolean => {
    const now = monotonicMs();
    chars = Math.min(burst_chars, chars + ((now - atMs) / 1000) * chars_per_second);
    atMs = now;
    const taken = Math.min(cost, burst_chars);
    if (taken > chars) return false;
    chars -= taken;
    return true;
  };
};

/**
 * A log that lets a bounded stream of lines through and counts the others. Lines leave a pipeline thread as
 * messages to the main thread, which nothing slows down: a script that logs every event at full speed would
 * otherwise keep the API from answering. Warnings and worse have a budget of their own, so that chatter cannot
 * crowd them out. Long texts are cut.
 */
export const budgetedLog = (
  log: Log,
  clock: Pick<Clock, 'monotonicMs'>,
  budget: LogBudget = GENERATOR_BUDGET,
): Log => {
  const chatter = bucket(clock.monotonicMs, budget);
  const trouble = bucket(clock.monotonicMs, budget);
  let leftOut = 0;
  let toldMs = Number.NEGATIVE_INFINITY;

  const tell = (target: Log): void => {
    if (leftOut === 0 || clock.monotonicMs() - toldMs < TELL_EVERY_MS) return;
    toldMs = clock.monotonicMs();
    target.write('warning', `log lines were left out: ${budget.who} too much`, { count: leftOut });
    leftOut = 0;
  };
  const isAdmitted = (level: LogLevel, chars: number): boolean =>
    (isAtLeast(level, 'warning') ? trouble : chatter)(chars);

  const wrap = (target: Log): Log => ({
    write: (level, text, more = {}) => {
      const message = shortened(text);
      const context = shortContext(more);
      if (!isAdmitted(level, costOf(message, context))) {
        leftOut++;
        return;
      }
      tell(log);
      target.write(level, message, context);
    },
    with: (context) => wrap(target.with(context)),
  });
  return wrap(log);
};
