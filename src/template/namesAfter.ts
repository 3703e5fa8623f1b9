import { allStatements, type Body, childrenOf, type Expression, expressionsOf } from './parse/ast.js';
import { parseText } from './parse/parser.js';

export interface NameAfter {
  /** The name before it: `faker` in `module.faker.locale`; `null` if there is none or it is an expression. */
  readonly owner: string | null;
  /** `name`: `.locale.de`; `key`: dynamic, `.locale[x]`; `call`: `.locale()`; `nothing`: any use of the value. */
  readonly follows:
    | { readonly kind: 'name'; readonly name: string }
    | { readonly kind: 'key' | 'call' | 'nothing' };
}

interface MemberStep {
  readonly target: Expression;
  readonly name: string | null;
}

const textOf = (node: Expression): string | null =>
  node.kind === 'constant' && typeof node.value === 'string' ? node.value : null;

const stepOf = (node: Expression): MemberStep | null => {
  if (node.kind === 'attribute') return { target: node.target, name: node.name };
  return node.kind === 'item' ? { target: node.target, name: textOf(node.key) } : null;
};

const nameOf = (node: Expression): string | null =>
  node.kind === 'name' ? node.name : (stepOf(node)?.name ?? null);

/** Attribute names passed to filters as strings: `attr('locale')`, `map(attribute='locale.de')`. */
const namesInFilter = (node: Expression): readonly string[] =>
  node.kind === 'filter'
    ? [...node.args, ...node.kwargs.map(({ value }) => value)].flatMap(
        (each) => textOf(each)?.split('.') ?? [],
      )
    : [];

/** `attribute`: `x.locale`, `x['locale']`; `variable`: the bare name. */
type SoughtAs = 'attribute' | 'variable';

const isSought = (node: Expression, name: string, as: SoughtAs): boolean =>
  as === 'variable' ? node.kind === 'name' && node.name === name : stepOf(node)?.name === name;

const takerOf = (node: Expression): Expression | null =>
  node.kind === 'call' ? node.target : (stepOf(node)?.target ?? null);

const followsIn = (node: Expression): NameAfter['follows'] => {
  if (node.kind === 'call') return { kind: 'call' };
  const name = stepOf(node)?.name ?? null;
  return name === null ? { kind: 'key' } : { kind: 'name', name };
};

const ownerOf = (node: Expression): string | null => {
  const step = stepOf(node);
  return step === null ? null : nameOf(step.target);
};

const usesOfName = (body: Body, name: string, as: SoughtAs): readonly NameAfter[] => {
  const found: NameAfter[] = [];
  const visit = (node: Expression, isTaken: boolean): void => {
    if (isSought(node, name, as) && !isTaken)
      found.push({ owner: ownerOf(node), follows: { kind: 'nothing' } });
    if (as === 'attribute' && namesInFilter(node).includes(name)) {
      found.push({ owner: null, follows: { kind: 'nothing' } });
    }
    const target = takerOf(node);
    const takes = target !== null && isSought(target, name, as);
    if (takes) found.push({ owner: ownerOf(target), follows: followsIn(node) });
    for (const child of childrenOf(node)) visit(child, takes && child === target);
  };
  for (const statement of allStatements(body)) {
    for (const expression of expressionsOf(statement)) visit(expression, false);
  }
  return found;
};

/** Uses of some names, unordered: what to load before a render. `null` if the text does not parse. */
export const namesAfter = <Name extends string>(
  source: string,
  sought: Readonly<Record<Name, SoughtAs>>,
): Readonly<Record<Name, readonly NameAfter[]>> | null => {
  try {
    const body = parseText(source);
    const places = Object.entries<SoughtAs>(sought).map(([name, as]) => [name, usesOfName(body, name, as)]);
    return Object.fromEntries(places) as Record<Name, readonly NameAfter[]>;
  } catch {
    return null;
  }
};
