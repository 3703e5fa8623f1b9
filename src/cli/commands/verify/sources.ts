import { resolve } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { readFileBytes, readStdinBytes } from '../../../adapters/verify/byteStreams.js';
import type { ClickhouseQuery } from '../../../adapters/verify/clickhouseRows.js';
import { failure, type Result } from '../../../domain/errors.js';
import { jsonRows, type RowReader, tabRows } from '../../../verify/arrival.js';
import type { VerifyQuery } from '../../../verify/query.js';
import type { Verifier } from '../../../verify/verifier.js';
import { verifyLines } from '../../../verify/verifyLines.js';

/** Names standard input among files. */
export const STDIN = '-';

/** Left: a file could not be read to its end. */
export const verifyFiles = async (
  verifier: Verifier,
  paths: readonly string[],
  cwd: string,
  signal: AbortSignal,
): Promise<Result<void>> => {
  for (const path of paths) {
    const sink = verifyLines(verifier, paths.length === 1 ? '' : path);
    const read =
      path === STDIN
        ? await readStdinBytes(sink.push, signal)
        : await readFileBytes(resolve(cwd, path), sink.push);
    if (E.isLeft(read)) return read;
    sink.end();
  }
  return E.right(undefined);
};

const ROWS: Readonly<Record<VerifyQuery['rows'], (column: string) => RowReader | null>> = {
  lines: () => null,
  tab: tabRows,
  json: jsonRows,
};

/** Left: the rows could not be read, or lack the column. */
export const verifyTable = async (
  verifier: Verifier,
  where: Omit<ClickhouseQuery, 'query'>,
  query: VerifyQuery,
  arrival_column: string,
): Promise<Result<void>> => {
  const rows = ROWS[query.rows](arrival_column);
  const sink = verifyLines(verifier, '', rows);
  // Lazy, to start fast.
  const { readClickhouseBytes } = await import('../../../adapters/verify/clickhouseRows.js');
  const read = await readClickhouseBytes({ ...where, query: query.text }, sink.push);
  if (E.isLeft(read)) return read;
  sink.end();
  const problem = rows?.problem() ?? null;
  return problem === null
    ? E.right(undefined)
    : E.left(failure('invalid', `${problem}. Correct --arrival-column or the query.`));
};
