import type { LogLevel } from '../../domain/errors.js';
import type { Json } from '../../domain/json.js';
import { shortened } from '../../domain/text/shown.js';
import type { Clock } from '../../ports/clock.js';
import type { Log, LogContext } from '../../ports/log.js';
import { isAtLeast } from './streamLog.js';

interface LogBudget {
  readonly burst_chars: number;
  readonly chars_per_second: number;
  /** Subject of the warning. */
  readonly who: string;
}

/** About 1,000 short lines a second. */
const GENERATOR_BUDGET: LogBudget = {
  burst_chars: 1024 * 1024,
  chars_per_second: 256 * 1024,
  who: 'the generator logs',
};

export const THREAD_BUDGET: LogBudget = {
  burst_chars: 8 * GENERATOR_BUDGET.burst_chars,
  chars_per_second: 8 * GENERATOR_BUDGET.chars_per_second,
  who: 'the generators of one thread log',
};

const LINE_CHARS = 200;
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
 * Drops and counts lines over the budget; warnings and worse have one of their own. Threads send lines to the
 * main thread without back-pressure: a script that logs each event would block the API.
 */
export const budgetedLog = (
  log: Log,
  clock: Pick<Clock, 'monotonicMs'>,
  budget: LogBudget = GENERATOR_BUDGET,
): Log => {
  const chatter = bucket(clock.monotonicMs, budget);
  const trouble = bucket(clock.monotonicMs, budget);
  let dropped = 0;
  let reportedMs = Number.NEGATIVE_INFINITY;

  const reportDropped = (target: Log): void => {
    if (dropped === 0 || clock.monotonicMs() - reportedMs < TELL_EVERY_MS) return;
    reportedMs = clock.monotonicMs();
    target.write('warning', `log lines dropped: ${budget.who} too much`, { count: dropped });
    dropped = 0;
  };
  const isAdmitted = (level: LogLevel, chars: number): boolean =>
    (isAtLeast(level, 'warning') ? trouble : chatter)(chars);

  const wrap = (target: Log): Log => ({
    write: (level, text, more = {}) => {
      const message = shortened(text);
      const context = shortContext(more);
      if (!isAdmitted(level, costOf(message, context))) {
        dropped++;
        return;
      }
      reportDropped(log);
      target.write(level, message, context);
    },
    with: (context) => wrap(target.with(context)),
  });
  return wrap(log);
};
