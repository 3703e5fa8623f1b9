import type { Statement } from '../parse/ast.js';

/** Statements that mark their lines; declarations and containers do not. */
const ACTIVE: ReadonlySet<Statement['kind']> = new Set([
  'text',
  'output',
  'do',
  'set',
  'setBlock',
  'callBlock',
  'filterBlock',
  'include',
  'break',
  'continue',
]);

/** Source that marks the lines of a statement; may be empty. */
export type Marking = (node: Statement) => string;

/** Offsets without surrounding white space; `null` if blank. */
const visibleRange = (text: string): readonly [from: number, to: number] | null => {
  const from = text.search(/\S/);
  return from < 0 ? null : [from, text.trimEnd().length - 1];
};

export const markingOf = (source: string): Marking => {
  const ends: number[] = [];
  for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) ends.push(at);
  const lineOf = (at: number): number => 1 + ends.filter((end) => end < at).length;
  return (node) => {
    if (!ACTIVE.has(node.kind)) return '';
    const span = node.kind === 'text' ? visibleRange(node.text) : ([0, 0] as const);
    return span === null ? '' : `mark(T,${lineOf(node.at + span[0])},${lineOf(node.at + span[1])});`;
  };
};
