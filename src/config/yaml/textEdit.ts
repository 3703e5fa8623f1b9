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
import { keepLines } from './keepLines.js';
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
