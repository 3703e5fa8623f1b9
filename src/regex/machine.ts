import { ASSERTIONS, OP, type Program } from './program.js';
import { classTest, foldedSet } from './syntax.js';

/** A text by UTF-16 units, or by code points if `points` is given. */
export interface RegexSubject {
  readonly text: string;
  readonly points: Uint32Array | null;
  readonly length: number;
}

/** Called with the number of steps, at least every 1,024; a throw ends the search. */
export type Meter = (steps: number) => void;

const STEPS_AT_ONCE = 1_024;
const STEP_MASK = STEPS_AT_ONCE - 1;
/** Steps per character from which on failed positions are memoized. */
const QUICK_STEPS = 16;
/** Most bits of the memo; a text that needs more is searched without it, bounded by the meter. */
const MAX_MEMORY_BITS = 2 ** 28;
/** Stack entries per open alternative: its operands and its kind. */
const WAY_SIZE = 4;
const WAY = {
  /** pc, position */
  branch: 0,
  /** slot, former value */
  slot: 1,
  /** pc, shortest end, end tried last */
  greedyRun: 2,
  /** pc, end tried last, longest end */
  lazyRun: 3,
} as const;

const MAX_STACK = 1_500_000 * WAY_SIZE;

export class SearchTooLarge extends Error {}

/** Runs one program over one text: backtracking, depth first. */
export class RegexMachine {
  readonly slots: Int32Array;
  private readonly stack: number[] = [];
  private failed: Uint32Array | null = null;
  private mayRemember: boolean;
  private steps = 0;
  private told = 0;
  /** Required end of a match; -1: any. */
  private mustEndAt = -1;
  /** Forbidden end of a match, which would be empty; -1: none. */
  private emptyAt = -1;

  constructor(
    private readonly program: Program,
    private readonly subject: RegexSubject,
    private readonly meter: Meter,
  ) {
    this.slots = new Int32Array(program.slots).fill(-1);
    this.mayRemember = program.isLinear;
  }

  /** Tries to match at a position; the slots then hold the groups. */
  matchesAt(at: number, mustEnd: boolean, mustTake = false): boolean {
    this.emptyAt = mustTake ? at : -1;
    this.mustEndAt = mustEnd ? this.subject.length : -1;
    this.slots.fill(-1);
    this.stack.length = 0;
    const end = this.run(0, at);
    if (end < 0) return false;
    this.slots[0] = at;
    this.slots[1] = end;
    return true;
  }

  /** Searches the first match at or after a position. */
  find(from: number, mustTake: boolean): boolean {
    const { prefix } = this.program;
    const { length, points, text } = this.subject;
    for (let at = from; at <= length; at++) {
      if (prefix !== '' && points === null) {
        const next = text.indexOf(prefix, at);
        this.tell((next < 0 ? length - at : next - at) / 64);
        if (next < 0) return false;
        at = next;
      }
      if (this.matchesAt(at, false, mustTake && at === from)) return true;
      this.tell(1);
    }
    return false;
  }

  private tell(steps: number): void {
    this.steps += steps;
    if (this.steps - this.told < STEPS_AT_ONCE) return;
    this.meter(this.steps - this.told);
    this.told = this.steps;
    if (this.mayRemember && this.steps > QUICK_STEPS * this.subject.length + STEPS_AT_ONCE) this.remember();
  }

  private remember(): void {
    this.mayRemember = false;
    const bits = this.program.states * (this.subject.length + 1);
    if (bits > MAX_MEMORY_BITS) return;
    this.meter(bits / 2_048);
    this.failed = new Uint32Array((bits >>> 5) + 1);
  }

  /** Whether the state was tried at this position before; marks it as tried. */
  private wasTried(pc: number, at: number): boolean {
    const { failed } = this;
    if (failed === null) return false;
    const bit = (this.program.stateOf[pc] as number) * (this.subject.length + 1) + at;
    const word = failed[bit >>> 5] as number;
    const mask = 1 << (bit & 31);
    if ((word & mask) !== 0) return true;
    failed[bit >>> 5] = word | mask;
    return false;
  }

  private codeAt(at: number): number {
    const { points, text } = this.subject;
    return points === null ? text.charCodeAt(at) : (points[at] as number);
  }

  private push(first: number, second: number, third: number, kind: number): void {
    this.stack.push(first, second, third, kind);
    if (this.stack.length > MAX_STACK) throw new SearchTooLarge();
  }

  private setSlot(slot: number, at: number): void {
    this.push(slot, this.slots[slot] as number, 0, WAY.slot);
    this.slots[slot] = at;
  }

  /** Runs the program from `start`; returns the end of the match, or -1. */
  private run(start: number, from: number): number {
    const { code, tests } = this.program;
    const { length } = this.subject;
    const base = this.stack.length;
    let pc = start;
    let at = from;
    for (;;) {
      if ((++this.steps & STEP_MASK) === 0) this.tell(0);
      let isGood = true;
      switch (code[pc]) {
        case OP.char:
          isGood = at < length && this.codeAt(at) === code[pc + 1];
          at++;
          pc += 2;
          break;
        case OP.set:
          isGood =
            at < length && (tests[code[pc + 1] as number] as (each: number) => boolean)(this.codeAt(at));
          at++;
          pc += 2;
          break;
        case OP.split:
          isGood = !this.wasTried(pc, at);
          if (isGood) this.push(code[pc + 2] as number, at, 0, WAY.branch);
          pc = code[pc + 1] as number;
          break;
        case OP.jump:
          pc = code[pc + 1] as number;
          break;
        case OP.save:
        case OP.mark:
          this.setSlot(code[pc + 1] as number, at);
          pc += 2;
          break;
        case OP.again:
          pc = this.slots[code[pc + 1] as number] === at ? pc + 3 : (code[pc + 2] as number);
          break;
        case OP.run:
          if (this.failed !== null) pc += 6;
          else {
            at = this.runFrom(pc, at);
            isGood = at >= 0;
            pc = code[pc + 5] as number;
          }
          break;
        case OP.match:
          if (start !== 0 || ((this.mustEndAt < 0 || at === this.mustEndAt) && at !== this.emptyAt))
            return at;
          isGood = false;
          break;
        default:
          at = this.rare(pc, at);
          isGood = at >= 0;
          pc = this.after;
      }
      if (isGood) continue;
      pc = this.nextWay(base);
      if (pc < 0) return -1;
      at = this.position;
    }
  }

  /** The pc after `rare`, or the position after `nextWay`. */
  private after = 0;
  private position = 0;

  /** Backtracks to the last open alternative; -1: none. */
  private nextWay(base: number): number {
    const { stack } = this;
    while (stack.length > base) {
      const kind = stack.pop() as number;
      const third = stack.pop() as number;
      const second = stack.pop() as number;
      const first = stack.pop() as number;
      switch (kind) {
        case WAY.slot:
          this.slots[first] = second;
          break;
        case WAY.branch:
          this.position = second;
          return first;
        case WAY.greedyRun:
          if (third - 1 > second) this.push(first, second, third - 1, WAY.greedyRun);
          this.position = third - 1;
          return this.program.code[first + 5] as number;
        default: {
          const pc = this.longer(first, second, third);
          if (pc >= 0) return pc;
        }
      }
    }
    return -1;
  }

  private testOf(pc: number): (code: number) => boolean {
    return this.program.tests[this.program.code[pc + 1] as number] as (code: number) => boolean;
  }

  /** Extends a lazy run by one character; -1: it cannot. */
  private longer(pc: number, end: number, most: number): number {
    if (!this.testOf(pc)(this.codeAt(end))) return -1;
    if (end + 1 < most) this.push(pc, end + 1, most, WAY.lazyRun);
    this.position = end + 1;
    return this.program.code[pc + 5] as number;
  }

  /** Starts a run of one character; returns its first end, or -1. */
  private runFrom(pc: number, at: number): number {
    const { code } = this.program;
    const test = this.testOf(pc);
    const least = at + (code[pc + 2] as number);
    const max = code[pc + 3] as number;
    const isLazy = code[pc + 4] === 1;
    const { length } = this.subject;
    const most = max < 0 ? length : Math.min(length, at + max);
    const wanted = isLazy ? Math.min(most, least) : most;
    let end = at;
    while (end < wanted && test(this.codeAt(end)))
      if ((++end & STEP_MASK) === 0) this.tell(STEPS_AT_ONCE / 4);
    this.steps += ((end - at) & STEP_MASK) >> 2;
    if (end < least) return -1;
    if (isLazy && end < most) this.push(pc, end, most, WAY.lazyRun);
    else if (!isLazy && end > least) this.push(pc, least, end, WAY.greedyRun);
    return end;
  }

  /** Executes a rare instruction; returns the new position or -1 and sets `after`. */
  private rare(pc: number, at: number): number {
    const { code } = this.program;
    switch (code[pc]) {
      case OP.charFold:
        this.after = pc + 3;
        return at < this.subject.length && foldedSet(this.codeAt(at), code[pc + 2] === 1) === code[pc + 1]
          ? at + 1
          : -1;
      case OP.assert:
        this.after = pc + 3;
        return this.holds(code[pc + 1] as number, code[pc + 2] as number, at) ? at : -1;
      case OP.reference:
        this.after = pc + 4;
        return this.again(pc, at);
      case OP.condition:
        this.after =
          (this.slots[2 * (code[pc + 1] as number) + 1] as number) >= 0 ? pc + 3 : (code[pc + 2] as number);
        return at;
      case OP.atomic:
        return this.alone(pc + 2, at, code[pc + 1] as number);
      default:
        return this.look(pc, at);
    }
  }

  private holds(index: number, flags: number, at: number): boolean {
    const { length } = this.subject;
    const isMultiline = flags >= 2;
    switch (ASSERTIONS[index]) {
      case 'start':
        return at === 0;
      case 'end':
        return at === length;
      case 'lineStart':
        return at === 0 || this.codeAt(at - 1) === 10;
      case 'lineEnd':
        return at === length || (this.codeAt(at) === 10 && (isMultiline || at === length - 1));
      default: {
        const isWord = classTest('w', flags % 2 === 1);
        const isEdge = (at > 0 && isWord(this.codeAt(at - 1))) !== (at < length && isWord(this.codeAt(at)));
        // In Python `\B` never matches an empty text.
        return ASSERTIONS[index] === 'boundary' ? isEdge : !isEdge && length > 0;
      }
    }
  }

  private again(pc: number, at: number): number {
    const { code } = this.program;
    const group = code[pc + 1] as number;
    const folds = code[pc + 2] === 1;
    const isAscii = code[pc + 3] === 1;
    const from = this.slots[2 * group] as number;
    const to = this.slots[2 * group + 1] as number;
    if (to < 0 || at + to - from > this.subject.length) return -1;
    this.tell((to - from) / 4);
    for (let i = 0; i < to - from; i++) {
      const a = this.codeAt(from + i);
      const b = this.codeAt(at + i);
      if (a !== b && !(folds && foldedSet(a, isAscii) === foldedSet(b, isAscii))) return -1;
    }
    return at + to - from;
  }

  /** Matches an atomic part: its other alternatives are dropped. */
  private alone(start: number, at: number, next: number): number {
    const before = this.slots.slice();
    const base = this.stack.length;
    const end = this.run(start, at);
    this.stack.length = Math.min(base, this.stack.length);
    this.after = next;
    if (end < 0) return -1;
    for (let slot = 0; slot < before.length; slot++) {
      const held = before[slot] as number;
      if (this.slots[slot] !== held) this.push(slot, held, 0, WAY.slot);
    }
    return end;
  }

  private look(pc: number, at: number): number {
    const { code } = this.program;
    const next = code[pc + 1] as number;
    const isNegated = code[pc + 2] === 1;
    const from = at - (code[pc + 3] as number);
    const before = isNegated ? this.slots.slice() : null;
    const base = this.stack.length;
    const end = from < 0 ? -1 : this.alone(pc + 4, from, next);
    this.after = next;
    if (before === null) return end < 0 ? -1 : at;
    this.slots.set(before);
    this.stack.length = base;
    return end < 0 ? at : -1;
  }
}
