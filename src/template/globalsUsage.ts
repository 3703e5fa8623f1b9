import { allStatements, type Body, childrenOf, type Expression, expressionsOf } from './parse/ast.js';
import { parseText } from './parse/parser.js';

/** Uses of a scenario's globals, one item per occurrence, in source order. */
export interface GlobalsUsage {
  readonly writes: readonly string[];
  readonly reads: readonly string[];
  /** `dynamic_key`: a key known only at run time; `update_call`: several keys at once. */
  readonly warnings: readonly ('dynamic_key' | 'update_call')[];
  /** Whether the template may read keys that are not listed, for example by handing `globals` to a macro. */
  readonly mayReadOthers: boolean;
}

interface GlobalsUse {
  readonly at: number;
  readonly what: 'write' | 'read' | 'dynamic_key' | 'update_call';
  readonly key: string;
}

const isGlobals = (node: Expression): boolean => node.kind === 'name' && node.name === 'globals';

const keyed = (what: 'write' | 'read', at: number, key: Expression | undefined): GlobalsUse =>
  key?.kind === 'constant' && typeof key.value === 'string'
    ? { at, what, key: key.value }
    : { at, what: 'dynamic_key', key: '' };

/** Methods that read no key by themselves. */
const READS_NOTHING: ReadonlySet<string> = new Set(['get', 'set', 'update', 'clear']);

/** Whether each mention of `globals` below a node names a key, or reads none. */
const isPlain = (node: Expression): boolean => {
  if (isGlobals(node)) return false;
  if (node.kind === 'attribute' && isGlobals(node.target)) return READS_NOTHING.has(node.name);
  if (node.kind === 'item' && isGlobals(node.target)) return isPlain(node.key);
  return childrenOf(node).every(isPlain);
};

const useOf = (node: Expression): GlobalsUse | null => {
  if (node.kind === 'item' && isGlobals(node.target)) return keyed('read', node.at, node.key);
  if (node.kind !== 'call' || node.target.kind !== 'attribute' || !isGlobals(node.target.target)) return null;
  const key = node.args[0] ?? node.kwargs.find((given) => given.key === 'key')?.value;
  switch (node.target.name) {
    case 'get':
      return keyed('read', node.at, key);
    case 'set':
      return keyed('write', node.at, key);
    case 'update':
      return { at: node.at, what: 'update_call', key: '' };
    default:
      return null;
  }
};

const collect = (node: Expression, found: GlobalsUse[]): void => {
  const use = useOf(node);
  if (use !== null) found.push(use);
  for (const child of childrenOf(node)) collect(child, found);
};

/** The uses of `globals` in a template; `null` if it does not parse. */
export const globalsUsage = (source: string): GlobalsUsage | null => {
  let body: Body;
  try {
    body = parseText(source);
  } catch {
    return null;
  }
  const found: GlobalsUse[] = [];
  let mayReadOthers = false;
  for (const statement of allStatements(body)) {
    for (const expression of expressionsOf(statement)) {
      collect(expression, found);
      mayReadOthers ||= !isPlain(expression);
    }
  }
  found.sort((a, b) => a.at - b.at);
  const keysOf = (what: GlobalsUse['what']): readonly string[] =>
    found.filter((use) => use.what === what).map(({ key }) => key);
  return {
    writes: keysOf('write'),
    reads: keysOf('read'),
    warnings: found.flatMap(({ what }) => (what === 'dynamic_key' || what === 'update_call' ? [what] : [])),
    mayReadOthers,
  };
};
