import type { Value } from '../values/value.js';

export interface Arguments {
  readonly args: readonly Expression[];
  readonly kwargs: readonly { readonly key: string; readonly value: Expression }[];
  readonly starArgs: Expression | null;
  readonly starKwargs: Expression | null;
}

export type BinaryOperator = '+' | '-' | '*' | '/' | '//' | '%' | '**';
export type CompareOperator = '==' | '!=' | '<' | '<=' | '>' | '>=' | 'in' | 'not in';

/** Each node has the offset of its main token, for error messages. */
interface At {
  readonly at: number;
}

export interface NameNode extends At {
  readonly kind: 'name';
  readonly name: string;
}

export type Expression =
  | (At & { readonly kind: 'constant'; readonly value: Value })
  | NameNode
  | (At & { readonly kind: 'tuple' | 'list'; readonly items: readonly Expression[] })
  | (At & { readonly kind: 'dict'; readonly pairs: readonly (readonly [Expression, Expression])[] })
  | (At & { readonly kind: 'attribute'; readonly target: Expression; readonly name: string })
  | (At & { readonly kind: 'item'; readonly target: Expression; readonly key: Expression })
  | (At & {
      readonly kind: 'slice';
      readonly start: Expression | null;
      readonly stop: Expression | null;
      readonly step: Expression | null;
    })
  | (At & { readonly kind: 'call'; readonly target: Expression } & Arguments)
  | (At & { readonly kind: 'filter'; readonly target: Expression | null; readonly name: string } & Arguments)
  | (At & { readonly kind: 'test'; readonly target: Expression; readonly name: string } & Arguments)
  | (At & {
      readonly kind: 'binary';
      readonly operator: BinaryOperator;
      readonly left: Expression;
      readonly right: Expression;
    })
  | (At & { readonly kind: 'unary'; readonly operator: '+' | '-' | 'not'; readonly operand: Expression })
  | (At & { readonly kind: 'and' | 'or'; readonly left: Expression; readonly right: Expression })
  | (At & { readonly kind: 'concat'; readonly parts: readonly Expression[] })
  | (At & {
      readonly kind: 'compare';
      readonly first: Expression;
      readonly rest: readonly {
        readonly operator: CompareOperator;
        readonly operand: Expression;
        readonly at: number;
      }[];
    })
  | (At & {
      readonly kind: 'conditional';
      readonly condition: Expression;
      readonly whenTrue: Expression;
      readonly whenFalse: Expression | null;
    });

export type Target =
  | NameNode
  | (At & { readonly kind: 'targets'; readonly items: readonly Target[] })
  | (At & { readonly kind: 'member'; readonly name: string; readonly attribute: string });

export interface Parameters {
  readonly params: readonly NameNode[];
  /** Defaults of the last parameters. */
  readonly defaults: readonly Expression[];
}

export type Body = readonly Statement[];

export type Statement =
  | (At & { readonly kind: 'text'; readonly text: string })
  | (At & { readonly kind: 'output'; readonly value: Expression })
  | (At & { readonly kind: 'do'; readonly value: Expression })
  | (At & {
      readonly kind: 'if';
      readonly condition: Expression;
      readonly then: Body;
      readonly otherwise: Body;
    })
  | (At & {
      readonly kind: 'for';
      readonly target: Target;
      readonly iterable: Expression;
      readonly condition: Expression | null;
      readonly isRecursive: boolean;
      readonly body: Body;
      readonly otherwise: Body | null;
    })
  | (At & { readonly kind: 'break' | 'continue' })
  | (At & { readonly kind: 'set'; readonly target: Target; readonly value: Expression })
  | (At & {
      readonly kind: 'setBlock';
      readonly target: Target;
      readonly filter: Expression | null;
      readonly body: Body;
    })
  | (At & {
      readonly kind: 'with';
      readonly targets: readonly Target[];
      readonly values: readonly Expression[];
      readonly body: Body;
    })
  | (At & { readonly kind: 'macro'; readonly name: string; readonly body: Body } & Parameters)
  | (At & { readonly kind: 'callBlock'; readonly call: Expression; readonly body: Body } & Parameters)
  | (At & { readonly kind: 'filterBlock'; readonly filter: Expression; readonly body: Body })
  | (At & {
      readonly kind: 'block';
      readonly name: string;
      readonly isScoped: boolean;
      readonly isRequired: boolean;
      readonly body: Body;
    })
  | (At & { readonly kind: 'extends'; readonly template: Expression })
  | (At & {
      readonly kind: 'include';
      readonly template: Expression;
      readonly ignoresMissing: boolean;
      readonly withContext: boolean;
    })
  | (At & {
      readonly kind: 'import';
      readonly template: Expression;
      readonly name: string;
      readonly withContext: boolean;
    })
  | (At & {
      readonly kind: 'fromImport';
      readonly template: Expression;
      readonly names: readonly { readonly name: string; readonly alias: string }[];
      readonly withContext: boolean;
    })
  | (At & { readonly kind: 'scope'; readonly body: Body });

export const childrenOf = (node: Expression): readonly Expression[] => {
  switch (node.kind) {
    case 'constant':
    case 'name':
      return [];
    case 'tuple':
    case 'list':
      return node.items;
    case 'dict':
      return node.pairs.flat();
    case 'attribute':
      return [node.target];
    case 'item':
      return [node.target, node.key];
    case 'slice':
      return [node.start, node.stop, node.step].filter((each) => each !== null);
    case 'call':
    case 'filter':
    case 'test':
      return [
        ...(node.target === null ? [] : [node.target]),
        ...node.args,
        ...node.kwargs.map(({ value }) => value),
        ...(node.starArgs === null ? [] : [node.starArgs]),
        ...(node.starKwargs === null ? [] : [node.starKwargs]),
      ];
    case 'binary':
    case 'and':
    case 'or':
      return [node.left, node.right];
    case 'unary':
      return [node.operand];
    case 'concat':
      return node.parts;
    case 'compare':
      return [node.first, ...node.rest.map(({ operand }) => operand)];
    case 'conditional':
      return [node.whenTrue, node.condition, ...(node.whenFalse === null ? [] : [node.whenFalse])];
  }
};

/** Direct child expressions, in order of evaluation. */
export const expressionsOf = (node: Statement): readonly Expression[] => {
  switch (node.kind) {
    case 'output':
    case 'do':
    case 'set':
      return [node.value];
    case 'if':
      return [node.condition];
    case 'for':
      return [node.iterable, ...(node.condition === null ? [] : [node.condition])];
    case 'setBlock':
      return node.filter === null ? [] : [node.filter];
    case 'with':
      return node.values;
    case 'macro':
      return node.defaults;
    case 'callBlock':
      return [node.call, ...node.defaults];
    case 'filterBlock':
      return [node.filter];
    case 'extends':
    case 'include':
    case 'import':
    case 'fromImport':
      return [node.template];
    default:
      return [];
  }
};

const bodiesOf = (node: Statement): readonly Body[] => {
  switch (node.kind) {
    case 'if':
      return [node.then, node.otherwise];
    case 'for':
      return node.otherwise === null ? [node.body] : [node.body, node.otherwise];
    case 'setBlock':
    case 'with':
    case 'macro':
    case 'callBlock':
    case 'filterBlock':
    case 'block':
    case 'scope':
      return [node.body];
    default:
      return [];
  }
};

const namesIn = (node: Expression, name: string): boolean =>
  (node.kind === 'name' && node.name === name) || childrenOf(node).some((child) => namesIn(child, name));

/** True if a body or its nested bodies and macros read the name. */
export const readsName = (body: Body, name: string): boolean =>
  body.some(
    (node) =>
      expressionsOf(node).some((each) => namesIn(each, name)) ||
      bodiesOf(node).some((each) => readsName(each, name)),
  );

export function* allStatements(body: Body): Generator<Statement> {
  for (const node of body) {
    yield node;
    for (const inner of bodiesOf(node)) yield* allStatements(inner);
  }
}
