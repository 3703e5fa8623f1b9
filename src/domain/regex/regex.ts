import { Machine, type Meter, SearchTooLarge, type Subject } from './machine.js';
import { parsePattern } from './parser.js';
import { type Program, programOf } from './program.js';
import { type Flags, NO_FLAGS, PatternError } from './syntax.js';

export { type Meter, SearchTooLarge, type Subject } from './machine.js';
export type { Flags } from './syntax.js';
export { NO_FLAGS, PatternError } from './syntax.js';

/** Where a match begins (`match`, `full`), or that it may begin anywhere (`search`). */
export type Mode = 'search' | 'match' | 'full';

/** Begin and end of the match and of each group, in turn: group `g` is at `2 * g` and `2 * g + 1`, -1 where it took no part. */
export type Spans = Int32Array;

/** The text by UTF-16 units, as JavaScript counts. */
export const unitsOf = (text: string): Subject => ({ text, points: null, length: text.length });

/** The text by code points, as Python counts. */
export const pointsOf = (text: string): Subject => {
  if (!/[\uD800-\uDFFF]/.test(text)) return unitsOf(text);
  const points = Uint32Array.from(text, (character) => character.codePointAt(0) ?? 0);
  return { text, points, length: points.length };
};

/** Steps of one search without a meter of its own: about a second. */
const MAX_STEPS = 50_000_000;

class TooManySteps extends Error {}

/**
 * A regular expression in the syntax of Python's `re`, run by an engine of our own: the engine of JavaScript
 * cannot be interrupted, and `(a+)+$` keeps it busy for ever. Here time is linear in the text, unless the
 * pattern has references, look-arounds, conditions or atomic groups (`isLinear`); a meter bounds every search.
 */
export class Regex {
  private readonly program: Program;
  /** Number of groups, without the whole match. */
  readonly groups: number;
  readonly names: ReadonlyMap<string, number>;
  readonly flags: Flags;
  /** True when the last search without a meter was given up: it says nothing about the text. */
  gaveUp = false;

  /** Throws a `PatternError` where the pattern is wrong or too large; `compileRegex` gives it as text. */
  constructor(
    readonly pattern: string,
    given: Flags = NO_FLAGS,
  ) {
    const { root, groups, names, flags } = parsePattern(pattern, given);
    this.groups = groups;
    this.names = names;
    this.flags = flags;
    this.program = programOf(root, groups);
  }

  get isLinear(): boolean {
    return this.program.isLinear;
  }

  /**
   * The match from a position on, or `null`. With `mustTake` an empty match at that position does not count. What the
   * meter throws passes through, and a `SearchTooLarge`.
   */
  run(subject: Subject, from: number, mode: Mode, meter: Meter, mustTake = false): Spans | null {
    const machine = new Machine(this.program, subject, meter);
    const isFound =
      mode === 'search' ? machine.find(from, mustTake) : machine.matchesAt(from, mode === 'full');
    return isFound ? machine.slots.slice(0, 2 * (this.groups + 1)) : null;
  }

  /**
   * The first match in a text from a unit on, or `null`: for hosts without a meter. A search that takes too many
   * steps gives `null` too and sets `gaveUp`.
   */
  search(text: string, from = 0, mode: Mode = 'search'): Spans | null {
    let left = MAX_STEPS;
    this.gaveUp = false;
    try {
      return this.run(unitsOf(text), from, mode, (steps) => {
        left -= steps;
        if (left < 0) throw new TooManySteps();
      });
    } catch (thrown) {
      if (!(thrown instanceof TooManySteps || thrown instanceof SearchTooLarge)) throw thrown;
      this.gaveUp = true;
      return null;
    }
  }
}

/** The regular expression of a pattern, or one sentence why it cannot be used. */
export const compileRegex = (pattern: string, flags: Partial<Flags> = {}): Regex | string => {
  try {
    return new Regex(pattern, { ...NO_FLAGS, ...flags });
  } catch (thrown) {
    if (thrown instanceof PatternError) return thrown.message;
    throw thrown;
  }
};
