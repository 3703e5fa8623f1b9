import * as E from 'fp-ts/lib/Either.js';
import {
  type Document,
  isAlias,
  isCollection,
  isScalar,
  type Scalar,
  visit,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { reasonOf } from '../../domain/errors.js';
import { isJsonObject, type Json, type JsonObject } from '../../domain/json.js';
import { jsonEqual } from '../values.js';
import { applyEdits, type Edit, printDocument } from './edit.js';
import { parseYaml } from './source.js';

type Path = readonly (string | number)[];

const isObject = (value: Json | undefined): value is JsonObject => isJsonObject(value);

/** Two versions of a value: `was` and `will` with every default, `body` as given. */
interface Versions {
  readonly was: Json | undefined;
  readonly will: Json | undefined;
  readonly body: Json | undefined;
}

/**
 * Edits that lead from one version to the other. Equal values are left alone, so unwritten defaults stay
 * unwritten. `isExplicit` also writes equal scalars beside a change, for defaults that depend on each other.
 */
export const editsOf = ({ was, will, body }: Versions, path: Path, isExplicit: boolean): readonly Edit[] => {
  if (body === undefined) return jsonEqual(was, will) ? [] : [{ op: 'delete', path }];
  const set: Edit = { op: 'set', path, value: body };
  const isLeaf = typeof body !== 'object' || body === null;
  if (jsonEqual(was, will)) return isExplicit && isLeaf && path.length > 0 ? [set] : [];
  if (isObject(was) && isObject(will) && isObject(body)) {
    const keys = [...Object.keys(was).filter((key) => !Object.hasOwn(body, key)), ...Object.keys(body)];
    const inner = (key: string): Versions => ({
      was: Object.hasOwn(was, key) ? was[key] : undefined,
      will: Object.hasOwn(will, key) ? will[key] : undefined,
      body: Object.hasOwn(body, key) ? body[key] : undefined,
    });
    return keys.flatMap((key) => editsOf(inner(key), [...path, key], isExplicit));
  }
  if (Array.isArray(was) && Array.isArray(will) && Array.isArray(body)) {
    const { length } = body as readonly Json[];
    const items = (body as readonly Json[]).flatMap((item, i) =>
      editsOf(
        { was: (was as readonly Json[])[i], will: (will as readonly Json[])[i], body: item },
        [...path, i],
        isExplicit,
      ),
    );
    const surplus = Array.from(
      { length: Math.max(0, was.length - length) },
      (_, i): Edit => ({ op: 'delete', path: [...path, was.length - 1 - i] }),
    );
    return [...items, ...surplus];
  }
  return [set];
};

/** Replaces every alias by its value, so that an edit reaches one location only. */
const expandAliases = (document: Document): void => {
  visit(document, {
    Alias: (_, alias) => {
      const target = alias.resolve(document);
      if (!isScalar(target) && !isCollection(target)) return undefined;
      const copy: Scalar | YAMLMap | YAMLSeq = target.clone() as typeof target;
      copy.comment = alias.comment ?? null;
      copy.commentBefore = alias.commentBefore ?? null;
      return copy;
    },
  });
  visit(document, {
    Node: (_, node) => {
      if (!isAlias(node)) delete node.anchor;
    },
  });
};

/** `isExplicit`: also write equal scalars beside a change. */
type MakeEdits = (isExplicit: boolean) => readonly Edit[];

/** `plain`: without aliases and block scalars, for documents whose own form changes the meaning of an edit. */
type Form = 'asWritten' | 'plain';

/** Returns the document printed before and after its edits, or null when they do not fit. */
const printedTexts = (text: string, makeEdits: MakeEdits, form: Form): readonly [string, string] | null => {
  const source = parseYaml(text, '');
  if (E.isLeft(source)) return null;
  const { document } = source.right;
  const isPlain = form === 'plain';
  const print = (): string => printDocument(document, text, !isPlain);
  // Printing throws on an alias whose anchor is gone.
  const texts = E.tryCatch((): readonly [string, string] | null => {
    const before = print();
    if (isPlain) expandAliases(document);
    return applyEdits(document, makeEdits(isPlain)) ? [before, print()] : null;
  }, reasonOf);
  return E.isRight(texts) ? texts.right : null;
};

/** Results of an edit, best first: those that keep the lines of the text, then whole printed documents. */
function* resultsOf(text: string, makeEdits: MakeEdits): Generator<string | null> {
  const printed: (readonly [string, string])[] = [];
  for (const form of ['asWritten', 'plain'] as const) {
    const texts = printedTexts(text, makeEdits, form);
    if (texts === null) continue;
    printed.push(texts);
    yield keepLines(text, ...texts);
  }
  for (const [, after] of printed) yield after;
}

/**
 * Edits a text through its YAML document: comments and order stay. Unchanged lines keep every byte if the
 * result passes `read`; otherwise the whole document is printed. `read` returns null for a text with another
 * meaning. Returns null when no result passes.
 */
export const editedText = <A>(
  oldText: string,
  makeEdits: MakeEdits,
  read: (text: string) => A | null,
): A | null => {
  const hasCrlf = oldText.includes('\r\n');
  for (const text of resultsOf(oldText, makeEdits)) {
    const result = text === null ? null : read(hasCrlf ? text.replaceAll(/\r?\n/g, '\r\n') : text);
    if (result !== null) return result;
  }
  return null;
};

/** Time and memory of the diff grow with its square. */
const MAX_DIFFERENT_LINES = 2_000;

/** Positions of one line in two texts. */
type LinePair = readonly [number, number];

/** Lines, each with the blank lines above it. */
const linesOf = (text: string): readonly string[] =>
  (text.match(/(?:[^\S\n]*\n)*[^\n]*(?:\n|$)/g) ?? []).filter((line) => line !== '');

/** Returns the furthest position in `a` by diagonal for each step of Myers' diff, or null for too many differences. */
const traceOf = (a: readonly string[], b: readonly string[]): readonly Int32Array[] | null => {
  const middle = MAX_DIFFERENT_LINES + 1;
  const reached = new Int32Array(2 * middle + 1);
  const trace: Int32Array[] = [];
  for (let step = 0; step <= MAX_DIFFERENT_LINES; step += 1) {
    trace.push(reached.slice());
    for (let diagonal = -step; diagonal <= step; diagonal += 2) {
      const before = (reached[middle + diagonal - 1] as number) + 1;
      const after = reached[middle + diagonal + 1] as number;
      let x = diagonal === -step || (diagonal !== step && before <= after) ? after : before;
      while (x < a.length && x - diagonal < b.length && a[x] === b[x - diagonal]) x += 1;
      reached[middle + diagonal] = x;
      if (x >= a.length && x - diagonal >= b.length) return trace;
    }
  }
  return null;
};

/** The lines that two texts share, in order (Myers, "An O(ND) Difference Algorithm", 1986). */
const sharedLines = (a: readonly string[], b: readonly string[]): readonly LinePair[] | null => {
  const trace = traceOf(a, b);
  if (trace === null) return null;
  const middle = MAX_DIFFERENT_LINES + 1;
  const matches: LinePair[] = [];
  let [x, y] = [a.length, b.length];
  for (let step = trace.length - 1; step >= 0; step -= 1) {
    const reached = trace[step] as Int32Array;
    const diagonal = x - y;
    const before = (reached[middle + diagonal - 1] as number) + 1;
    const after = reached[middle + diagonal + 1] as number;
    const isDown = diagonal === -step || (diagonal !== step && before <= after);
    const fromX = step === 0 ? 0 : isDown ? after : before - 1;
    const fromY = step === 0 ? 0 : fromX - diagonal + (isDown ? -1 : 1);
    while (x > fromX && y > fromY) {
      x -= 1;
      y -= 1;
      matches.push([x, y]);
    }
    [x, y] = [fromX, fromY];
  }
  return matches.reverse();
};

const indentOf = (line: string): number => /^ *(?=\S)/m.exec(line)?.[0].length ?? 0;

const indentedBy = (shift: number, line: string): string =>
  shift === 0 ? line : line.replace(/^ *(?=\S)/m, ({ length }) => ' '.repeat(Math.max(0, length + shift)));

/** A line without white space, and without the comment between a key and its block: the printer moves that down. */
const keyOf = (line: string): string => line.replaceAll(/\s/g, '').replace(/^([^"'#]+:)#.*$/, '$1');

const blanksOf = (line: string): string => /^(?:[^\S\n]*\n)*/.exec(line)?.[0] ?? '';
const contentOf = (line: string): string => line.slice(blanksOf(line).length);

/** Source lines and their printed form. */
interface Block {
  readonly source: readonly string[];
  /** Position of the first printed line. */
  readonly from: number;
  readonly printed: readonly string[];
}

/** Cuts the source at each line that it shares with its printed form. Returns null for too many differences. */
const blocksOf = (source: readonly string[], before: readonly string[]): readonly Block[] | null => {
  const matches = sharedLines(source.map(keyOf), before.map(keyOf));
  if (matches === null) return null;
  const blocks: Block[] = [];
  let [at, printedAt] = [0, 0];
  const cut = (end: number, printedEnd: number): void => {
    const block = {
      source: source.slice(at, end),
      from: printedAt,
      printed: before.slice(printedAt, printedEnd),
    };
    const last = blocks.at(-1);
    // Source lines without a printed form belong to the block above.
    if (block.printed.length > 0 || last === undefined) blocks.push(block);
    else blocks[blocks.length - 1] = { ...last, source: [...last.source, ...block.source] };
    [at, printedAt] = [end, printedEnd];
  };
  for (const [end, printedEnd] of matches) {
    cut(end, printedEnd);
    cut(end + 1, printedEnd + 1);
  }
  cut(source.length, before.length);
  return blocks;
};

/** Shifts printed lines to the indents of the source, learned from the lines above them. */
const indents = () => {
  const shifts = new Map<number, number>();
  let shift = 0;
  const remember = (indent: number): void => {
    // Deeper blocks end here.
    for (const known of shifts.keys()) if (known > indent) shifts.delete(known);
    shifts.set(indent, shift);
  };
  return {
    learn: ({ source: [line], printed: [printedLine] }: Block): void => {
      if (line === undefined || printedLine === undefined) return;
      const indent = indentOf(printedLine);
      shift = indentOf(line) - indent;
      remember(indent);
    },
    apply: (line: string): string => {
      const indent = indentOf(line);
      shift = shifts.get(indent) ?? shift;
      remember(indent);
      return indentedBy(shift, line);
    },
  };
};

/** Whether a block is unchanged in the edited text, from line `from` on. */
const isUntouched = ({ printed }: Block, after: readonly string[], from: number): boolean =>
  printed.every((line, i) =>
    i === 0 ? contentOf(line) === contentOf(after[from] ?? '') : line === after[from + i],
  );

/** The source lines of an unchanged block; the edit may add or remove blank lines above it. */
const keptLines = ({ source, printed }: Block, after: string): readonly string[] => {
  const [first = '', ...rest] = source;
  const blanks = blanksOf(after);
  return blanks === blanksOf(printed[0] ?? '') ? source : [blanks + contentOf(first), ...rest];
};

/**
 * Applies to a source text the difference between its printed form before and after an edit. All other lines
 * keep every byte. Returns null for too many differences. The caller checks the meaning of the result.
 */
const keepLines = (text: string, printedBefore: string, printedAfter: string): string | null => {
  const [source, before, after] = [linesOf(text), linesOf(printedBefore), linesOf(printedAfter)];
  const blocks = blocksOf(source, before);
  const matches = sharedLines(before.map(contentOf), after.map(contentOf));
  if (blocks === null || matches === null) return null;
  const lineAfter = new Map(matches);
  const { learn, apply } = indents();
  const lines: string[] = [];
  let next = 0;
  for (const block of blocks) {
    const places = block.printed.flatMap((_, i) => lineAfter.get(block.from + i) ?? []);
    const [first] = places;
    // New lines take the indent of the block that they replace.
    if (first === undefined || lines.length === 0) learn(block);
    if (first === undefined) continue;
    lines.push(...after.slice(next, first).map(apply));
    learn(block);
    const isKept = places.length === block.printed.length && isUntouched(block, after, first);
    next = (places.at(-1) as number) + 1;
    lines.push(...(isKept ? keptLines(block, after[first] as string) : after.slice(first, next).map(apply)));
  }
  lines.push(...after.slice(next).map(apply));
  return lines
    .map((line, i) => (line.endsWith('\n') || i === lines.length - 1 ? line : `${line}\n`))
    .join('');
};
