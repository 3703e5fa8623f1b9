import { readdirSync, readFileSync } from 'node:fs';

const textOf = (path) => {
  try {
    return readFileSync(path, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    // It has ended, or belongs to another user.
    return '';
  }
};

/** Processes of this run that are still there, beside those of Jest: `jest.config.js` marks the environment. Linux only. */
export const leftOver = (run = process.env.SPATE_TEST_RUN) => {
  const mark = new RegExp(`(^| )SPATE_TEST_RUN=${run}( |$)`);
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
      .filter((pid) => mark.test(textOf(`/proc/${pid}/environ`)))
      .map((pid) => `${pid} ${textOf(`/proc/${pid}/cmdline`)}`)
      .filter((line) => !/^\d+ *$|jest-worker|jest\.js/.test(line));
  } catch {
    return [];
  }
};

/**
 * The end of every test run: names what was skipped and how to include it, and what tests left running, and closes
 * with one line of counts. With SPATE_TEST_INSTALL=1 (as CI runs) both are failures.
 */
export default class Summary {
  constructor() {
    this.mustRunAll = process.env.SPATE_TEST_INSTALL === '1';
  }

  onRunComplete(_contexts, results) {
    const skipped = results.testResults.flatMap((file) =>
      file.testResults
        .filter(({ status }) => status === 'pending' || status === 'todo')
        .map(({ fullName }) => fullName),
    );
    if (skipped.length > 0) {
      process.stdout.write(
        `\nSkipped (SPATE_TEST_INSTALL=1 npm test installs what they need and runs them):\n`,
      );
      for (const name of skipped) process.stdout.write(`  - ${name}\n`);
    }
    if (process.env.SPATE_TEST_FAST)
      process.stdout.write('\nNot run: all but the fast tier (npm test runs everything)\n');
    else {
      if (!process.env.SPATE_TEST_CLUSTER)
        process.stdout.write(
          '\nNot run: tests of whole clusters (SPATE_TEST_CLUSTER=1 npm test runs them)\n',
        );
      if (!process.env.SPATE_TEST_DEBIAN)
        process.stdout.write(
          'Not run: the packages in a Debian of its own (SPATE_TEST_DEBIAN=FOLDER npm test -- test/package/debian)\n',
        );
    }
    const running = leftOver();
    if (running.length > 0) {
      process.stdout.write('\nStill running, started by tests (process id, command):\n');
      for (const line of running) process.stdout.write(`  - ${line}\n`);
    }
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    process.stdout.write(`\n${results.numPassedTests} passed, ${failed} failed, ${skipped.length} skipped\n`);
    this.problem =
      skipped.length > 0 ? 'tests were skipped' : running.length > 0 ? 'tests left programs running' : null;
  }

  getLastError() {
    return this.mustRunAll && this.problem !== null
      ? new Error(`${this.problem} although SPATE_TEST_INSTALL=1 was set`)
      : undefined;
  }
}
