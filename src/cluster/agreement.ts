import type { GenerationParams } from '../domain/generator.js';
import type { Labels, NodeDocument } from './documents.js';

/** Settings of `generation` that change events, as text by key. */
export const eventSettings = ({
  timezone,
  template_limits,
}: Pick<GenerationParams, 'timezone' | 'template_limits'>): Labels => ({
  timezone,
  ...Object.fromEntries(
    Object.entries(template_limits).map(([key, value]) => [`template_limits.${key}`, String(value)]),
  ),
});

/** A setting of this node that is not that of the node which decides. */
export interface Difference {
  readonly key: string;
  readonly here: string;
  readonly there: string;
  readonly node: string;
}

type Described = Pick<NodeDocument, 'since' | 'generation' | 'capacity'>;

const isOlder = (a: Described, b: Described): boolean => a.since > 0 && (b.since === 0 || a.since < b.since);

/**
 * Compares the settings of this node with those of the node that has been in the cluster longest, so that no node that
 * joins can change the streams that run. Nodes without capacity do not decide, nor do those that name no settings.
 */
export const differences = (
  own: Described,
  others: Iterable<readonly [string, Described]>,
): readonly Difference[] => {
  let oldest = own;
  let node = '';
  for (const [name, other] of others) {
    if (other.capacity === 0 || Object.keys(other.generation).length === 0 || !isOlder(other, oldest))
      continue;
    oldest = other;
    node = name;
  }
  return Object.entries(own.generation).flatMap(([key, here]) => {
    const there = oldest.generation[key];
    return there === undefined || there === here ? [] : [{ key, here, there, node }];
  });
};

/** The first difference that changes the events of a generator, as a reason; null when there is none. */
export const whyDifferent = (found: readonly Difference[], entry: GenerationParams): string | null => {
  const settings = eventSettings(entry);
  const difference = found.find(({ key, here }) => settings[key] === here);
  if (difference === undefined) return null;
  const { key, here, there, node } = difference;
  return `generation.${key} is "${here}" on this node and "${there}" on node "${node}", which is older: its events would change. Use one value on all nodes`;
};
