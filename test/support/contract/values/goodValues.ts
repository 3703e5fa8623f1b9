import type { Json } from '../../../../src/domain/json.js';
import type { Schema } from '../document.js';
import { alternativesOf, spelledOut } from '../places.js';
import {
  branchesOf,
  formatText,
  isOneFreeKey,
  isOneKey,
  largest,
  listAt,
  numberAt,
  patternTexts,
  propertiesOf,
  requiredOf,
  schemaAt,
  smallest,
  typesOf,
} from './smallest.js';

/** A value that the schema takes. */
export interface GoodValue {
  readonly label: string;
  readonly value: Json;
  /**
   * True for what the document spells out or bounds exactly; false for texts that are made up, which may have to
   * mean something that no schema says (a time zone, a regular expression).
   */
  readonly isSure: boolean;
}

const sure = (label: string, value: Json): GoodValue => ({ label, value, isSure: true });
const madeUp = (label: string, value: Json): GoodValue => ({ label, value, isSure: false });

/** Whether the smallest value of a schema is spelled out or bounded by it, so that it must be taken. */
const isCertain = (schema: Schema): boolean => {
  if (spelledOut({ ...schema, anyOf: [], oneOf: [] }).some(([label]) => label !== 'default')) return true;
  const [branch] = branchesOf(schema) ?? [];
  if (branch !== undefined) return isCertain(branch);
  const types = typesOf(schema);
  if (types.includes('string')) return false;
  if (types.includes('array'))
    return (numberAt(schema['minItems']) ?? 0) === 0 || isCertain(schemaAt(schema['items']));
  if (isOneFreeKey(schema)) return isCertain(schemaAt(schema['additionalProperties']));
  const needed = isOneKey(schema)
    ? propertiesOf(schema)
        .slice(0, 1)
        .map(([key]) => key)
    : requiredOf(schema);
  return propertiesOf(schema).every(([key, inner]) => !needed.includes(key) || isCertain(inner));
};

/** Longest made-up text and list. */
const MAX_TEXT = 5_000;
const MAX_LIST = 1_000;

const texts = (schema: Schema): readonly GoodValue[] => {
  const fitting = patternTexts(schema).map((text) => madeUp('text of the pattern', text));
  if (schema['pattern'] !== undefined) return fitting;
  const formatted = formatText(schema);
  if (formatted !== null) return [madeUp('text of the format', formatted)];
  const least = numberAt(schema['minLength']) ?? 0;
  const most = numberAt(schema['maxLength']);
  return [
    madeUp('shortest text', 'a'.repeat(least)),
    ...(most === null || most > MAX_TEXT ? [] : [madeUp('longest text', 'a'.repeat(most))]),
    ...(least > 1 ? [] : [madeUp('text of many kinds', 'ä€😀\u0000"\\\n')]),
  ];
};

const numbers = (schema: Schema, isWhole: boolean): readonly GoodValue[] => {
  const [low, above, high] = ['minimum', 'exclusiveMinimum', 'maximum'].map((key) => numberAt(schema[key]));
  return [
    ...(low == null ? [] : [sure('least', low)]),
    ...(above == null ? [] : [sure('just above the bound', above + (isWhole ? 1 : 0.001))]),
    ...(high == null ? [madeUp('large', Number.MAX_SAFE_INTEGER)] : [sure('greatest', high)]),
    ...(isWhole || high != null ? [] : [madeUp('fraction', (low ?? 0) + 0.5)]),
  ];
};

const lists = (schema: Schema): readonly GoodValue[] => {
  const item = schemaAt(schema['items']);
  const least = numberAt(schema['minItems']) ?? 0;
  const most = numberAt(schema['maxItems']);
  const filled = (length: number): Json => Array.from({ length }, () => smallest(item));
  return [
    (isCertain(schema) ? sure : madeUp)('shortest list', filled(least)),
    madeUp('list of two', filled(Math.max(2, least))),
    ...(most === null || most > MAX_LIST ? [] : [madeUp('longest list', filled(most))]),
  ];
};

const objects = (schema: Schema): readonly GoodValue[] => {
  if (isOneFreeKey(schema))
    return [
      (isCertain(schema) ? sure : madeUp)('object of one free key', smallest({ ...schema, examples: [] })),
    ];
  if (propertiesOf(schema).length === 0) return isOneKey(schema) ? [] : [sure('empty object', {})];
  const kinds = isOneKey(schema) ? propertiesOf(schema) : null;
  if (kinds !== null)
    return kinds.flatMap(([kind, inner]) => [
      (isCertain(inner) ? sure : madeUp)(`smallest ${kind}`, { [kind]: smallest(inner) }),
      madeUp(`largest ${kind}`, { [kind]: largest(inner) }),
    ]);
  return [
    (isCertain(schema) ? sure : madeUp)('smallest object', smallest({ ...schema, examples: [] })),
    madeUp('largest object', largest(schema)),
  ];
};

const ofType = (schema: Schema, type: string): readonly GoodValue[] => {
  switch (type) {
    case 'string':
      return texts(schema);
    case 'integer':
    case 'number':
      return numbers(schema, type === 'integer');
    case 'boolean':
      return [sure('true', true), sure('false', false)];
    case 'array':
      return lists(schema);
    case 'object':
      return objects(schema);
    case 'null':
      return [sure('null', null)];
    default:
      throw new Error(`unknown type ${type}`);
  }
};

const ANYTHING: readonly GoodValue[] = [
  ...[null, true, 1.5, 'text', [], {}].map((value) => sure('anything', value)),
];

const ofAlternative = (schema: Schema): readonly GoodValue[] => {
  if (schema['const'] !== undefined || listAt(schema['enum']).length > 0) return [];
  const types = typesOf(schema);
  return types.length === 0 ? ANYTHING : types.flatMap((type) => ofType(schema, type));
};

/** Values that a place takes: what the document spells out, both ends of every range, each alternative. */
export const goodValuesOf = (schema: Schema): readonly GoodValue[] => [
  ...spelledOut(schema).map(([label, value]) => sure(label, value)),
  ...alternativesOf(schema).flatMap(ofAlternative),
];
