import { isJsonObject, type Json, type JsonObject } from '../../../src/domain/json.js';

/** A JSON Schema (2020-12) as the OpenAPI document has it. */
export type Schema = JsonObject;

/** What an operation takes in its path, query or headers. */
export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly schema: Schema;
}

/** One documented answer: schemas by media type, names of documented headers. */
export interface Answer {
  readonly content: Readonly<Record<string, Schema>>;
  readonly headers: readonly string[];
}

/** One operation of the document. */
export interface Operation {
  readonly id: string;
  /** Upper case. */
  readonly method: string;
  /** Template below the prefix, e.g. `/generators/{id}/stats`. */
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** Schemas of the body by media type; `null` for an operation without a body. */
  readonly body: Readonly<Record<string, Schema>> | null;
  /** By status, as text. */
  readonly answers: Readonly<Record<string, Answer>>;
  /** True when it asks for no credentials. */
  readonly isOpen: boolean;
}

const record = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {});
const list = (value: Json | undefined): readonly Json[] =>
  Array.isArray(value) ? (value as readonly Json[]) : [];

/** The schema that a reference of this document leads to; one without a reference is itself. */
export const resolveIn = (document: JsonObject, schema: Schema): Schema => {
  const { $ref } = schema;
  if (typeof $ref !== 'string') return schema;
  const found = $ref
    .replace(/^#\//, '')
    .split('/')
    .reduce<Json | undefined>((value, key) => record(value)[key], document);
  if (!isJsonObject(found)) throw new Error(`the document has no ${$ref}`);
  return resolveIn(document, found);
};

const schemasOf = (holder: Json | undefined): Readonly<Record<string, Schema>> =>
  Object.fromEntries(
    Object.entries(record(record(holder)['content'])).map(([type, body]) => [
      type,
      record(record(body)['schema']),
    ]),
  );

const parameterOf = (given: Json): Parameter => {
  const { name, in: where, required, schema } = record(given);
  if (typeof name !== 'string' || (where !== 'path' && where !== 'query' && where !== 'header'))
    throw new Error(`not a parameter: ${JSON.stringify(given)}`);
  return { name, in: where, required: required === true, schema: record(schema) };
};

const operationOf = (path: string, method: string, given: JsonObject): Operation => ({
  id: String(given['operationId']),
  method: method.toUpperCase(),
  path,
  parameters: list(given['parameters']).map(parameterOf),
  body: given['requestBody'] === undefined ? null : schemasOf(given['requestBody']),
  answers: Object.fromEntries(
    Object.entries(record(given['responses'])).map(([status, answer]) => [
      status,
      { content: schemasOf(answer), headers: Object.keys(record(record(answer)['headers'])) },
    ]),
  ),
  isOpen: Array.isArray(given['security']) && given['security'].length === 0,
});

/** Every operation of an OpenAPI 3.1 document, in its order. */
export const operationsOf = (document: JsonObject): readonly Operation[] =>
  Object.entries(record(document['paths'])).flatMap(([path, methods]) =>
    Object.entries(record(methods)).map(([method, given]) => operationOf(path, method, record(given))),
  );
