import { DEFAULT_TEMPLATE_LIMITS, MAX_RENDER_MS, type TemplateLimits } from '../domain/generator.js';
import { Fault } from './errors.js';

/** Digits of an integer that print or parse, as in Python (`sys.get_int_max_str_digits`). */
export const INTEGER_TEXT_DIGITS = 4_300;

/** UTF-16 units of text per step. */
const TEXT_PER_STEP = 64;

/** Steps between two clock reads. */
const STEPS_PER_LOOK = 256;

/** A stopped clock: no deadline. */
export const NO_CLOCK = (): number => 0;

/** The current render of the thread. A nested render saves and restores it. Mutable: hot code reads it. */
export const budget = {
  limits: DEFAULT_TEMPLATE_LIMITS,
  /** Steps until the next clock read. Infinite outside a render. */
  steps: Number.POSITIVE_INFINITY,
  /** Steps left after those. */
  more: 0,
  depth: 0,
  clock: NO_CLOCK,
  /** End of the render in clock ms; NaN until the first clock read, which most renders never reach. */
  deadline: Number.NaN,
  /** End of the timestamp's scope, or of one formatter call. */
  scopeEnd: Number.POSITIVE_INFINITY,
};

/** Starts a shared deadline until `endScope`: all renders of a timestamp, or of one formatter call. */
export const beginScope = (): void => {
  budget.scopeEnd = Number.NaN;
};

export const endScope = (): void => {
  budget.scopeEnd = Number.POSITIVE_INFINITY;
};

/** Runs host work that must not count against the deadline, such as a command with its own timeout. */
export const offTheClock = <A>(run: () => A): A => {
  const from = budget.clock();
  try {
    return run();
  } finally {
    const spent = budget.clock() - from;
    budget.deadline += spent;
    budget.scopeEnd += spent;
  }
};

type Budget = typeof budget;

/** Starts a render. Pass the result to `endRender`. A nested render shares the outer deadline. */
export const beginRender = (limits: TemplateLimits, clock: () => number): Budget | null => {
  const outer = budget.steps === Number.POSITIVE_INFINITY ? null : { ...budget };
  budget.limits = limits;
  budget.steps = Math.min(STEPS_PER_LOOK, limits.loop_steps);
  budget.more = limits.loop_steps - budget.steps;
  budget.depth = 0;
  budget.clock = clock;
  if (outer === null) budget.deadline = Number.NaN;
  return outer;
};

export const endRender = (outer: Budget | null): void => {
  if (outer !== null) {
    const { deadline, scopeEnd } = budget;
    Object.assign(budget, outer, { deadline, scopeEnd });
    return;
  }
  budget.limits = DEFAULT_TEMPLATE_LIMITS;
  budget.steps = Number.POSITIVE_INFINITY;
  budget.depth = 0;
};

/** Runs code within the limits of a render. Throws a `Fault` beyond them. */
export const limited = <A>(limits: TemplateLimits, clock: () => number, run: () => A): A => {
  const outer = beginRender(limits, clock);
  try {
    return run();
  } finally {
    endRender(outer);
  }
};

const over = (name: keyof TemplateLimits, what: string): never => {
  throw new Fault('LimitError', `${what} exceeds the limit ${name} (${budget.limits[name]})`);
};

/** Reads the clock and takes the next steps. After a limit is hit, every later step fails too. */
const look = (): void => {
  const { limits, more } = budget;
  const now = budget.clock();
  if (Number.isNaN(budget.scopeEnd)) budget.scopeEnd = now + MAX_RENDER_MS;
  if (Number.isNaN(budget.deadline)) budget.deadline = Math.min(now + limits.render_ms, budget.scopeEnd);
  if (now > budget.deadline) over('render_ms', 'the time of this render');
  if (more + budget.steps < 0) over('loop_steps', 'the work of this render');
  const next = Math.min(STEPS_PER_LOOK, more + budget.steps);
  budget.more = more + budget.steps - next;
  budget.steps = next;
};

export const spend = (steps: number): void => {
  budget.steps -= steps;
  if (budget.steps < 0) look();
};

export const checkText = (text: string): string => {
  if (text.length > TEXT_PER_STEP) checkLength(text.length);
  return text;
};

export const checkLength = (length: number): void => {
  checkLonger(length);
  spend(length / TEXT_PER_STEP);
};

/** Shorter texts cost no steps. */
export const LONG_TEXT = 1_024;

/** Charges steps for reading a text. */
export const charge = (text: string): void => {
  if (text.length > LONG_TEXT) spend(text.length / TEXT_PER_STEP);
};

export const chargeLength = (length: number): void => {
  if (length > LONG_TEXT) spend(length / TEXT_PER_STEP);
};

/** Smaller ints cost no steps. */
const LARGE_INT = 2n ** 1_024n;
const NIBBLES_PER_WORD = 16;
const WORDS_PER_STEP = 64;

/** Charges arithmetic on a large int: the square of its length. */
export const chargeInt = (value: bigint): void => {
  if (value < LARGE_INT && value > -LARGE_INT) return;
  const words = value.toString(16).length / NIBBLES_PER_WORD;
  spend((words * words) / WORDS_PER_STEP + 1);
};

/** Charges the long arguments of a call: all calls of templates pass here. Iteration charges elements. */
export const chargeAll = (values: readonly unknown[]): void => {
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (typeof value === 'string') {
      if (value.length > LONG_TEXT) spend(value.length / TEXT_PER_STEP);
    } else if (typeof value === 'bigint') chargeInt(value);
  }
};

export const charged = <A>(value: A): A => {
  if (typeof value === 'string') {
    if (value.length > LONG_TEXT) checkLength(value.length);
  } else if (typeof value === 'bigint') chargeInt(value);
  return value;
};

export const checkItems = (count: number): void => {
  checkGrown(count);
  spend(count);
};

/** Like `checkItems`, for a collection whose items were charged one by one. */
export const checkGrown = (count: number): void => {
  if (count > budget.limits.collection_items) over('collection_items', `a collection of ${count} items`);
};

/** Like `checkLength` without the charge, for a text that grows. */
export const checkLonger = (length: number): void => {
  if (length > budget.limits.string_length) over('string_length', `a text of ${length} characters`);
};

export const checkBits = (bits: number): void => {
  if (bits > budget.limits.integer_digits * Math.LOG2E * Math.LN10) {
    over('integer_digits', 'an integer');
  }
};

/** Enters a nesting level. Call `leave` in a `finally`. */
export const enter = (): void => {
  if (++budget.depth > budget.limits.recursion_depth) {
    budget.depth--;
    over('recursion_depth', 'nesting');
  }
};

export const leave = (): void => {
  budget.depth--;
};

export const checkOutput = (text: string): string => {
  if (text.length * 3 > budget.limits.output_bytes && Buffer.byteLength(text) > budget.limits.output_bytes) {
    over('output_bytes', 'the output');
  }
  return text;
};

/** Charges one loop iteration. `length`: text rendered so far. */
export const turn = (length: number): void => {
  if (--budget.steps < 0) look();
  if (length > budget.limits.output_bytes) over('output_bytes', 'the output');
};
