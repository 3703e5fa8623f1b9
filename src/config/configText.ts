import * as E from 'fp-ts/lib/Either.js';
import {
  type Document,
  isAlias,
  isCollection,
  isScalar,
  type Scalar,
  stringify,
  visit,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { failure, reasonOf, type SpateError } from '../domain/errors.js';
import { isJsonObject, type Json, type JsonObject } from '../domain/json.js';
import { type AnyShape, decodeStored, expandDotted } from '../schema/index.js';
import { jsonEqual } from './jsonEqual.js';
import { invalid } from './report.js';
import { applyEdits, type Edit, printDocument } from './yamlEdit.js';
import { parseYaml } from './yamlSource.js';
import { spliceScalars } from './yamlSplice.js';

type Path = readonly (string | number)[];

const isObject = (value: Json | undefined): value is JsonObject => isJsonObject(value);

/** What a text says, with every default; `null` when it cannot be read or breaks the shape. */
const meaningOf = (text: string, shape: AnyShape): Json | null => {
  const source = parseYaml(text, '');
  if (E.isLeft(source)) return null;
  const expanded = expandDotted(source.right.value, shape);
  if (E.isLeft(expanded) || typeof expanded.right === 'string') return null;
  const stored = decodeStored(shape, expanded.right);
  return E.isRight(stored) ? shape.stored.encode(stored.right) : null;
};

/** YAML text of a value; text that would not read back to the same value is written as JSON, which YAML is. */
export const newConfigText = (body: Json): string => {
  const printed = E.tryCatch(
    () => stringify(body, { version: '1.2', lineWidth: 0, aliasDuplicateObjects: false }),
    reasonOf,
  );
  if (E.isRight(printed)) {
    const read = parseYaml(printed.right, '');
    if (E.isRight(read) && jsonEqual(read.right.value, body)) return printed.right;
  }
  return `${JSON.stringify(body)}\n`;
};

/** How two versions of a value differ: `was` and `will` with every default, `body` as it was given. */
interface Versions {
  readonly was: Json | undefined;
  readonly will: Json | undefined;
  readonly body: Json | undefined;
}

/**
 * Changes that turn one version into the other. Where the meaning is the same nothing is touched, so
 * that defaults which the file does not spell out stay unwritten; with `isExplicit` each scalar of the
 * body beside a change is written, for defaults that depend on one another.
 */
const editsOf = ({ was, will, body }: Versions, path: Path, isExplicit: boolean): readonly Edit[] => {
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

type Attempt = (document: Document, oldText: string, versions: Versions) => string | null;

const byPrinting =
  (prepare: (document: Document) => void, isExplicit: boolean): Attempt =>
  (document, oldText, versions) => {
    prepare(document);
    return applyEdits(document, editsOf(versions, [], isExplicit)) ? printDocument(document, oldText) : null;
  };

/** Ways to edit a text, the one that changes least first. */
const ATTEMPTS: readonly Attempt[] = [
  (document, oldText, versions) => spliceScalars(document, oldText, editsOf(versions, [], false)),
  byPrinting(() => undefined, false),
  byPrinting(expandAliases, false),
  byPrinting(expandAliases, true),
];

const edited = (oldText: string, versions: Versions, attempt: Attempt): string | null => {
  // Each attempt has a document of its own, because edits change it in place.
  const source = parseYaml(oldText, '');
  if (E.isLeft(source)) return null;
  // The printer throws on aliases whose anchor an edit has removed.
  const text = E.tryCatch(() => attempt(source.right.document, oldText, versions), reasonOf);
  return E.isRight(text) ? text.right : null;
};

/**
 * The text of a file after its value is replaced by `newBody`: only what changes its meaning is touched.
 * Comments stay where their key stays, the order of keys is kept, list items are matched by position, a
 * default that the file does not spell out is not written. Written back unchanged it is the same text.
 * An old text that cannot be read is replaced as a whole. Left: the body breaks the shape.
 */
export const updateConfigText = (
  oldText: string,
  newBody: Json,
  shape: AnyShape,
): E.Either<SpateError, string> => {
  const stored = decodeStored(shape, newBody);
  if (E.isLeft(stored)) return E.left(invalid('', stored.left));
  const will = shape.stored.encode(stored.right);
  const was = meaningOf(oldText, shape);
  if (was !== null) {
    if (jsonEqual(was, will)) return E.right(oldText);
    for (const attempt of ATTEMPTS) {
      const text = edited(oldText, { was, will, body: newBody }, attempt);
      if (text !== null && jsonEqual(meaningOf(text, shape) ?? undefined, will)) return E.right(text);
    }
  }
  const whole = newConfigText(newBody);
  return jsonEqual(meaningOf(whole, shape) ?? undefined, will)
    ? E.right(whole)
    : E.left(failure('too_large', 'The new text would be larger or deeper than what can be read again.'));
};
