import type { SetItem } from './sets.js';

/** A pattern as a tree. Flags are resolved: each node knows whether it ignores case. */
export type Node =
  | { readonly kind: 'empty' }
  | { readonly kind: 'char'; readonly code: number; readonly flags: Flags }
  | { readonly kind: 'any'; readonly flags: Flags }
  | {
      readonly kind: 'set';
      readonly items: readonly SetItem[];
      readonly isNegated: boolean;
      readonly flags: Flags;
    }
  | { readonly kind: 'sequence'; readonly parts: readonly Node[] }
  | { readonly kind: 'either'; readonly branches: readonly Node[] }
  | {
      readonly kind: 'repeat';
      readonly body: Node;
      readonly min: number;
      readonly max: number;
      readonly how: 'greedy' | 'lazy' | 'possessive';
    }
  | { readonly kind: 'group'; readonly body: Node; readonly index: number }
  | { readonly kind: 'atomic'; readonly body: Node }
  | {
      readonly kind: 'look';
      readonly body: Node;
      readonly isBehind: boolean;
      readonly isNegated: boolean;
    }
  | { readonly kind: 'assert'; readonly what: Assertion; readonly flags: Flags }
  | { readonly kind: 'reference'; readonly index: number; readonly flags: Flags }
  | { readonly kind: 'condition'; readonly index: number; readonly then: Node; readonly otherwise: Node };

/** `start` and `end` of the text; `lineStart` and `lineEnd`: `^` and `$`. */
export type Assertion = 'start' | 'end' | 'lineStart' | 'lineEnd' | 'boundary' | 'noBoundary';

export interface Flags {
  readonly ignoresCase: boolean;
  readonly isMultiline: boolean;
  readonly dotMatchesAll: boolean;
  readonly isVerbose: boolean;
  readonly isAscii: boolean;
}

export const NO_FLAGS: Flags = {
  ignoresCase: false,
  isMultiline: false,
  dotMatchesAll: false,
  isVerbose: false,
  isAscii: false,
};

/** Worded as in Python's `re`. */
export class PatternError extends Error {
  constructor(
    message: string,
    readonly position: number,
  ) {
    super(`${message} at position ${position}`);
  }
}

export const EMPTY: Node = { kind: 'empty' };

export const sequenceOf = (parts: readonly Node[]): Node =>
  parts.length === 1 ? (parts[0] ?? EMPTY) : parts.length === 0 ? EMPTY : { kind: 'sequence', parts };

/** Returns the fixed width of a node, or null when it is variable or unknown. */
export const widthOf = (node: Node): number | null => {
  switch (node.kind) {
    case 'empty':
    case 'assert':
    case 'look':
      return 0;
    case 'char':
    case 'any':
    case 'set':
      return 1;
    case 'sequence':
      return node.parts.reduce<number | null>((sum, part) => {
        const width = widthOf(part);
        return sum === null || width === null ? null : sum + width;
      }, 0);
    case 'either': {
      const widths = node.branches.map(widthOf);
      const [first = null] = widths;
      return widths.every((width) => width === first) ? first : null;
    }
    case 'repeat': {
      const width = widthOf(node.body);
      return width !== null && node.min === node.max ? width * node.min : null;
    }
    case 'group':
    case 'atomic':
      return widthOf(node.body);
    case 'condition': {
      const width = widthOf(node.then);
      return width === widthOf(node.otherwise) ? width : null;
    }
    case 'reference':
      return null;
  }
};

export const canBeEmpty = (node: Node): boolean => {
  switch (node.kind) {
    case 'char':
    case 'any':
    case 'set':
      return false;
    case 'sequence':
      return node.parts.every(canBeEmpty);
    case 'either':
      return node.branches.some(canBeEmpty);
    case 'repeat':
      return node.min === 0 || canBeEmpty(node.body);
    case 'group':
    case 'atomic':
      return canBeEmpty(node.body);
    default:
      return true;
  }
};
