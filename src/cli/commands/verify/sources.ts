import { resolve } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { readFileBytes, readStdinBytes } from '../../../adapters/verify/byteStreams.js';
import type { ClickhouseQuery } from '../../../adapters/verify/clickhouseRows.js';
import { failure, type Result } from '../../../domain/errors.js';
import { readLabel } from '../../../domain/imperfections/label.js';
import { jsonRows, type RowReader, tabRows } from '../../../verify/arrival.js';
import { makeLineCutter } from '../../../verify/lines.js';
import type { VerifyQuery } from '../../../verify/query.js';
import { makeTruth, type Truth } from '../../../verify/truth.js';
import type { Verifier } from '../../../verify/verifier.js';
import { verifyLines } from '../../../verify/verifyLines.js';

/** Names standard input among files. */
export const STDIN = '-';

/** Returns an error when a file could not be read to its end. */
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

/** Returns an error when a file cannot be read, is no ground truth, or the files are of several outputs. */
export const readTruth = async (paths: readonly string[], cwd: string): Promise<Result<Truth | null>> => {
  if (paths.length === 0) return E.right(null);
  const truth = makeTruth();
  for (const path of paths) {
    const wrong: number[] = [];
    let number = 0;
    const cutter = makeLineCutter({
      onLine: (bytes, from, to, isEnded) => {
        number++;
        const label = readLabel(bytes.toString('utf8', from, to));
        if (label !== null) truth.add(label);
        // A crash may cut the last line; its event is made and labelled again.
        else if (isEnded && to > from) wrong.push(number);
      },
      onTooLong: () => wrong.push(++number),
    });
    const read = await readFileBytes(resolve(cwd, path), cutter.push);
    if (E.isLeft(read)) return read;
    cutter.end();
    const [first] = wrong;
    if (first !== undefined)
      return E.left(failure('invalid', `${path}: line ${first} is no label of a ground truth`));
  }
  const outputs = truth.outputs();
  return outputs.length <= 1
    ? E.right(truth)
    : E.left(
        failure(
          'invalid',
          `the ground truth is of several outputs (${outputs.join(', ')}): give each its own \`ground_truth\` file`,
        ),
      );
};

const ROWS: Readonly<Record<VerifyQuery['rows'], (column: string) => RowReader | null>> = {
  lines: () => null,
  tab: tabRows,
  json: jsonRows,
};

/** Returns an error when the rows could not be read, or lack the column. */
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
