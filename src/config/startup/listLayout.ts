import { type CST, type Document, isCollection, isMap, isScalar, isSeq, Parser } from 'yaml';

/** Where one item of a list stands in a text: offsets of whole lines. */
export interface ItemPlace {
  /** Begin of the comment lines directly above it, which speak of it. */
  readonly lead: number;
  /** Begin of the line with its dash. */
  readonly from: number;
  /** End of the last line of its value. */
  readonly to: number;
  /** As `to`, with the comment lines behind that are indented deeper than its dash. */
  readonly tail: number;
}

/** How a text holds a list: as items with dashes, or as nothing (an empty text, `null`, `[]`). */
export type ListLayout =
  | { readonly kind: 'block'; readonly indent: number; readonly items: readonly ItemPlace[] }
  /** `from` and `to`: what stands for nothing, if anything. */
  | { readonly kind: 'empty'; readonly from: number; readonly to: number };

/** Begin of the line that an offset is on. */
export const lineStart = (text: string, offset: number): number => text.lastIndexOf('\n', offset - 1) + 1;

/** End of the line that an offset is on, its line end included. */
export const lineEnd = (text: string, offset: number): number => {
  const found = text.indexOf('\n', offset);
  return found === -1 ? text.length : found + 1;
};

/** End of the last thing in a node that is no comment or white space; `null` for a node without any text. */
export const contentEnd = (node: unknown): number | null => {
  if (isMap(node) && node.flow !== true) {
    const last = node.items.at(-1);
    return last === undefined ? null : (contentEnd(last.value) ?? contentEnd(last.key));
  }
  if (isSeq(node) && node.flow !== true) return contentEnd(node.items.at(-1));
  if (isCollection(node) || isScalar(node)) return node.range?.[1] ?? null;
  // An alias.
  return (node as { readonly range?: readonly number[] } | null | undefined)?.range?.[1] ?? null;
};

/** Begin of the comment lines above `from`, not before `stop`. Those that begin a file are its own. */
const leadOf = (text: string, from: number, stop: number): number => {
  let lead = from;
  while (lead > stop) {
    const above = lineStart(text, lead - 1);
    if (above < stop || !/^[ \t]*#/.test(text.slice(above, lead))) break;
    lead = above;
  }
  return lead === 0 ? from : lead;
};

const tailOf = (text: string, to: number, indent: number): number => {
  let tail = to;
  for (let next = to; next < text.length; ) {
    const end = lineEnd(text, next);
    const line = text.slice(next, end);
    const comment = /^( *)#/.exec(line);
    if (comment !== null && (comment[1] ?? '').length > indent) tail = end;
    else if (line.trim() !== '') break;
    next = end;
  }
  return tail;
};

/** Offsets of the dashes of a list at the root. */
const dashesOf = (value: CST.Token | undefined): readonly number[] =>
  value?.type !== 'block-seq'
    ? []
    : value.items.flatMap(({ start }) =>
        start.filter(({ type }) => type === 'seq-item-ind').map(({ offset }) => offset),
      );

const blockLayout = (text: string, document: Document, dashes: readonly number[]): ListLayout | null => {
  if (!isSeq(document.contents) || document.contents.items.length !== dashes.length) return null;
  const first = dashes[0] ?? 0;
  const indent = first - lineStart(text, first);
  const items: ItemPlace[] = [];
  for (const [index, dash] of dashes.entries()) {
    const from = lineStart(text, dash);
    // A dash that does not begin its line: after a tag or an anchor of the list.
    if (text.slice(from, dash).trim() !== '' || dash - from !== indent) return null;
    const end = contentEnd(document.contents.items[index]);
    if (end === null) return null;
    const to = text[end - 1] === '\n' ? end : lineEnd(text, end);
    items.push({
      lead: leadOf(text, from, items.at(-1)?.tail ?? 0),
      from,
      to,
      tail: tailOf(text, to, indent),
    });
  }
  return { kind: 'block', indent, items };
};

/**
 * Where the items of a list stand in its text, so that one can be changed and every other byte left alone.
 * `document` is what the text was parsed to. `null`: it is laid out in another way (in brackets, with an end
 * marker), or holds no list.
 */
export const listLayout = (text: string, document: Document): ListLayout | null => {
  const tokens = [...new Parser().parse(text)];
  if (tokens.some(({ type }) => type === 'doc-end')) return null;
  const { contents } = document;
  const isNothing = contents === null || (isScalar(contents) && contents.value === null);
  if (isNothing || (isSeq(contents) && contents.items.length === 0)) {
    const range = contents?.range ?? [text.length, text.length];
    return { kind: 'empty', from: range[0], to: range[1] };
  }
  const found = tokens.find((token) => token.type === 'document');
  return blockLayout(text, document, dashesOf(found?.value));
};
