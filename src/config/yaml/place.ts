import { isMap, isScalar, isSeq, type Node, type Pair, type YAMLMap, type YAMLSeq } from 'yaml';

type Path = readonly (string | number)[];

/** One step from a collection of a document to what stands at some parts of a path. */
export interface Step {
  readonly parent: YAMLMap | YAMLSeq;
  /** The pair of a map, or the position in a list. */
  readonly slot: Pair | number;
  readonly node: Node | null;
  /** How many parts of the path the way down to here has used. */
  readonly matched: number;
}

const asNode = (value: unknown): Node | null => (value ?? null) as Node | null;

/** The text of a key; keys that are no scalars do not occur in checked documents. */
export const keyText = (pair: Pair): string =>
  isScalar(pair.key) ? String(pair.key.value) : String(pair.key);

const reach = (steps: readonly Step[]): number => steps.at(-1)?.matched ?? 0;

/** Steps through a list. */
const throughList = (list: YAMLSeq, path: Path, matched: number): readonly Step[] => {
  const [index] = path;
  const item = typeof index === 'number' ? list.items[index] : undefined;
  if (typeof index !== 'number' || item === undefined) return [];
  const node = asNode(item);
  const step: Step = { parent: list, slot: index, node, matched: matched + 1 };
  return [step, ...below(node, path.slice(1), matched + 1)];
};

/** Steps through an object: a key may spell one part of the path, or several with dots between them. */
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

/**
 * The way through a document along the path of an expanded value, as far as the document has it; keys
 * with dots are understood. Aliases are not followed. All parts are there when the last step has
 * `matched` equal to the length of the path.
 */
export const stepsTo = (root: Node | null, path: Path): readonly Step[] => below(root, path, 0);
