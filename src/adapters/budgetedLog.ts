import type { LogLevel } from '../domain/errors.js';
import type { Json } from '../domain/json.js';
import { shortened } from '../domain/shortText.js';
import type { Clock } from '../ports/clock.js';
import type { Log, LogContext } from '../ports/log.js';
import { isAtLeast } from './logLine.js';

/** What a generator may log: so much at once, and so much a second in the long run (about 1,000 short lines). */
const BURST_CHARS = 1024 * 1024;
const CHARS_PER_SECOND = 256 * 1024;
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
const bucket = (monotonicMs: () => number) => {
  let chars = BURST_CHARS;
  let atMs = monotonicMs();
  return (cost: number): boolean => {
    const now = monotonicMs();
    chars = Math.min(BURST_CHARS, chars + ((now - atMs) / 1000) * CHARS_PER_SECOND);
    atMs = now;
    const taken = Math.min(cost, BURST_CHARS);
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
export const budgetedLog = (log: Log, clock: Pick<Clock, 'monotonicMs'>): Log => {
  const chatter = bucket(clock.monotonicMs);
  const trouble = bucket(clock.monotonicMs);
  let leftOut = 0;
  let toldMs = Number.NEGATIVE_INFINITY;

  const tell = (target: Log): void => {
    if (leftOut === 0 || clock.monotonicMs() - toldMs < TELL_EVERY_MS) return;
    toldMs = clock.monotonicMs();
    target.write('warning', 'log lines were left out: the generator logs too much', { count: leftOut });
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
