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
import { jsonEqual } from '../jsonEqual.js';
import { applyEdits, type Edit, printDocument } from './edit.js';
import { parseYaml } from './source.js';
import { spliceScalars } from './splice.js';

type Path = readonly (string | number)[];

const isObject = (value: Json | undefined): value is JsonObject => isJsonObject(value);

/** How two versions of a value differ: `was` and `will` with every default, `body` as it was given. */
export interface Versions {
  readonly was: Json | undefined;
  readonly will: Json | undefined;
  readonly body: Json | undefined;
}

/**
 * Changes that turn one version into the other. Where the meaning is the same nothing is touched, so
 * that defaults which the file does not spell out stay unwritten; with `isExplicit` each scalar of the
 * body beside a change is written, for defaults that depend on one another.
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

/** Writes out every alias, so that an edit at one place does not reach another. */
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

/** Makes the edits of a text; `isExplicit`: with each scalar beside a change. */
type MakeEdits = (isExplicit: boolean) => readonly Edit[];

type Attempt = (document: Document, oldText: string, makeEdits: MakeEdits) => string | null;

const byPrinting =
  (
    prepare: (document: Document) => void,
    isExplicit: boolean,
    more: Parameters<typeof printDocument>[2] = {},
  ): Attempt =>
  (document, oldText, makeEdits) => {
    prepare(document);
    return applyEdits(document, makeEdits(isExplicit)) ? printDocument(document, oldText, more) : null;
  };

/** Ways to edit a text, the one that changes least first. */
const ATTEMPTS: readonly Attempt[] = [
  (document, oldText, makeEdits) => spliceScalars(document, oldText, makeEdits(false)),
  byPrinting(() => undefined, false),
  byPrinting(expandAliases, false),
  byPrinting(expandAliases, true),
  // Texts in block style may reach into what follows.
  byPrinting(expandAliases, true, { blockQuote: false }),
];

const attempted = (oldText: string, makeEdits: MakeEdits, attempt: Attempt): string | null => {
  // Each attempt has a document of its own, because edits change it in place.
  const source = parseYaml(oldText, '');
  if (E.isLeft(source)) return null;
  // The printer throws on aliases whose anchor an edit has removed.
  const text = E.tryCatch(() => attempt(source.right.document, oldText, makeEdits), reasonOf);
  return E.isRight(text) ? text.right : null;
};

/**
 * A text with edits applied, in the way that changes least of it; each result is taken only if `isRight`
 * says that it means what it should. `null`: no way leads there.
 */
export const editedText = (
  oldText: string,
  makeEdits: MakeEdits,
  isRight: (text: string) => boolean,
): string | null => {
  for (const attempt of ATTEMPTS) {
    const text = attempted(oldText, makeEdits, attempt);
    if (text !== null && isRight(text)) return text;
  }
  return null;
};
