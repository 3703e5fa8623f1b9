import * as E from 'fp-ts/lib/Either.js';
import { type Alias, isAlias, isMap, isScalar, isSeq, type Node, type Pair, type Scalar } from 'yaml';
import type { Issue } from '../../domain/errors.js';
import type { Json } from '../../domain/json.js';

/** Levels of lists and objects; the deepest free JSON fits. */
export const MAX_YAML_DEPTH = 128;
/** Values of a file; each use of an alias counts, which bounds expansion. */
const MAX_YAML_VALUES = 600_000;

/** Characters of all strings; each use of an alias counts. */
const MAX_YAML_CHARACTERS = 8_388_608;
const MAX_YAML_ISSUES = 1_000;

type OffsetIssue = Issue & { readonly offset: number };

/** The value of an anchor, its number of values and its depth. */
interface Anchored {
  readonly json: Json;
  readonly size: number;
  readonly characters: number;
  readonly height: number;
}

interface Reading {
  readonly issues: OffsetIssue[];
  readonly anchors: Map<string, Anchored>;
  readonly path: (string | number)[];
  size: number;
  characters: number;
  /** Deepest level inside the current value. */
  deepest: number;
  isOver: boolean;
}

const report = (reading: Reading, node: Node | null, type: string, message: string, hint?: string): null => {
  if (reading.issues.length >= MAX_YAML_ISSUES) {
    reading.isOver = true;
    return null;
  }
  const offset = node?.range?.[0] ?? 0;
  const issue = { path: [...reading.path], type, message, offset };
  reading.issues.push(hint === undefined ? issue : { ...issue, hint });
  return null;
};

/** Counts values; false beyond the limit, which is reported once. */
const take = (reading: Reading, node: Node | null, count: number, characters: number): boolean => {
  reading.size += count;
  reading.characters += characters;
  if (reading.characters > MAX_YAML_CHARACTERS && !reading.isOver) {
    reading.isOver = true;
    const message = `must not contain more than ${MAX_YAML_CHARACTERS} characters with aliases expanded`;
    report(reading, node, 'too_many', message);
  }
  if (reading.size > MAX_YAML_VALUES && !reading.isOver) {
    reading.isOver = true;
    report(
      reading,
      node,
      'too_many',
      `must not contain more than ${MAX_YAML_VALUES} values with aliases expanded`,
    );
  }
  return !reading.isOver;
};

const WRITTEN_INTEGER = /^([-+]?\d+|0o[0-7]+|0x[0-9a-fA-F]+)$/;

/** Whether an integer loses digits as a number; false if the number prints like its source. */
const losesDigits = (value: number, source: string): boolean =>
  !Number.isSafeInteger(value) &&
  WRITTEN_INTEGER.test(source) &&
  String(value) !== source &&
  BigInt(source) !== BigInt(value);

const readScalar = (reading: Reading, scalar: Scalar): Json => {
  const { value, source = '' } = scalar;
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) return report(reading, scalar, 'wrong_type', 'must be a finite number');
    if (losesDigits(value, source)) {
      return report(
        reading,
        scalar,
        'out_of_range',
        'is an integer with too many digits for a number',
        'Quote it to keep it as text.',
      );
    }
    return value;
  }
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  return report(reading, scalar, 'wrong_type', 'has no JSON form');
};

const readEntry = (reading: Reading, pair: Pair, entries: Map<string, Json>, depth: number): void => {
  const key = isScalar(pair.key) ? pair.key : null;
  if (key === null) {
    report(reading, pair.key as Node | null, 'syntax', 'has a key that is not text');
    return;
  }
  const name = String(key.value ?? '');
  if (typeof key.anchor === 'string')
    reading.anchors.set(key.anchor, { json: name, size: 1, characters: name.length, height: 0 });
  reading.path.push(name);
  if (entries.has(name)) {
    report(reading, key, 'duplicate_key', 'is given twice in the same object', 'Keep one of the two.');
  }
  entries.set(name, readAny(reading, pair.value as Node | null, depth));
  reading.path.pop();
};

const readInner = (reading: Reading, node: Node, depth: number): Json => {
  if (isScalar(node)) return readScalar(reading, node);
  if (depth >= MAX_YAML_DEPTH) return tooDeep(reading, node);
  if (isSeq(node)) {
    return node.items.map((item, i) => {
      reading.path.push(i);
      const json = readAny(reading, item as Node | null, depth + 1);
      reading.path.pop();
      return json;
    });
  }
  if (!isMap(node)) return report(reading, node, 'syntax', 'is not a value');
  const entries = new Map<string, Json>();
  for (const pair of node.items) readEntry(reading, pair, entries, depth + 1);
  // fromEntries keeps `__proto__` an ordinary key.
  return Object.fromEntries(entries);
};

const tooDeep = (reading: Reading, node: Node): null =>
  report(reading, node, 'too_deep', `must not be nested deeper than ${MAX_YAML_DEPTH} levels`);

const readAlias = (reading: Reading, node: Alias, depth: number): Json => {
  const known = reading.anchors.get(node.source);
  if (known === undefined) {
    const hint = `Quote text that begins with \`*\`; write the value in place of an alias.`;
    return report(reading, node, 'syntax', 'is an alias of a value around or after it', hint);
  }
  const deepest = depth + known.height;
  if (deepest > MAX_YAML_DEPTH) return tooDeep(reading, node);
  reading.deepest = Math.max(reading.deepest, deepest);
  return take(reading, node, known.size, known.characters) ? known.json : null;
};

const readAny = (reading: Reading, node: Node | null, depth: number): Json => {
  if (isAlias(node)) return readAlias(reading, node, depth);
  const { size: before, characters: until, deepest: outer } = reading;
  const length = isScalar(node) && typeof node.value === 'string' ? node.value.length : 0;
  if (!take(reading, node, 1, length) || node === null) return null;
  reading.deepest = depth;
  const json = readInner(reading, node, depth);
  const anchor = 'anchor' in node ? node.anchor : undefined;
  if (typeof anchor === 'string') {
    const { size, characters, deepest } = reading;
    const sums = { size: size - before, characters: characters - until };
    reading.anchors.set(anchor, { json, ...sums, height: deepest - depth });
  }
  reading.deepest = Math.max(outer, reading.deepest);
  return json;
};

/** Returns a node as JSON, or every problem by offset. Aliases share their value, within the limits. */
export const readNode = (node: Node | null): E.Either<readonly OffsetIssue[], Json> => {
  const reading: Reading = {
    issues: [],
    anchors: new Map(),
    path: [],
    size: 0,
    characters: 0,
    deepest: 0,
    isOver: false,
  };
  const json = readAny(reading, node, 0);
  return reading.issues.length > 0 ? E.left(reading.issues) : E.right(json);
};
