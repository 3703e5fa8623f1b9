import type { Body, Expression } from './parse/ast.js';
import { parseText } from './parse/parser.js';
import { allStatements, childrenOf, expressionsOf } from './parse/walk.js';

/** A place of a template where a name stands, and what stands behind it. */
export interface NameAfter {
  /** The name before it: `faker` in `module.faker.locale`; `null` where that is no plain name, or there is none. */
  readonly owner: string | null;
  /**
   * `name`: a constant (`.locale.de`, `.locale['de']`); `key`: one that only a run knows (`.locale[x]`);
   * `call`: its arguments (`.locale()`); `nothing`: the value itself is used (`set l = module.faker.locale`), so any name may follow elsewhere.
   */
  readonly follows:
    | { readonly kind: 'name'; readonly name: string }
    | { readonly kind: 'key' | 'call' | 'nothing' };
}

/** A step from a value to a member of it: `target.name` or `target[key]`. */
interface Step {
  readonly target: Expression;
  /** `null`: only a run knows it. */
  readonly name: string | null;
}

const textOf = (node: Expression): string | null =>
  node.kind === 'constant' && typeof node.value === 'string' ? node.value : null;

const stepOf = (node: Expression): Step | null => {
  if (node.kind === 'attribute') return { target: node.target, name: node.name };
  return node.kind === 'item' ? { target: node.target, name: textOf(node.key) } : null;
};

const nameOf = (node: Expression): string | null =>
  node.kind === 'name' ? node.name : (stepOf(node)?.name ?? null);

/** Names of attributes that filters are given as text: `attr('locale')`, `map(attribute='locale.de')`. */
const namesInFilter = (node: Expression): readonly string[] =>
  node.kind === 'filter'
    ? [...node.args, ...node.kwargs.map(({ value }) => value)].flatMap(
        (each) => textOf(each)?.split('.') ?? [],
      )
    : [];

/** As `attribute` a member of the name (`x.locale`, `x['locale']`), as `variable` the bare name. */
type SoughtAs = 'attribute' | 'variable';

/** True where the expression itself is what is looked for. */
const isSought = (node: Expression, name: string, as: SoughtAs): boolean =>
  as === 'variable' ? node.kind === 'name' && node.name === name : stepOf(node)?.name === name;

/** The value that an expression takes something of: a member, or a result. */
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

const placesOf = (body: Body, name: string, as: SoughtAs): readonly NameAfter[] => {
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

/**
 * Every place where a template uses one of some names, by the name and in no certain order, with the constant
 * member that it takes of it: so that what a template needs can be loaded before it renders. `null` where the
 * text does not parse, or is nested too deeply.
 */
export const namesAfter = <Name extends string>(
  source: string,
  sought: Readonly<Record<Name, SoughtAs>>,
): Readonly<Record<Name, readonly NameAfter[]>> | null => {
  try {
    const body = parseText(source);
    const places = Object.entries<SoughtAs>(sought).map(([name, as]) => [name, placesOf(body, name, as)]);
    return Object.fromEntries(places) as Record<Name, readonly NameAfter[]>;
  } catch {
    return null;
  }
};
