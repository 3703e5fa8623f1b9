import { type Labels, LEASE_FORMAT, MAX_REFUSED_UNITS, type NodeDocument } from './documents.js';
import type { Order } from './orders.js';
import type { PlacementNode } from './placement.js';
import type { WatchedNodes } from './watchedNodes.js';

const isOpen = ({ refused }: PlacementNode): boolean => refused.length <= MAX_REFUSED_UNITS;

/** Steps look at the same document until the next beat. */
const made = new WeakMap<NodeDocument, PlacementNode>();

const placed = (node: string, document: NodeDocument): PlacementNode => {
  const { capacity, labels, refused } = document;
  const found = made.get(document) ?? {
    node,
    capacity,
    labels,
    refused: refused.flatMap(({ units }) => units),
  };
  made.set(document, found);
  return found;
};

/** Nodes that may own units, as this one sees them; `own`: this one, `null` when it takes none. */
export const candidatesOf = (
  watched: WatchedNodes,
  node: string,
  own: { readonly capacity: number; readonly labels: Labels; readonly refused: readonly string[] } | null,
): readonly PlacementNode[] => {
  const found: PlacementNode[] = own === null ? [] : [{ node, ...own }];
  for (const [name, document] of watched.documents()) {
    // One of a version without epochs would not take what another one gave back.
    if (name === node || document.format < LEASE_FORMAT) continue;
    if (!document.draining && watched.isSteady(name)) found.push(placed(name, document));
  }
  return found.filter(isOpen);
};

/** Removes nodes that were lost for long. The first steady node by name does it, by revision: one that beats again stays. */
export const orderForgetting = (
  watched: WatchedNodes,
  node: string,
  forget_ms: number,
  orders: Order[],
): void => {
  const names = [...watched.documents()].map(([name]) => name);
  if (names.some((name) => name < node && watched.isSteady(name))) return;
  for (const name of names) {
    const { silentMs, revision } = watched.sightOf(name);
    if (name !== node && silentMs >= forget_ms)
      orders.push({ type: 'forget', node: name, replaces: revision });
  }
};
