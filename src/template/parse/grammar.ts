import type { Value } from '../values/value.js';
import type { Expression } from './ast.js';

export interface Expressions {
  readonly expression: () => Expression;
  /** Without `a if b else c` at the top level. */
  readonly withoutConditional: () => Expression;
  readonly primary: () => Expression;
  /** An expression, or a tuple without parentheses, up to a word of `ends`. */
  readonly tuple: (options?: {
    readonly part?: () => Expression;
    readonly ends?: string;
    readonly mayBeEmpty?: boolean;
  }) => Expression;
  /** Filters from `| name`; `isInline`: the first has no `|`. */
  readonly filters: (target: Expression | null, isInline: boolean) => Expression | null;
}

export const COMPARE: readonly string[] = ['==', '!=', '<', '<=', '>', '>='];
export const CONSTANTS: Readonly<Record<string, Value>> = {
  true: true,
  True: true,
  false: false,
  False: false,
  none: null,
  None: null,
};
