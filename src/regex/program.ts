import {
  type Assertion,
  type CharTest,
  canBeEmpty,
  classTest,
  foldedSet,
  type Node,
  PatternError,
  setTest,
  widthOf,
} from './syntax.js';

/** Instructions, stored with their operands in one array of numbers. */
export const OP = {
  match: 0,
  /** code */
  char: 1,
  /** code, ascii: the text is folded first */
  charFold: 2,
  /** index of a test */
  set: 3,
  /** first target, second target */
  split: 4,
  /** target */
  jump: 5,
  /** slot */
  save: 6,
  /** index of an assertion, ascii */
  assert: 7,
  /** group, folds, ascii */
  reference: 8,
  /** target, is negated, characters to step back */
  look: 9,
  /** target */
  atomic: 10,
  /** group, target without it */
  condition: 11,
  /** a repeated character: index of a test, least, most (-1: no limit), is lazy, target */
  run: 12,
  /** slot: start of an iteration that may be empty */
  mark: 13,
  /** slot, target: ends the loop after an empty iteration */
  again: 14,
} as const;

export const ASSERTIONS: readonly Assertion[] = [
  'start',
  'end',
  'lineStart',
  'lineEnd',
  'boundary',
  'noBoundary',
];

export interface Program {
  readonly code: Int32Array;
  readonly tests: readonly CharTest[];
  /** Slots of groups and loops; the first `2 * (groups + 1)` are begin and end of groups. */
  readonly slots: number;
  /** Number of states visited at most once per position. */
  readonly states: number;
  /** State by pc, or -1. */
  readonly stateOf: Int32Array;
  /** Time is linear in the text: no references, conditions, look-arounds or atomic groups. */
  readonly isLinear: boolean;
  /** Prefix of every match. */
  readonly prefix: string;
}

const MAX_CODE = 400_000;

class Writer {
  readonly code: number[] = [];
  readonly tests: CharTest[] = [];
  readonly states: number[] = [];
  isLinear = true;
  slots: number;

  constructor(groups: number) {
    this.slots = 2 * (groups + 1);
  }

  emit(...words: number[]): number {
    const at = this.code.length;
    if (at > MAX_CODE) throw new PatternError('the pattern is too large', 0);
    this.code.push(...words);
    return at;
  }

  test(test: CharTest): number {
    this.tests.push(test);
    return this.tests.length - 1;
  }

  /** Test of a node that takes one character; else `null`. */
  single(node: Node): CharTest | null {
    switch (node.kind) {
      case 'char': {
        const { code, flags } = node;
        if (!flags.ignoresCase) return (each) => each === code;
        const fold = foldedSet(code, flags.isAscii);
        return (each) => foldedSet(each, flags.isAscii) === fold;
      }
      case 'any':
        return node.flags.dotMatchesAll ? () => true : (each) => each !== 10;
      case 'set': {
        const [only] = node.items;
        if (node.items.length === 1 && !node.isNegated && only?.kind === 'class')
          return classTest(only.code, node.flags.isAscii);
        return setTest(node.items, node.isNegated, node.flags);
      }
      default:
        return null;
    }
  }

  write(node: Node): void {
    switch (node.kind) {
      case 'empty':
        return;
      case 'char':
        if (node.flags.ignoresCase)
          this.emit(OP.charFold, foldedSet(node.code, node.flags.isAscii), Number(node.flags.isAscii));
        else this.emit(OP.char, node.code);
        return;
      case 'any':
      case 'set':
        this.emit(OP.set, this.test(this.single(node) ?? (() => false)));
        return;
      case 'sequence':
        for (const part of node.parts) this.write(part);
        return;
      case 'either':
        this.either(node.branches);
        return;
      case 'repeat':
        this.repeat(node);
        return;
      case 'group':
        this.emit(OP.save, 2 * node.index);
        this.write(node.body);
        this.emit(OP.save, 2 * node.index + 1);
        return;
      default:
        this.special(node);
    }
  }

  private special(node: Node): void {
    switch (node.kind) {
      case 'assert':
        this.emit(
          OP.assert,
          ASSERTIONS.indexOf(node.what),
          Number(node.flags.isAscii) + 2 * Number(node.flags.isMultiline),
        );
        return;
      case 'atomic':
        this.isLinear = false;
        this.inside(this.emit(OP.atomic, 0), 1, node.body);
        return;
      case 'look': {
        this.isLinear = false;
        const back = node.isBehind ? (widthOf(node.body) ?? 0) : 0;
        this.inside(this.emit(OP.look, 0, Number(node.isNegated), back), 1, node.body);
        return;
      }
      case 'reference':
        this.isLinear = false;
        this.emit(OP.reference, node.index, Number(node.flags.ignoresCase), Number(node.flags.isAscii));
        return;
      case 'condition': {
        this.isLinear = false;
        const at = this.emit(OP.condition, node.index, 0);
        this.write(node.then);
        const end = this.emit(OP.jump, 0);
        this.code[at + 2] = this.code.length;
        this.write(node.otherwise);
        this.code[end + 1] = this.code.length;
        return;
      }
      default:
        return;
    }
  }

  /** Writes an atomic body; the operand of the instruction before it is the target. */
  private inside(at: number, operand: number, body: Node): void {
    this.write(body);
    this.emit(OP.match);
    this.code[at + operand] = this.code.length;
  }

  private split(): number {
    const at = this.emit(OP.split, 0, 0);
    this.states.push(at);
    return at;
  }

  private either(branches: readonly Node[]): void {
    const ends: number[] = [];
    for (const [index, branch] of branches.entries()) {
      if (index === branches.length - 1) {
        this.write(branch);
        break;
      }
      const at = this.split();
      this.code[at + 1] = this.code.length;
      this.write(branch);
      ends.push(this.emit(OP.jump, 0));
      this.code[at + 2] = this.code.length;
    }
    for (const end of ends) this.code[end + 1] = this.code.length;
  }

  private repeat(node: Node & { kind: 'repeat' }): void {
    if (node.how === 'possessive') {
      this.isLinear = false;
      this.inside(this.emit(OP.atomic, 0), 1, { ...node, how: 'greedy' });
      return;
    }
    const { body, min, max, how } = node;
    const isLazy = how === 'lazy';
    const test = this.single(body);
    if (test === null || (min === max && min <= 1)) {
      this.writtenOut(body, min, max, isLazy);
      return;
    }
    // The fast form, then the unrolled form for texts where the fast one takes too many steps.
    const most = Number.isFinite(max) ? max : -1;
    const at = this.emit(OP.run, this.test(test), min, most, Number(isLazy), 0);
    this.writtenOut(body, min, max, isLazy);
    this.code[at + 5] = this.code.length;
  }

  private writtenOut(body: Node, min: number, max: number, isLazy: boolean): void {
    for (let i = 0; i < min; i++) this.write(body);
    if (!Number.isFinite(max)) {
      this.endless(body, isLazy);
      return;
    }
    const splits: number[] = [];
    for (let i = min; i < max; i++) {
      const at = this.split();
      splits.push(at);
      this.code[at + (isLazy ? 2 : 1)] = this.code.length;
      this.write(body);
    }
    for (const at of splits) this.code[at + (isLazy ? 1 : 2)] = this.code.length;
  }

  private endless(body: Node, isLazy: boolean): void {
    const at = this.split();
    this.code[at + (isLazy ? 2 : 1)] = this.code.length;
    if (canBeEmpty(body)) {
      const slot = this.slots++;
      this.emit(OP.mark, slot);
      this.write(body);
      this.emit(OP.again, slot, at);
    } else {
      this.write(body);
      this.emit(OP.jump, at);
    }
    this.code[at + (isLazy ? 1 : 2)] = this.code.length;
  }
}

const prefixOf = (node: Node): string => {
  if (node.kind === 'char' && !node.flags.ignoresCase) return String.fromCodePoint(node.code);
  if (node.kind !== 'sequence') return '';
  let text = '';
  for (const part of node.parts) {
    if (part.kind !== 'char' || part.flags.ignoresCase) break;
    text += String.fromCodePoint(part.code);
  }
  return text;
};

/** Compiles a pattern to instructions. Throws `PatternError` if it gets too large. */
export const programOf = (root: Node, groups: number): Program => {
  const writer = new Writer(groups);
  writer.write(root);
  writer.emit(OP.match);
  const stateOf = new Int32Array(writer.code.length).fill(-1);
  for (const [index, at] of writer.states.entries()) stateOf[at] = index;
  return {
    code: Int32Array.from(writer.code),
    tests: writer.tests,
    slots: writer.slots,
    states: writer.states.length,
    stateOf,
    isLinear: writer.isLinear,
    prefix: prefixOf(root),
  };
};
