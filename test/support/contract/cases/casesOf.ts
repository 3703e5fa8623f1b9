import type { Operation, Schema } from '../document.js';
import { ACCESS_CASES } from './accessCases.js';
import { bodyCases, type IsValid } from './bodyCases.js';
import { headerCases } from './headerCases.js';
import { type IsValidText, methodCases, pathCases } from './pathCases.js';
import { neededQuery, queryCases } from './queryCases.js';
import { rawJsonCases } from './rawBodyCases.js';
import { type RequestCase, TAKEN } from './requestCase.js';
import { uploadCases } from './uploadCases.js';

/** What the enumeration is told beside the document. */
export interface CaseOptions {
  /** Operations of the same document, for the methods of a path. */
  readonly all: readonly Operation[];
  /** A schema without its reference. */
  readonly resolve: (schema: Schema) => Schema;
  /** A validator of bodies. */
  readonly bodyValidator: (schema: Schema) => IsValid;
  readonly isValidText: IsValidText;
  /** Chooses some of a list, the same for the same seed. */
  readonly pick: <A>(from: readonly A[], count: number) => readonly A[];
  /** Texts of parameters of the query that must name something. */
  readonly query: Readonly<Record<string, string>>;
}

/** True for an operation that takes a file instead of JSON. */
export const takesFile = ({ body }: Operation): boolean =>
  body !== null && Object.hasOwn(body, 'multipart/form-data');

const ofBody = (operation: Operation, options: CaseOptions): readonly RequestCase[] => {
  const { body } = operation;
  if (body === null)
    return [
      {
        label: 'an unexpected body',
        isBroken: true,
        expected: { kind: 'open', value: null },
        headers: { 'content-type': 'application/json' },
        body: () => '{"a": 1',
      },
    ];
  if (takesFile(operation)) return uploadCases(body['multipart/form-data'] ?? {});
  const [schema] = Object.values(body);
  if (schema === undefined) throw new Error(`${operation.id} has a body without a schema`);
  return [
    ...bodyCases(options.resolve(schema), options.bodyValidator(schema), options.pick),
    ...rawJsonCases(Object.keys(body)),
  ];
};

/** Whether one path can be made from both templates: `/a/{x}` and `/a/b` have `/a/b` in common. */
const isSamePath = (template: string, other: string): boolean => {
  const [left, right] = [template, other].map((path) => path.replace(/\/$/, '').split('/'));
  return (
    left?.length === right?.length &&
    (left ?? []).every(
      (part, i) => part === right?.[i] || part.startsWith('{') || right?.[i]?.startsWith('{'),
    )
  );
};

/** Methods of the paths that an operation's path could be taken for, its own among them. */
export const methodsAt = ({ path }: Operation, all: readonly Operation[]): readonly string[] =>
  all.filter((other) => isSamePath(other.path, path)).map(({ method }) => method);

/**
 * Everything that is sent to one operation: the request with the least, then what its parameters, headers, body
 * and methods make of it. Pure: the same document and seed give the same requests.
 */
export const casesOf = (operation: Operation, options: CaseOptions): readonly RequestCase[] => {
  const base = neededQuery(operation, options.query);
  return [
    { label: 'the least', isBroken: false, expected: TAKEN },
    ...ACCESS_CASES,
    ...headerCases(operation),
    ...queryCases(operation, base, options.isValidText),
    ...pathCases(operation, options.isValidText),
    ...ofBody(operation, options),
    ...methodCases(methodsAt(operation, options.all), operation),
  ];
};

/** The smallest media type and schema of a body, for requests that are about something else. */
export const plainBody = (operation: Operation): readonly [type: string, schema: Schema] | null => {
  if (operation.body === null) return null;
  if (takesFile(operation)) return ['application/octet-stream', { type: 'string' }];
  const [first] = Object.entries(operation.body);
  return first ?? null;
};
