import type { Expression } from '../parse/ast.js';
import { allStatements, childrenOf, expressionsOf } from '../parse/walk.js';
import type { Context } from './context.js';
import type { Findings } from './finding.js';
import { nearOrAll } from './hints.js';
import type { LoadedTemplate } from './load.js';
import { memberOf } from './uses.js';

/** Column names by sample; samples without names of columns are absent. */
export type SampleColumns = ReadonlyMap<string, readonly string[]>;

/** A column that a call names, and where. */
interface NamedColumn {
  readonly name: string;
  readonly at: number;
}

type Call = Expression & { readonly kind: 'call' };

const constantText = (node: Expression | undefined): string | null =>
  node?.kind === 'constant' && typeof node.value === 'string' ? node.value : null;

/** The sample of `samples.users` or `samples['users']`. */
const sampleNamed = (node: Expression): string | null => {
  const member = memberOf(node);
  return member?.target.kind === 'name' && member.target.name === 'samples' ? member.name : null;
};

const columnsNamed = ({ target, args, kwargs, at }: Call): readonly NamedColumn[] => {
  if (target.kind !== 'attribute') return [];
  if (target.name === 'where') return kwargs.map(({ key }) => ({ name: key, at }));
  if (target.name !== 'weighted_pick' && target.name !== 'weighted_pick_n') return [];
  const column = args[0] ?? kwargs.find(({ key }) => key === 'column')?.value;
  const name = constantText(column);
  return name === null || column === undefined ? [] : [{ name, at: column.at }];
};

/** Reports columns that a sample does not have, in calls that fail without them. */
export const checkColumns = (
  template: LoadedTemplate,
  { base, given }: Context,
  columns: SampleColumns,
  findings: Findings,
): void => {
  // Another value of this name is not known.
  if (!base.has('samples') || given.has('samples')) return;
  if (template.names.stores.some(({ name }) => name === 'samples')) return;
  const visit = (node: Expression): void => {
    const sample =
      node.kind === 'call' && node.target.kind === 'attribute' ? sampleNamed(node.target.target) : null;
    const known = sample === null ? undefined : columns.get(sample);
    for (const { name, at } of known === undefined ? [] : columnsNamed(node as Call)) {
      if (known?.includes(name) === true) continue;
      findings.add(template.subject, at, () => ({
        severity: 'error',
        code: 'unknown_column',
        message: `sample '${sample}' has no column '${name}'`,
        hint: nearOrAll(name, known ?? []),
      }));
    }
    for (const child of childrenOf(node)) visit(child);
  };
  for (const node of allStatements(template.body)) {
    for (const expression of expressionsOf(node)) visit(expression);
  }
};
