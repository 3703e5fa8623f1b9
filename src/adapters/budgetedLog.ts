import type { LogLevel } from '../domain/errors.js';
import type { Clock } from '../ports/clock.js';
import type { Log } from '../ports/log.js';
import { isAtLeast } from './logLine.js';

/** What a generator may log: so much at once, and so much a second in the long run (about 1,000 short lines). */
const BURST_CHARS = 1024 * 1024;
const CHARS_PER_SECOND = 256 * 1024;
/** What a line costs beside its message: its context and its way. */
const LINE_CHARS = 200;
/** How often is said at most that lines were left out. */
const TELL_EVERY_MS = 1_000;

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
 * crowd them out.
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
  const isAdmitted = (level: LogLevel, message: string): boolean =>
    (isAtLeast(level, 'warning') ? trouble : chatter)(LINE_CHARS + message.length);

  const wrap = (target: Log): Log => ({
    write: (level, message, context) => {
      if (!isAdmitted(level, message)) {
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
