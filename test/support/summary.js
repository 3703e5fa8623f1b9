/**
 * The end of every test run: names what was skipped and how to include it, and closes with one line of
 * counts. With SPATE_TEST_INSTALL=1 (as CI runs) a skipped test is a failure.
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
    if (!process.env.SPATE_TEST_CLUSTER)
      process.stdout.write('\nNot run: tests of whole clusters (SPATE_TEST_CLUSTER=1 npm test runs them)\n');
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    process.stdout.write(`\n${results.numPassedTests} passed, ${failed} failed, ${skipped.length} skipped\n`);
    this.isIncomplete = this.mustRunAll && skipped.length > 0;
  }

  getLastError() {
    return this.isIncomplete
      ? new Error('tests were skipped although SPATE_TEST_INSTALL=1 was set')
      : undefined;
  }
}
