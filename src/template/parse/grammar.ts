import type { Value } from '../values/value.js';
import type { Expression } from './ast.js';

/** Rules of expressions that statements need. */
export interface Expressions {
  readonly expression: () => Expression;
  /** Without `a if b else c` at the top. */
  readonly withoutConditional: () => Expression;
  readonly primary: () => Expression;
  /** One expression, or a tuple without parentheses. `ends` names the words that end it. */
  readonly tuple: (options?: {
    readonly part?: () => Expression;
    readonly ends?: string;
    readonly mayBeEmpty?: boolean;
  }) => Expression;
  /** Filters from `| name` on; `isInline`: the first stands without its bar. */
  readonly filters: (target: Expression | null, isInline: boolean) => Expression | null;
}

/** Operators of comparisons that are tokens. */
export const COMPARE: readonly string[] = ['==', '!=', '<', '<=', '>', '>='];
/** Names that are literals, with their values. */
export const CONSTANTS: Readonly<Record<string, Value>> = {
  true: true,
  True: true,
  false: false,
  False: false,
  none: null,
  None: null,
};
