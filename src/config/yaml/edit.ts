import {
  type Document,
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  type Node,
  visit,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import type { Json } from '../../domain/json.js';
import { keyText, type Step, stepsTo } from './steps.js';

type Path = readonly (string | number)[];

export type Edit =
  | { readonly path: Path; readonly op: 'set'; readonly value: Json }
  | { readonly path: Path; readonly op: 'delete' };

/** Creates a node; lists of scalars go on one line. */
const nodeOf = (document: Document, value: Json): Node => {
  const node = document.createNode(value, { aliasDuplicateObjects: false });
  visit(node, {
    Seq: (_, list) => {
      if (list.items.length > 0 && list.items.every(isScalar)) list.flow = true;
    },
  });
  return node;
};

/** A node for a new value with the comments and the style of the old node. */
const successorOf = (document: Document, old: Node | null, value: Json): Node => {
  const node = nodeOf(document, value);
  if (!isScalar(old) && !isCollection(old)) return node;
  if (typeof old.comment === 'string') node.comment = old.comment;
  if (typeof old.commentBefore === 'string') node.commentBefore = old.commentBefore;
  if (old.spaceBefore === true) node.spaceBefore = true;
  if (isScalar(old) && isScalar(node) && typeof old.value === 'string' && typeof value === 'string') {
    if (old.type !== undefined) node.type = old.type;
  }
  if (isCollection(old) && isCollection(node) && old.flow === true) node.flow = true;
  return node;
};

const put = (document: Document, step: Step | undefined, value: Json): void => {
  if (step === undefined) {
    document.contents = successorOf(document, document.contents, value);
    return;
  }
  const node = successorOf(document, step.node, value);
  if (isPair(step.slot)) step.slot.value = node;
  else step.parent.items[step.slot] = node;
};

const nest = (path: Path, value: Json): Json =>
  path.reduceRight<Json>(
    (inner, part) => (typeof part === 'string' ? Object.fromEntries([[part, inner]]) : [inner]),
    value,
  );

/** Adds a key; in a map that writes this prefix with dots, a dotted key. */
const addToMap = (document: Document, map: YAMLMap, rest: Path, value: Json): void => {
  const [name] = rest;
  const hasDotted = map.items.some((pair) => keyText(pair).startsWith(`${name}.`));
  const isDotted = rest.length > 1 && hasDotted && rest.every((part) => typeof part === 'string');
  const key = isDotted ? rest.join('.') : String(name);
  const inner = isDotted ? value : nest(rest.slice(1), value);
  map.items.push(document.createPair(key, nodeOf(document, inner)));
};

/** Whether a blank line follows the comment behind an item: the parser adds it to that comment. */
const endsBlank = (item: unknown): item is Node => isNode(item) && item.comment?.endsWith('\n') === true;

/** Blocks of comment lines between blank lines. */
const blocksOf = (comment: string | null | undefined): readonly string[] =>
  comment ? comment.split(/\n[ \t]*\n/) : [];

/** Appends an item, spaced like the one before it. */
const addToList = (list: YAMLSeq, node: Node): void => {
  const [previous, last] = [list.items.at(-2), list.items.at(-1)];
  if (last === undefined) list.flow = false;
  if (isNode(last))
    node.spaceBefore =
      last.spaceBefore === true || endsBlank(previous) || blocksOf(last.commentBefore).length > 1;
  list.items.push(node);
};

const set = (document: Document, path: Path, value: Json): boolean => {
  const last = stepsTo(document.contents, path).at(-1);
  const rest = path.slice(last?.matched ?? 0);
  if (rest.length === 0) {
    put(document, last, value);
    return true;
  }
  const around: unknown = last === undefined ? document.contents : last.node;
  if (isMap(around)) {
    addToMap(document, around, rest, value);
    return true;
  }
  if (isSeq(around) && rest[0] === around.items.length) {
    addToList(around, nodeOf(document, nest(rest.slice(1), value)));
    return true;
  }
  const isEmpty = around === null || (isScalar(around) && around.value === null);
  if (isEmpty) put(document, last, nest(rest, value));
  return isEmpty;
};

/** The nodes of an item or pair that hold the comments above and below it. */
const endsOf = (item: unknown): readonly [Node | null, Node | null] => {
  const [head, tail] = isPair(item) ? [item.key, item.value] : [item, item];
  return [isNode(head) ? head : null, isNode(tail) ? tail : null];
};

/** Removes an item or pair with the comments inside and directly above it. */
const removeAt = (document: Document, parent: YAMLSeq | YAMLMap, at: number): void => {
  const items: unknown[] = parent.items;
  const [head, tail] = endsOf(items.splice(at, 1)[0]);
  const [, before] = endsOf(items[at - 1]);
  const [next] = endsOf(items[at]);
  const above = blocksOf(head?.commentBefore);
  // A comment that begins the file describes the whole of it.
  const isOfFile = parent === document.contents && at === 0 && above.length === 1;
  const others = [...(isOfFile ? above : above.slice(0, -1)), ...blocksOf(tail?.comment).slice(1)];
  const joined = (rest: string | null | undefined): string | null =>
    [...others, ...(rest ? [rest] : [])].join('\n\n') || null;
  if (next !== null) {
    next.spaceBefore =
      at > 0 && !endsBlank(before) && (next.spaceBefore === true || head?.spaceBefore === true);
    next.commentBefore = joined(next.commentBefore);
    return;
  }
  if (items.length === 0) parent.commentBefore = joined(parent.comment);
  else parent.comment = joined(parent.comment);
  if (endsBlank(before)) before.comment = before.comment?.trimEnd() ?? null;
};

const remove = (document: Document, path: Path): boolean => {
  const last = stepsTo(document.contents, path).at(-1);
  if (last !== undefined && last.matched === path.length) {
    const { parent, slot } = last;
    removeAt(document, parent, isPair(slot) ? (parent as YAMLMap).items.indexOf(slot) : slot);
    return true;
  }
  // The key may be written with dots only: `batch` as `batch.size` and `batch.delay`.
  const map: unknown = last === undefined ? document.contents : last.node;
  if (!isMap(map)) return false;
  const prefix = `${path.slice(last?.matched ?? 0).join('.')}.`;
  const kept = map.items.filter((pair) => !keyText(pair).startsWith(prefix));
  const isChanged = kept.length < map.items.length;
  map.items = kept;
  return isChanged;
};

/** Applies edits in order; false if one does not fit the document. */
export const applyEdits = (document: Document, edits: readonly Edit[]): boolean =>
  edits.every((edit) =>
    edit.op === 'set' ? set(document, edit.path, edit.value) : remove(document, edit.path),
  );

const layoutOf = (text: string) => ({
  indent: Math.min(8, /^[^\s#][^\n]*:[ \t]*\r?\n( +)[^\s#-]/m.exec(text)?.[1]?.length ?? 2),
  indentSeq: !/^( *)[^\s#-][^\n]*:[ \t]*\r?\n\1- /m.test(text),
  flowCollectionPadding: /[:-] [[{] \S/.test(text),
});

/** Prints a document in the layout of its source. Without `blockQuote`, no text can swallow the lines below it. */
export const printDocument = (document: Document, oldText: string, blockQuote: boolean): string =>
  document.toString({ lineWidth: 0, blockQuote, ...layoutOf(oldText) });
