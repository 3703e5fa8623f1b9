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

export interface ArrayType {
  readonly kind: 'array';
  readonly items: AvroType;
}

export interface MapType {
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
export const typeName = (type: AvroType): string => ('name' in type ? type.name : type.kind);
