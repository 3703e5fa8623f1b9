import type * as E from 'fp-ts/lib/Either.js';
import type { Issue } from '../../domain/errors.js';
import { checkDirectoryName, MAX_SEGMENT_BYTES } from '../../domain/identifiers.js';
import { decode, type JsonSchema, record, required, text } from '../../schema/index.js';
import { nameParam } from '../params.js';
import { value, valueDoc } from '../reply.js';
import { type BodySpec, route } from '../route.js';
import { refTo } from '../schemaParts.js';

const TAG = 'Library';
const params = { name: nameParam('Name of the library generator.') };

const copyShape = record({
  name: required(
    text({
      label: 'name of a directory',
      minLength: 1,
      maxLength: MAX_SEGMENT_BYTES,
      check: checkDirectoryName,
    }),
    { help: 'Name of the new generator directory.', example: 'my-shop' },
  ),
});

/** The rule of `checkDirectoryName` without lengths in bytes. */
const PATTERN =
  '^(?!\\.)[^/\\\\\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069]+$';

const { name: nameSchema } = copyShape.schema['properties'] as Readonly<Record<string, JsonSchema>>;

export const copySchema: JsonSchema = {
  ...copyShape.schema,
  properties: { name: { ...nameSchema, pattern: PATTERN } },
};

const KIB = 1_024;

const copyBody: BodySpec<{ readonly name: string }> = {
  kind: 'json',
  mediaTypes: ['application/json'],
  limit_bytes: 4 * KIB,
  schemaName: 'LibraryCopyRequest',
  check: (body): E.Either<readonly Issue[], { readonly name: string }> => decode(copyShape, body),
};

/** Ready-made generators, to start new ones from. */
export const libraryRoutes = () =>
  [
    route({
      id: 'listLibrary',
      method: 'get',
      path: '/library/',
      tag: TAG,
      summary: 'List ready-made generators',
      description: 'Returns what each imitates, its parameters, anomalies and detections, sorted by name.',
      success: valueDoc('The library generators.', { type: 'array', items: refTo('LibraryItem') }),
      errors: ['unreadable'],
      request: () => ({ type: 'library.list', payload: null }),
      reply: value,
    }),
    route({
      id: 'readLibraryGenerator',
      method: 'get',
      path: '/library/{name}',
      tag: TAG,
      summary: 'Read a ready-made generator with its files',
      description: 'Files above 128 KiB, files after the first 1 MiB, and binary files have no text.',
      params,
      success: valueDoc('The library generator.', refTo('LibraryGenerator')),
      errors: ['not_found', 'too_large', 'unreadable'],
      request: ({ path }) => ({ type: 'library.read', payload: { name: path.name } }),
      reply: value,
    }),
    route({
      id: 'copyLibraryGenerator',
      method: 'post',
      path: '/library/{name}/copy',
      tag: TAG,
      summary: 'Create a generator from a ready-made one',
      description:
        'Copies all files into a new generator directory. Fails with 409 if the name exists. The copy is complete or absent, and is not started.',
      params,
      body: copyBody,
      success: { ...valueDoc('Created.', refTo('LibraryCopy')), status: 201 },
      errors: ['not_found', 'already_exists', 'too_large', 'unreadable', 'unwritable'],
      request: ({ path, body }) => ({
        type: 'library.copy',
        payload: { library: path.name, name: body.name },
      }),
      reply: (answer: { readonly name: string; readonly path: string }) => ({
        status: 201,
        kind: 'json',
        value: answer,
      }),
    }),
  ] as const;
