import type { Json } from '../../../domain/json.js';

// Apache Avro 1.12, "Schema Declaration".

export const PRIMITIVES = [
  ...(['null', 'boolean', 'int', 'long', 'float', 'double', 'bytes', 'string'] as const),
] as const;

export interface PrimitiveType {
  readonly kind: (typeof PRIMITIVES)[number];
  readonly logical: Logical | null;
}

export interface FixedType {
  readonly kind: 'fixed';
  readonly name: string;
  readonly size: number;
  readonly logical: Logical | null;
}

export interface EnumType {
  readonly kind: 'enum';
  readonly name: string;
  readonly symbols: readonly string[];
}

export interface RecordField {
  readonly name: string;
  readonly type: AvroType;
  /** JSON of the default. Undefined when there is none. */
  readonly fallback: Json | undefined;
}

export interface RecordType {
  readonly kind: 'record';
  readonly name: string;
  /** Filled while the schema is read: a record may contain itself. */
  readonly fields: RecordField[];
}

interface ArrayType {
  readonly kind: 'array';
  readonly items: AvroType;
}

interface MapType {
  readonly kind: 'map';
  readonly values: AvroType;
}

export interface UnionType {
  readonly kind: 'union';
  readonly branches: readonly AvroType[];
}

export type NamedType = FixedType | EnumType | RecordType;
export type AvroType = PrimitiveType | NamedType | ArrayType | MapType | UnionType;

export type Logical =
  | { readonly name: 'date' | 'time-millis' | 'time-micros' | 'uuid' }
  | { readonly name: 'timestamp-millis' | 'timestamp-micros' }
  | { readonly name: 'local-timestamp-millis' | 'local-timestamp-micros' }
  | { readonly name: 'decimal'; readonly precision: number; readonly scale: number };

/** Name in messages, and of a branch in Avro's JSON encoding. */
export const avroTypeName = (type: AvroType): string => ('name' in type ? type.name : type.kind);

// Apache Avro 1.12, "Parsing Canonical Form for Schemas" and "Schema Fingerprints".

/** Parsing Canonical Form: readers that share it read the same bytes. */
export const canonicalForm = (root: AvroType): string => {
  const declared = new Set<string>();
  const quote = (text: string): string => JSON.stringify(text);
  const form = (type: AvroType): string => {
    if (type.kind === 'union') return `[${type.branches.map(form).join(',')}]`;
    if (type.kind === 'array') return `{"type":"array","items":${form(type.items)}}`;
    if (type.kind === 'map') return `{"type":"map","values":${form(type.values)}}`;
    if (!('name' in type)) return quote(type.kind);
    if (declared.has(type.name)) return quote(type.name);
    declared.add(type.name);
    const head = `{"name":${quote(type.name)},"type":"${type.kind}",`;
    if (type.kind === 'fixed') return `${head}"size":${type.size}}`;
    if (type.kind === 'enum') return `${head}"symbols":[${type.symbols.map(quote).join(',')}]}`;
    const fields = type.fields.map((field) => `{"name":${quote(field.name)},"type":${form(field.type)}}`);
    return `${head}"fields":[${fields.join(',')}]}`;
  };
  return form(root);
};

/** Fingerprint of no bytes, and the polynomial. */
const EMPTY = 0xc15d_213a_a4d7_a795n;

const table = (): readonly bigint[] =>
  Array.from({ length: 256 }, (_, index) => {
    let entry = BigInt(index);
    for (let bit = 0; bit < 8; bit++) entry = (entry >> 1n) ^ (EMPTY & -(entry & 1n));
    return entry;
  });

/** CRC-64-AVRO. */
export const fingerprint = (bytes: Uint8Array): bigint => {
  const entries = table();
  let sum = EMPTY;
  for (const byte of bytes) sum = (sum >> 8n) ^ (entries[Number((sum ^ BigInt(byte)) & 0xffn)] as bigint);
  return sum;
};
