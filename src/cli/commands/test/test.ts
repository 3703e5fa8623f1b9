import { resolve } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { nodeFiles } from '../../../adapters/files/files.js';
import type { SpateError } from '../../../domain/errors.js';
import type { Command } from '../../arguments/command.js';
import { plural } from '../../arguments/numbers.js';
import { flagOption, textOption } from '../../arguments/option.js';
import { KEYRING_OPTION, keyringAccessOf } from '../../files/keyring.js';
import { problemLines, reportError } from '../../report.js';
import { EXIT, type Io } from '../../terminal/io.js';
import { type FoundTest, testsAt } from './find.js';
import { countsOf, isOk, junitText, resultsJson, summaryLine, testLines } from './report.js';
import { runTest, type TestResult } from './runTest.js';
import { updateFingerprint } from './update.js';

const options = {
  filter: textOption('TEXT', { help: 'Run only tests with this text in their path.' }),
  update: flagOption({
    help: 'Write the measured fingerprint into each tests file with no other failed check.',
  }),
  junit: textOption('FILE', { help: 'Write the results as JUnit XML.' }),
  json: flagOption({ help: 'Print one JSON object instead of lines.' }),
  'keyring-cryptfile': KEYRING_OPTION,
  'allow-subprocess': flagOption({ help: 'Allow templates to run programs on this machine.' }),
};

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

export const test: Command<typeof options> = {
  name: 'test',
  summary: 'Runs the tests of generators: checks of the events they make.',
  positionals: { usage: '[PATH...]', min: 0, max: Number.POSITIVE_INFINITY },
  options,
  notes: [
    'PATH is a generator folder, a folder of generators or one tests file (default: the working directory). Tests are YAML ' +
      'files in the folder tests beside a generator.yml; docs/testing-generators.md describes them.',
    'Runs generators in memory and opens no output. An event that fails always fails the test.',
    'Exit codes: 0 all checks are ok; 1 some failed, or there are no tests; 2 wrong usage.',
  ],
  examples: [
    { title: 'Test all generators', line: 'spate test generators' },
    { title: 'Accept the events as they are now', line: 'spate test generators/ecs-web-auth --update' },
    { title: 'Write a report for CI', line: 'spate test generators --junit results.xml' },
  ],
  run: async ({ options: values, positionals }, { io, services }) => {
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
          testLines(result)
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
  },
};
