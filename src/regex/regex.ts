import { type Meter, RegexMachine, type RegexSubject, SearchTooLarge } from './machine.js';
import { parsePattern } from './parser.js';
import { type Program, programOf } from './program.js';
import { type Flags, NO_FLAGS, PatternError } from './syntax.js';

export { type Meter, type RegexSubject, SearchTooLarge } from './machine.js';
export type { Flags } from './syntax.js';
export { NO_FLAGS, PatternError } from './syntax.js';

/** `search`: a match anywhere; `match`: at the position; `full`: up to the end too. */
export type MatchMode = 'search' | 'match' | 'full';

/** Begin and end of the match and of each group: group `g` is at `2 * g` and `2 * g + 1`, -1 if it did not match. */
export type Spans = Int32Array;

/** By UTF-16 units, as in JavaScript. */
const unitsOf = (text: string): RegexSubject => ({ text, points: null, length: text.length });

/** By code points, as in Python. */
export const pointsOf = (text: string): RegexSubject => {
  if (!/[\uD800-\uDFFF]/.test(text)) return unitsOf(text);
  const points = Uint32Array.from(text, (character) => character.codePointAt(0) ?? 0);
  return { text, points, length: points.length };
};

/** Most steps of a search without meter: about a second. */
const MAX_STEPS = 50_000_000;

class TooManySteps extends Error {}

/**
 * A regular expression in the syntax of Python's `re`. JavaScript's engine cannot be interrupted and hangs on `(a+)+$`;
 * here time is linear in the text, unless the pattern has references, look-arounds, conditions or atomic groups
 * (`isLinear`), and a meter bounds every search.
 */
export class Regex {
  private readonly program: Program;
  readonly groups: number;
  readonly names: ReadonlyMap<string, number>;
  readonly flags: Flags;
  /** The last search without meter was given up: its result is unknown. */
  gaveUp = false;

  /** Throws `PatternError`; `compileRegex` returns it as text. */
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

  /** The match from a position on, or `null`. `mustTake`: not an empty one there. Throws as the meter, and `SearchTooLarge`. */
  run(subject: RegexSubject, from: number, mode: MatchMode, meter: Meter, mustTake = false): Spans | null {
    const machine = new RegexMachine(this.program, subject, meter);
    const isFound =
      mode === 'search' ? machine.find(from, mustTake) : machine.matchesAt(from, mode === 'full');
    return isFound ? machine.slots.slice(0, 2 * (this.groups + 1)) : null;
  }

  /** The match from a position on, without meter. A search of too many steps returns `null` and sets `gaveUp`. */
  search(text: string, from = 0, mode: MatchMode = 'search'): Spans | null {
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

/** Compiles a pattern; a text is the reason why it cannot be used. */
export const compileRegex = (pattern: string, flags: Partial<Flags> = {}): Regex | string => {
  try {
    return new Regex(pattern, { ...NO_FLAGS, ...flags });
  } catch (thrown) {
    if (thrown instanceof PatternError) return thrown.message;
    throw thrown;
  }
};
