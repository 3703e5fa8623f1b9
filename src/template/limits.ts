import { DEFAULT_TEMPLATE_LIMITS, type TemplateLimits } from '../domain/templateLimits.js';
import { Fault } from './values/fault.js';

/**
 * Most digits of an integer that are printed or read, as in Python itself
 * (`sys.get_int_max_str_digits`).
 */
export const INTEGER_TEXT_DIGITS = 4_300;

/** Units of text whose handling counts as one step. */
const TEXT_PER_STEP = 64;

/**
 * The render under way. Rendering is synchronous, so there is one at a time in a thread; a render inside
 * a render (a host object that renders) saves it and puts it back. It is one mutable record and no
 * argument of every function because it is looked at for every text that is made.
 */
export const budget = {
  limits: DEFAULT_TEMPLATE_LIMITS,
  /** Outside of a render nothing is counted: the host reads its data and compares them. */
  steps: Number.POSITIVE_INFINITY,
  depth: 0,
};

const over = (name: keyof TemplateLimits, what: string): never => {
  throw new Fault('LimitError', `${what} is over the limit ${name} (${budget.limits[name]})`);
};

/** Takes steps from the budget. */
export const spend = (steps: number): void => {
  budget.steps -= steps;
  if (budget.steps < 0) over('loop_steps', 'the work of this render');
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

/** Takes from the budget what it costs to go through a text. */
export const weigh = (text: string): void => {
  if (text.length > LONG_TEXT) spend(text.length / TEXT_PER_STEP);
};

/** Shorter texts cost nothing. */
const LONG_TEXT = 4_096;

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
  if (--budget.steps < 0) over('loop_steps', 'the work of this render');
  if (length > budget.limits.output_bytes) over('output_bytes', 'the output');
};
