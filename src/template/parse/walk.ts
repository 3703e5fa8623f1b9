import type { Body, Expression, Statement } from './ast.js';

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
