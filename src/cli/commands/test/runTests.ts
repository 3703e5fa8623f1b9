import { resolve } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { nodeFiles } from '../../../adapters/files/files.js';
import type { SpateError } from '../../../domain/errors.js';
import type { CommandContext, Given } from '../../arguments/command.js';
import { plural } from '../../arguments/numbers.js';
import { keyringAccessOf } from '../../files/keyring.js';
import { problemLines, reportError } from '../../report.js';
import { EXIT, type Io } from '../../terminal/io.js';
import { type FoundTest, testsAt } from './find.js';
import { countsOf, isOk, junitText, resultsJson, summaryLine, testLines } from './report.js';
import { runTest, type TestResult } from './runTest.js';
import type { testOptions } from './test.js';
import { updateFingerprint } from './update.js';

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
      : `${summaryLine(countsOf(results))}\n`,
  );
  if (values.junit !== undefined) {
    const written = await nodeFiles.replaceText(resolve(io.cwd, values.junit), junitText(results));
    if (E.isLeft(written)) return reportError(io, written.left);
  }
  return results.every(isOk) ? EXIT.ok : EXIT.failed;
};
