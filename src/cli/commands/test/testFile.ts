import * as E from 'fp-ts/lib/Either.js';
import { invalid } from '../../../config/report.js';
import { type Expanded, readDocument } from '../../../config/yaml/document.js';
import { placeIssues } from '../../../config/yaml/source.js';
import type { Issue, Result } from '../../../domain/errors.js';
import { type TestFile, testFileShape } from '../../../expect/format.js';
import { decode } from '../../../schema/index.js';

/** Decodes a tests file. Returns an error with every problem, by line and column, when it is invalid. */
export const testOf = (
  text: string,
  shown: string,
): Result<{ readonly test: TestFile; readonly document: Expanded }> =>
  E.flatMap((document: Expanded) =>
    E.bimap(
      (issues: readonly Issue[]) => invalid(shown, placeIssues(document.source, issues)),
      (test: TestFile) => ({ test, document }),
    )(decode(testFileShape, document.value)),
  )(readDocument(text, shown, testFileShape));
