import { DEFAULT_TEMPLATE_LIMITS, MAX_RENDER_MS, type TemplateLimits } from '../domain/templateLimits.js';
import { Fault } from './values/fault.js';

/**
 * Most digits of an integer that are printed or read, as in Python itself
 * (`sys.get_int_max_str_digits`).
 */
export const INTEGER_TEXT_DIGITS = 4_300;

/** Units of text whose handling counts as one step. */
const TEXT_PER_STEP = 64;

/** Steps between two looks at the clock. */
const STEPS_PER_LOOK = 256;

/** A clock that stands still: without another one, renders have no deadline. */
export const NO_CLOCK = (): number => 0;

/**
 * The render under way. Rendering is synchronous, so there is one at a time in a thread; a render inside
 * a render (a host object that renders) saves it and puts it back. It is one mutable record and no
 * argument of every function because it is looked at for every text that is made.
 */
export const budget = {
  limits: DEFAULT_TEMPLATE_LIMITS,
  /** Steps until the clock is looked at. Outside of a render nothing is counted: the host reads its data and compares them. */
  steps: Number.POSITIVE_INFINITY,
  /** Steps that are left behind those. */
  more: 0,
  depth: 0,
  /** Milliseconds of a clock that never jumps. */
  clock: NO_CLOCK,
  /** When the render must be over; NaN until the clock is looked at for the first time, which most renders never do. */
  deadline: Number.NaN,
  /** The same of everything for one timestamp, or for one call of a formatter. */
  scopeEnd: Number.POSITIVE_INFINITY,
};

/**
 * Renders from here on share a deadline, until `endScope`: all for one timestamp, or in one call of a formatter,
 * may take as long as one render at most.
 */
export const beginScope = (): void => {
  budget.scopeEnd = Number.NaN;
};

export const endScope = (): void => {
  budget.scopeEnd = Number.POSITIVE_INFINITY;
};

/** What a host does that must not count for the deadline: a command that has a limit of its own. */
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

/** Begins a render; what it gives is for `endRender`. A render inside a render has no time of its own. */
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

/** Runs what is to stay within limits as a render does. Throws a `Fault` where it does not. */
export const limited = <A>(limits: TemplateLimits, clock: () => number, run: () => A): A => {
  const outer = beginRender(limits, clock);
  try {
    return run();
  } finally {
    endRender(outer);
  }
};

const over = (name: keyof TemplateLimits, what: string): never => {
  throw new Fault('LimitError', `${what} is over the limit ${name} (${budget.limits[name]})`);
};

/** Looks at the clock, and takes the next steps from those that are left. What ends a render ends it at every later step, too. */
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

/** Takes steps from the budget. */
export const spend = (steps: number): void => {
  budget.steps -= steps;
  if (budget.steps < 0) look();
};

/** The text, if it is not too long. */
export const checkText = (text: string): string => {
  if (text.length > TEXT_PER_STEP) checkLength(text.length);
  return text;
};

/** Fails before a text of that length is made. */
export const checkLength = (length: number): void => {
  checkLonger(length);
  spend(length / TEXT_PER_STEP);
};

/** Shorter texts cost nothing. */
export const LONG_TEXT = 1_024;

/** Takes from the budget what it costs to go through a text. */
export const weigh = (text: string): void => {
  if (text.length > LONG_TEXT) spend(text.length / TEXT_PER_STEP);
};

/** The same of bytes, or of units of text. */
export const weighLength = (length: number): void => {
  if (length > LONG_TEXT) spend(length / TEXT_PER_STEP);
};

/** Ints between these cost nothing. */
const LARGE_INT = 2n ** 1_024n;
const NIBBLES_PER_WORD = 16;
const WORDS_PER_STEP = 64;

/** Takes what it costs to calculate with a large int: the square of its length. */
export const weighInt = (value: bigint): void => {
  if (value < LARGE_INT && value > -LARGE_INT) return;
  const words = value.toString(16).length / NIBBLES_PER_WORD;
  spend((words * words) / WORDS_PER_STEP + 1);
};

/**
 * Takes what it costs to go through the arguments of a call, from all that are long. Everything that a template
 * calls comes by here (`call`, `invoke`, filters in compiled code), so no filter, method or function can forget it.
 * What goes through the elements of a list or a dict pays for each of them (`iterate`, `listOf`).
 */
export const weighAll = (values: readonly unknown[]): void => {
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (typeof value === 'string') {
      if (value.length > LONG_TEXT) spend(value.length / TEXT_PER_STEP);
    } else if (typeof value === 'bigint') weighInt(value);
  }
};

/** The same of one value, which it gives back. */
export const weighed = <A>(value: A): A => {
  if (typeof value === 'string') {
    if (value.length > LONG_TEXT) checkLength(value.length);
  } else if (typeof value === 'bigint') weighInt(value);
  return value;
};

/** Fails before a collection of that size is made. */
export const checkItems = (count: number): void => {
  checkGrown(count);
  spend(count);
};

/** Fails where a collection that grows item by item, each of which costs a step of its own, has grown too large. */
export const checkGrown = (count: number): void => {
  if (count > budget.limits.collection_items) over('collection_items', `a collection of ${count} items`);
};

/** Fails where a text that grows part by part is too long; its length is paid for at the end, by `checkLength`. */
export const checkLonger = (length: number): void => {
  if (length > budget.limits.string_length) over('string_length', `a text of ${length} characters`);
};

/** Fails where an integer of so many bits is too large. */
export const checkBits = (bits: number): void => {
  if (bits > budget.limits.integer_digits * Math.LOG2E * Math.LN10) {
    over('integer_digits', 'an integer');
  }
};

/** One level deeper; `leave` must follow in a `finally`. */
export const enter = (): void => {
  if (++budget.depth > budget.limits.recursion_depth) {
    budget.depth--;
    over('recursion_depth', 'nesting');
  }
};

export const leave = (): void => {
  budget.depth--;
};

/** The rendered text, if its bytes are within the limit. */
export const checkOutput = (text: string): string => {
  if (text.length * 3 > budget.limits.output_bytes && Buffer.byteLength(text) > budget.limits.output_bytes) {
    over('output_bytes', 'the output');
  }
  return text;
};

/** Called at each turn of a loop with what was rendered so far. */
export const turn = (length: number): void => {
  if (--budget.steps < 0) look();
  if (length > budget.limits.output_bytes) over('output_bytes', 'the output');
};
