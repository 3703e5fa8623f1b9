import { isMap, isScalar, isSeq, type Node, type Pair, type YAMLMap, type YAMLSeq } from 'yaml';

type Path = readonly (string | number)[];

/** A step from a collection to one of its values. */
export interface Step {
  readonly parent: YAMLMap | YAMLSeq;
  /** The pair of a map, or the index of a list. */
  readonly slot: Pair | number;
  readonly node: Node | null;
  /** Parts of the path used so far. */
  readonly matched: number;
}

const asNode = (value: unknown): Node | null => (value ?? null) as Node | null;

export const keyText = (pair: Pair): string =>
  isScalar(pair.key) ? String(pair.key.value) : String(pair.key);

const reach = (steps: readonly Step[]): number => steps.at(-1)?.matched ?? 0;

const throughList = (list: YAMLSeq, path: Path, matched: number): readonly Step[] => {
  const [index] = path;
  const item = typeof index === 'number' ? list.items[index] : undefined;
  if (typeof index !== 'number' || item === undefined) return [];
  const node = asNode(item);
  const step: Step = { parent: list, slot: index, node, matched: matched + 1 };
  return [step, ...below(node, path.slice(1), matched + 1)];
};

/** A key can cover several parts of the path, with dots between them. */
const throughMap = (map: YAMLMap, path: Path, matched: number): readonly Step[] => {
  let best: readonly Step[] = [];
  let name = '';
  for (const [i, part] of path.entries()) {
    if (typeof part === 'number') break;
    name = i === 0 ? part : `${name}.${part}`;
    const pair = map.items.find((one) => keyText(one) === name);
    if (pair === undefined) continue;
    const node = asNode(pair.value);
    const used = matched + i + 1;
    const step: Step = { parent: map, slot: pair, node, matched: used };
    const way = [step, ...below(node, path.slice(i + 1), used)];
    if (reach(way) > reach(best)) best = way;
  }
  return best;
};

const below = (node: Node | null, path: Path, matched: number): readonly Step[] => {
  if (path.length === 0) return [];
  if (isSeq(node)) return throughList(node, path, matched);
  return isMap(node) ? throughMap(node, path, matched) : [];
};

/** Follows a path of the expanded value through a document, as far as it goes; not through aliases. */
export const stepsTo = (root: Node | null, path: Path): readonly Step[] => below(root, path, 0);
