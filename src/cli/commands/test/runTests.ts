import { resolve } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { nodeFiles } from '../../../adapters/files/files.js';
import type { TestFile } from '../../../analysis/expect/format.js';
import type { Edit } from '../../../config/yaml/edit.js';
import { editedText } from '../../../config/yaml/textEdit.js';
import { failure, type Result, type SpateError } from '../../../domain/errors.js';
import { plural } from '../../../domain/text/shown.js';
import type { CommandContext, Given } from '../../arguments/command.js';
import { keyringAccessOf } from '../../files/keyring.js';
import { problemLines, reportError } from '../../report.js';
import { EXIT, type Io } from '../../terminal/io.js';
import { type FoundTest, testOf, testsAt } from './find.js';
import { checkCountsOf, isOk, junitText, resultsJson, summaryLine, testLines } from './report.js';
import { runTest, type TestResult } from './runTest.js';
import type { testOptions } from './test.js';

const findAll = async (
  paths: readonly string[],
  cwd: string,
): Promise<E.Either<SpateError, readonly FoundTest[]>> => {
  const tests = new Map<string, FoundTest>();
  for (const path of paths) {
    const found = await testsAt(path, cwd);
    if (E.isLeft(found)) return found;
    for (const test of found.right) if (!tests.has(test.path)) tests.set(test.path, test);
  }
  return E.right([...tests.values()]);
};

/** Writes fingerprints; returns the result as it is now. */
const withUpdate = async (result: TestResult, io: Io): Promise<TestResult> => {
  const updated = await updateFingerprint(result);
  const { shown } = result.found;
  if (E.isLeft(updated)) {
    io.stderr.write(
      problemLines(updated.left)
        .map((line) => `spate: ${line}\n`)
        .join(''),
    );
    return { ...result, error: updated.left };
  }
  if (updated.right === 'refused') {
    io.stderr.write(`spate: ${shown}: the fingerprint is not written, because another check failed.\n`);
    return result;
  }
  if (updated.right === 'written') io.stderr.write(`${shown}: fingerprint written\n`);
  const { fingerprint } = result;
  const checks = result.checks.map((check) =>
    check.check === 'fingerprint' && fingerprint !== null
      ? { ...check, verdict: { isOk: true, measured: fingerprint, differences: [], first: null } }
      : check,
  );
  return { ...result, checks };
};

/** Resolves to the exit code of `spate test`. */
export const runTests = async (
  { options: values, positionals }: Given<typeof testOptions>,
  { io, services }: CommandContext,
): Promise<number> => {
  const paths = positionals.length === 0 ? ['.'] : positionals;
  const found = await findAll(paths, io.cwd);
  if (E.isLeft(found)) return reportError(io, found.left);
  const { filter } = values;
  const tests = found.right.filter(({ shown }) => filter === undefined || shown.includes(filter));
  if (tests.length === 0) {
    const others =
      found.right.length === 0 ? '' : ` with "${filter}" among ${plural(found.right.length, 'test')}`;
    io.stderr.write(
      `spate: no tests${others} in ${paths.join(', ')}. Tests are files such as tests/normal.yml beside a generator.yml.\n`,
    );
    return EXIT.failed;
  }
  const run = {
    services,
    keyring: keyringAccessOf(values['keyring-cryptfile'], io),
    allow_subprocess: values['allow-subprocess'] === true,
  };
  const results: TestResult[] = [];
  for (const one of tests) {
    const measured = await runTest(one, run);
    const result = values.update === true ? await withUpdate(measured, io) : measured;
    results.push(result);
    if (values.json !== true)
      io.stdout.write(
        testLines(result, values['failed-only'] === true)
          .map((line) => `${line}\n`)
          .join(''),
      );
  }
  io.stdout.write(
    values.json === true
      ? `${JSON.stringify(resultsJson(results), null, 2)}\n`
      : `${summaryLine(checkCountsOf(results))}\n`,
  );
  if (values.junit !== undefined) {
    const written = await nodeFiles.replaceText(resolve(io.cwd, values.junit), junitText(results));
    if (E.isLeft(written)) return reportError(io, written.left);
  }
  return results.every(isOk) ? EXIT.ok : EXIT.failed;
};

/** `kept`: the fingerprint is right already. */
type Updated = 'written' | 'kept' | 'refused';

const placesOf = ({ checks }: TestFile): readonly number[] =>
  checks.flatMap(({ kind }, index) => (kind === 'fingerprint' ? [index] : []));

/** Everything but fingerprints, to compare. */
const othersOf = ({ checks, ...rest }: TestFile): string =>
  JSON.stringify([rest, checks.filter(({ kind }) => kind !== 'fingerprint')]);

/**
 * Writes the measured fingerprint into a tests file: into its fingerprint check, or as a new check at the end. Comments
 * and layout stay. `refused`: another check fails, so the events are not what they should be.
 */
const updateFingerprint = async ({
  found,
  read,
  fingerprint,
  checks,
}: TestResult): Promise<Result<Updated>> => {
  if (read === null || fingerprint === null) return E.right('refused');
  if (checks.some(({ check, verdict }) => check !== 'fingerprint' && !verdict.isOk))
    return E.right('refused');
  const places = placesOf(read.test);
  const isKept =
    places.length > 0 &&
    read.test.checks.every(({ kind, params }) => kind !== 'fingerprint' || params === fingerprint);
  if (isKept) return E.right('kept');
  const edits: readonly Edit[] =
    places.length === 0
      ? [{ op: 'set', path: ['checks', read.test.checks.length], value: { fingerprint } }]
      : places.map((place) => ({ op: 'set', path: ['checks', place, 'fingerprint'], value: fingerprint }));
  const text = editedText(
    read.text,
    () => edits,
    (next) => {
      const decoded = testOf(next, found.shown);
      if (E.isLeft(decoded) || othersOf(decoded.right.test) !== othersOf(read.test)) return null;
      return decoded.right.test.checks.some(
        ({ kind, params }) => kind === 'fingerprint' && params === fingerprint,
      )
        ? next
        : null;
    },
  );
  if (text === null)
    return E.left(
      failure(
        'invalid',
        `${found.shown}: the fingerprint cannot be written into this layout. Add "- fingerprint: ${fingerprint}" to the checks.`,
      ),
    );
  const written = await nodeFiles.replaceText(found.path, text);
  return E.isLeft(written) ? written : E.right('written');
};
