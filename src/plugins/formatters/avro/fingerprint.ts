import type { AvroType } from './schema.js';

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
