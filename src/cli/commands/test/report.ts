import { excerpt, type Offender } from '../../../analysis/expect/checker.js';
import type { Json, JsonObject } from '../../../domain/json.js';
import { plural } from '../../../domain/text/shown.js';
import { problemLines } from '../../report.js';
import type { CheckOutcome, TestResult } from './runTest.js';

const nameOf = ({ check, subject }: CheckOutcome): string => (subject === '' ? check : `${check} ${subject}`);

const offenderText = ({ number, micros, text }: Offender, time: TestResult['time']): string =>
  `event ${number} at ${time(micros)}: ${excerpt(text)}`;

/** Differences of a failed check and its first event, one a line. */
const detailsOf = ({ verdict }: CheckOutcome, { time }: Pick<TestResult, 'time'>): readonly string[] => [
  ...verdict.differences,
  ...(verdict.first === null ? [] : [offenderText(verdict.first, time)]),
];

export const isOk = ({ error, checks }: TestResult): boolean =>
  error === null && checks.every(({ verdict }) => verdict.isOk);

/** One line a check, or only a failed one, with the differences of failed ones below. */
export const testLines = (result: TestResult, failedOnly: boolean): readonly string[] => {
  const { found, error, checks } = result;
  // Problems of the tests file begin with its path.
  if (error !== null)
    return problemLines(error).map(
      (line) => `FAILED ${line.startsWith(found.shown) ? '' : `${found.shown}: `}${line}`,
    );
  return checks.flatMap((check) => {
    const { isOk: isFine, measured } = check.verdict;
    const line = `${isFine ? 'ok    ' : 'FAILED'} ${found.shown}: ${nameOf(check)}: ${measured}`;
    if (isFine && failedOnly) return [];
    return isFine ? [line] : [line, ...detailsOf(check, result).map((detail) => `       ${detail}`)];
  });
};

interface Counts {
  readonly generators: number;
  readonly tests: number;
  readonly checks: number;
  /** A test that could not run counts as one. */
  readonly failed: number;
}

export const checkCountsOf = (results: readonly TestResult[]): Counts => ({
  generators: new Set(results.map(({ found }) => found.config)).size,
  tests: results.length,
  checks: results.reduce((sum, { checks }) => sum + checks.length, 0),
  failed: results.reduce(
    (sum, { error, checks }) =>
      sum + (error === null ? 0 : 1) + checks.filter(({ verdict }) => !verdict.isOk).length,
    0,
  ),
});

export const summaryLine = ({ generators, tests, checks, failed }: Counts): string =>
  `${plural(generators, 'generator')}, ${plural(tests, 'test')}, ${plural(checks, 'check')}: ${failed === 0 ? 'all ok' : `${failed} FAILED`}`;

const checkJson = (check: CheckOutcome, { time }: TestResult): JsonObject => {
  const { isOk: isFine, measured, differences, first } = check.verdict;
  return {
    check: check.check,
    subject: check.subject === '' ? null : check.subject,
    ok: isFine,
    measured,
    differences: [...differences],
    event:
      first === null
        ? null
        : { number: first.number, timestamp: time(first.micros), text: excerpt(first.text) },
  };
};

/** The results for `--json`. */
export const resultsJson = (results: readonly TestResult[]): Json => ({
  ...checkCountsOf(results),
  results: results.map((result) => ({
    generator: result.found.generator,
    file: result.found.shown,
    ok: isOk(result),
    problems: result.error === null ? [] : [...problemLines(result.error)],
    seconds: Number(result.seconds.toFixed(3)),
    fingerprint: result.fingerprint,
    checks: result.checks.map((check) => checkJson(check, result)),
  })),
});

const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** For XML 1.0: escaped, without characters that it cannot hold. */
const xml = (text: string): string =>
  text
    .replace(LONE_SURROGATE, '\ufffd')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML 1.0 cannot hold
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
    .replace(/[<>&"\n\r\t]/g, (one) => `&#${one.charCodeAt(0)};`);

const testCase = (suite: string, name: string, failure: readonly string[] | null): string => {
  const open = `    <testcase classname="${xml(suite)}" name="${xml(name)}"`;
  if (failure === null) return `${open}/>`;
  const [message = '', ...rest] = failure;
  return `${open}><failure message="${xml(message)}">${xml(rest.join('\n'))}</failure></testcase>`;
};

const testSuite = (result: TestResult): string => {
  const { found, error, checks, seconds } = result;
  const cases =
    error === null
      ? checks.map((check) => {
          const { isOk: isFine, measured } = check.verdict;
          return testCase(
            found.shown,
            nameOf(check),
            isFine ? null : [measured, ...detailsOf(check, result)],
          );
        })
      : [testCase(found.shown, 'run', problemLines(error))];
  const failures = checkCountsOf([result]).failed;
  return [
    `  <testsuite name="${xml(found.shown)}" tests="${cases.length}" failures="${failures}" errors="0" time="${seconds.toFixed(3)}">`,
    ...cases,
    '  </testsuite>',
  ].join('\n');
};

/** JUnit XML: a suite a tests file, a case a check. */
export const junitText = (results: readonly TestResult[]): string => {
  const { checks, failed } = checkCountsOf(results);
  const errors = results.filter(({ error }) => error !== null).length;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="spate test" tests="${checks + errors}" failures="${failed}">`,
    ...results.map(testSuite),
    '</testsuites>',
    '',
  ].join('\n');
};
