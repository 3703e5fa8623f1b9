import { dirname, resolve } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { nodeFiles } from '../../../adapters/files/files.js';
import { invalid } from '../../../config/report.js';
import { placeIssues } from '../../../config/yaml/source.js';
import type { Issue, Result } from '../../../domain/errors.js';
import { reasonOf } from '../../../domain/errors.js';
import type { Json } from '../../../domain/json.js';
import type { SchemaProblem } from '../../../expect/checks/events.js';
import type { TestFile } from '../../../expect/format.js';
import type { FoundTest } from './find.js';
import { testOf } from './testFile.js';

const MAX_BYTES = 1024 * 1024;

export interface ReadTest {
  readonly text: string;
  readonly test: TestFile;
  /** Compiled schemas of the schema checks, by the index of the check. */
  readonly schemas: ReadonlyMap<number, SchemaProblem>;
}

const parsed = (text: string): E.Either<string, Json> =>
  E.tryCatch(
    () => JSON.parse(text) as Json,
    (thrown) => `is not JSON: ${reasonOf(thrown)}`,
  );

const schemaIn = async (folder: string, given: Json): Promise<E.Either<string, Json>> => {
  if (typeof given !== 'string') return E.right(given);
  const text = await nodeFiles.readText(resolve(folder, given), MAX_BYTES);
  return E.isLeft(text) ? E.left(text.left.message) : parsed(text.right);
};

/** Reads a tests file and its schemas. */
export const readTest = async ({ path, shown }: FoundTest): Promise<Result<ReadTest>> => {
  const text = await nodeFiles.readText(path, MAX_BYTES);
  if (E.isLeft(text)) return text;
  const decoded = testOf(text.right, shown);
  if (E.isLeft(decoded)) return decoded;
  const { test, document } = decoded.right;
  const issues: Issue[] = [];
  const schemas = new Map<number, SchemaProblem>();
  for (const [index, { kind, params }] of test.checks.entries()) {
    if (kind !== 'schema') continue;
    const refuse = (message: string): void =>
      void issues.push({ path: ['checks', index, 'schema'], type: 'bad_format', message });
    const schema = await schemaIn(dirname(path), params);
    if (E.isLeft(schema)) {
      refuse(`the schema cannot be used: ${schema.left}`);
      continue;
    }
    // Loaded on demand: no other command needs it.
    const { compileJsonSchema } = await import('../../../adapters/jsonSchema.js');
    const compiled = compileJsonSchema(schema.right);
    if (E.isLeft(compiled)) refuse(`the schema cannot be used: ${compiled.left.message}`);
    else schemas.set(index, compiled.right);
  }
  return issues.length > 0
    ? E.left(invalid(shown, placeIssues(document.source, issues)))
    : E.right({ text: text.right, test, schemas });
};
