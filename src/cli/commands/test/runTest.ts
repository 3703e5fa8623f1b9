import { dirname, resolve } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { boundedCalls } from '../../../adapters/bounded.js';
import { nodeFiles } from '../../../adapters/files/files.js';
import {
  type Checker,
  type CheckVerdict,
  excerpt,
  failed,
  passed,
} from '../../../analysis/expect/checker.js';
import {
  fingerprinter,
  fingerprintVerdict,
  type SchemaProblem,
} from '../../../analysis/expect/checks/events.js';
import { rateCounter } from '../../../analysis/expect/checks/rate.js';
import type { Check, CheckKind, ParamsOf, TestFile } from '../../../analysis/expect/format.js';
import { checkerOf, checkRunner, needsJson, subjectOf } from '../../../analysis/expect/runner.js';
import { invalid } from '../../../config/report.js';
import { locateIssues } from '../../../config/yaml/source.js';
import { type Issue, type Result, reasonOf, type SpateError } from '../../../domain/errors.js';
import type { GeneratorParams } from '../../../domain/generator.js';
import type { Json } from '../../../domain/json.js';
import { plural, showCount } from '../../../domain/text/shown.js';
import { isoFormatter, parseIso } from '../../../domain/time/iso.js';
import { MICROS_PER_SECOND, type Micros } from '../../../domain/time/micros.js';
import { utc, type Zone, zoneOf } from '../../../domain/time/zone.js';
import type { KeyringAccess } from '../../../ports/keyring.js';
import { paramsOf } from '../../arguments/sharedOptions.js';
import type { Sampled, SampleFailure } from '../../compose/sample.js';
import type { Services } from '../../terminal/io.js';
import { type FoundTest, testOf } from './find.js';

/** Limit of the checks of one batch of events; usual is a hundredth of a second. */
const CHECK_LIMIT_MS = 15_000;
/** Failures shown. */
const MAX_FAILURES = 3;
const MICROS_PER_HOUR = 3_600 * MICROS_PER_SECOND;

export interface CheckOutcome {
  /** `events`: all were made and formatted. */
  readonly check: CheckKind | 'events';
  readonly subject: string;
  readonly verdict: CheckVerdict;
}

export interface TestResult {
  readonly found: FoundTest;
  /** Why nothing was checked. Null when the generator ran. */
  readonly error: SpateError | null;
  readonly read: ReadTest | null;
  readonly checks: readonly CheckOutcome[];
  readonly fingerprint: string | null;
  /** Prints the timestamps of events. */
  readonly time: (micros: Micros) => string;
  readonly seconds: number;
}

interface RunOptions {
  readonly services: Services;
  readonly keyring: KeyringAccess;
  readonly allow_subprocess: boolean;
}

const FAILURE = { input: 'an input failed', produce: 'no event', format: 'not formatted' } as const;

/** Every timestamp gave its events, and every event could be formatted. */
const eventsVerdict = (
  wanted: number,
  made: number,
  failures: readonly SampleFailure[],
  count: number,
  time: (micros: Micros) => string,
): CheckVerdict => {
  const short = made < wanted ? `; the inputs ended after ${plural(made, 'event')}` : '';
  if (count === 0 && short === '') return passed(`${plural(made, 'event')}, none failed`);
  const shown = failures.map(({ kind, micros, reason, event }) => {
    const at = micros === null ? '' : ` at ${time(micros)}`;
    return `${FAILURE[kind]}${at}: ${excerpt(reason)}${event === null ? '' : `: ${excerpt(event)}`}`;
  });
  return failed(
    `${showCount(made)} of ${plural(wanted, 'event')}, ${showCount(count)} failed${short}`,
    shown,
  );
};

const rateVerdict = async (
  params: ParamsOf<'rate'>,
  generator: GeneratorParams,
  zone: Zone,
  { services, keyring }: RunOptions,
): Promise<Result<CheckVerdict>> => {
  const from = parseIso(params.from, zone) ?? 0;
  const counter = rateCounter(params, from, zone);
  const { sampleTimestamps } = await services.sample();
  const to = from + params.hours * MICROS_PER_HOUR;
  const sampled = await sampleTimestamps({ params: generator, keyring, from, to });
  if (E.isLeft(sampled)) return sampled;
  for await (const { micros, length } of sampled.right.batches) counter.see(micros, length);
  const [reason] = sampled.right.failures;
  return E.right(reason === undefined ? counter.end() : failed(`an input failed: ${reason}`));
};

interface Watched {
  readonly made: number;
  readonly failures: readonly SampleFailure[];
  readonly failed: number;
  readonly fingerprint: string;
  readonly verdicts: readonly CheckVerdict[];
}

const watch = async (
  { batches }: Sampled,
  checks: readonly Check[],
  checkers: readonly Checker[],
): Promise<Watched> => {
  const runner = checkRunner(checkers, {
    within: boundedCalls(CHECK_LIMIT_MS),
    needsJson: needsJson(checks),
  });
  const hash = fingerprinter();
  const failures: SampleFailure[] = [];
  let [made, count] = [0, 0];
  for await (const batch of batches) {
    made += batch.events.length;
    count += batch.failures.length;
    failures.push(...batch.failures.slice(0, MAX_FAILURES - failures.length));
    for (const text of batch.formatted) hash.see(text);
    runner.see({
      texts: batch.formatted,
      microsOf: (index) => batch.micros[batch.origins[index] ?? 0] ?? 0,
    });
  }
  return { made, failures, failed: count, fingerprint: hash.digest(), verdicts: runner.verdicts() };
};

interface Judged {
  readonly checks: readonly CheckOutcome[];
  readonly fingerprint: string;
}

const judge = async (
  { test, schemas }: ReadTest,
  generator: GeneratorParams,
  zone: Zone,
  options: RunOptions,
): Promise<Result<Judged>> => {
  const { services, keyring, allow_subprocess } = options;
  const { sampleEvents } = await services.sample();
  const sampled = await sampleEvents({
    params: generator,
    keyring,
    globals: test.globals,
    now: parseIso(test.now, zone) ?? 0,
    events: test.events,
    output: 1,
    allow_subprocess,
  });
  if (E.isLeft(sampled)) return sampled;
  const rows = test.checks.map((check, index) => ({
    check,
    checker: checkerOf(check, schemas.get(index) ?? null),
  }));
  const seeing = rows.flatMap(({ checker }) => (checker === null ? [] : [checker]));
  const watched = await watch(sampled.right, test.checks, seeing);
  const verdictOf = new Map(
    seeing.map((checker, index) => [checker, watched.verdicts[index] as CheckVerdict]),
  );
  const time = isoFormatter(zone);
  const checks: CheckOutcome[] = [
    {
      check: 'events',
      subject: '',
      verdict: eventsVerdict(test.events, watched.made, watched.failures, watched.failed, time),
    },
  ];
  for (const { check, checker } of rows) {
    const add = (verdict: CheckVerdict): void =>
      void checks.push({ check: check.kind, subject: subjectOf(check), verdict });
    if (checker !== null) add(verdictOf.get(checker) as CheckVerdict);
    if (check.kind === 'fingerprint') add(fingerprintVerdict(check.params, watched.fingerprint));
    if (check.kind === 'rate') {
      const verdict = await rateVerdict(check.params, generator, zone, options);
      if (E.isLeft(verdict)) return verdict;
      add(verdict.right);
    }
  }
  return E.right({ checks, fingerprint: watched.fingerprint });
};

const judgeRead = async (
  read: Result<ReadTest>,
  found: FoundTest,
  zone: Zone,
  options: RunOptions,
): Promise<Result<Judged>> => {
  if (E.isLeft(read)) return read;
  const { seed, params, timezone } = read.right.test;
  const generator = paramsOf({ seed, params, timezone }, found.config);
  return E.isLeft(generator) ? generator : judge(read.right, generator.right, zone, options);
};

/** Runs one tests file. */
export const runTest = async (found: FoundTest, options: RunOptions): Promise<TestResult> => {
  const { clock } = options.services;
  const startedMs = clock.monotonicMs();
  const read = await readTest(found);
  const zone = (E.isRight(read) ? zoneOf(read.right.test.timezone) : null) ?? utc;
  const judged = await judgeRead(read, found, zone, options);
  return {
    found,
    error: E.isLeft(judged) ? judged.left : null,
    read: E.isRight(read) ? read.right : null,
    checks: E.isRight(judged) ? judged.right.checks : [],
    fingerprint: E.isRight(judged) ? judged.right.fingerprint : null,
    time: isoFormatter(zone),
    seconds: (clock.monotonicMs() - startedMs) / 1_000,
  };
};

const MAX_BYTES = 1024 * 1024;

interface ReadTest {
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
const readTest = async ({ path, shown }: FoundTest): Promise<Result<ReadTest>> => {
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
    ? E.left(invalid(shown, locateIssues(document.source, issues)))
    : E.right({ text: text.right, test, schemas });
};
