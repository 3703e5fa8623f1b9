import { resolve } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { nodeFiles } from '../../../adapters/files/files.js';
import { readFileBytes, readStdinBytes } from '../../../adapters/verify/byteStreams.js';
import type { ClickhouseQuery } from '../../../adapters/verify/clickhouseRows.js';
import { makeLineCutter, verifyLines } from '../../../analysis/verify/lines.js';
import {
  hasNoMarks,
  type InputLine,
  type Mismatch,
  purposeOf,
  type VerifyReport,
} from '../../../analysis/verify/report.js';
import {
  jsonRows,
  type RowReader,
  tabRows,
  type VerifyQuery,
  verifyQuery,
} from '../../../analysis/verify/rows.js';
import type { SequenceRange } from '../../../analysis/verify/sequences.js';
import type { Latency, StreamReport } from '../../../analysis/verify/streamTally.js';
import { type FlawCounts, makeTruth, type Truth } from '../../../analysis/verify/truth.js';
import { makeVerifier, type Verifier } from '../../../analysis/verify/verifier.js';
import { failure, type Result } from '../../../domain/errors.js';
import { LABELLED } from '../../../domain/imperfections.js';
import { plural, showCount } from '../../../domain/text/shown.js';
import { readLabel } from '../../../imperfections/label.js';
import type { CommandContext, Given } from '../../arguments/command.js';
import { reportError, usageError } from '../../report.js';
import { type EndingSignal, EXIT, exitCodeOf, type Io } from '../../terminal/io.js';
import { showRough } from '../../terminal/text.js';
import { CLICKHOUSE_PASSWORD_VARIABLE, DEFAULT_SHOWN } from '../limits.js';
import type { verifyOptions } from './verify.js';

const MAX_PASSWORD_BYTES = 64 * 1024;

type Values = Given<typeof verifyOptions>['options'];

type Task =
  | { readonly kind: 'files'; readonly paths: readonly string[] }
  | { readonly kind: 'table'; readonly url: string; readonly query: VerifyQuery };

const TABLE_OPTIONS = ['query', 'user', 'password-file', 'arrival-column'] as const;

/** Credentials on a command line are visible to all users of the machine. */
const wrongUrl = (text: string): string | null => {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    return '--clickhouse must be a URL such as http://localhost:8123';
  }
  const { username, password } = new URL(text);
  return username === '' && password === ''
    ? null
    : `--clickhouse must hold no credentials: give --user, and --password-file or ${CLICKHOUSE_PASSWORD_VARIABLE}`;
};

const taskOf = (values: Values, paths: readonly string[]): E.Either<string, Task> => {
  const { clickhouse: url, query } = values;
  if (url === undefined) {
    const stray = TABLE_OPTIONS.find((name) => values[name] !== undefined);
    if (stray !== undefined) return E.left(`--${stray} needs --clickhouse`);
    if (paths.length === 0)
      return E.left('nothing to verify: give a FILE, - for standard input, or --clickhouse');
    // Labels are written while events are made: read before, they would be incomplete.
    if (paths.includes(STDIN) && values['ground-truth'] !== undefined)
      return E.left(
        '--ground-truth needs files or --clickhouse: standard input is read while labels are still written',
      );
    return E.right({ kind: 'files', paths });
  }
  if (paths.length > 0) return E.left('give either FILE or --clickhouse, not both');
  if (query === undefined) return E.left('--clickhouse needs --query');
  const wrong = wrongUrl(url);
  if (wrong !== null) return E.left(wrong);
  return E.map((made: VerifyQuery): Task => ({ kind: 'table', url, query: made }))(
    verifyQuery(query, values['arrival-column'] !== undefined),
  );
};

const passwordOf = async (values: Values, { env, cwd }: Io): Promise<Result<string>> => {
  const file = values['password-file'];
  if (file === undefined) return E.right(env[CLICKHOUSE_PASSWORD_VARIABLE] ?? '');
  const text = await nodeFiles.readText(resolve(cwd, file), MAX_PASSWORD_BYTES);
  return E.map((read: string) => read.replace(/\r?\n$/, ''))(text);
};

/** The first Ctrl-C also reaches the writer of the pipe: read its last events. Other signals end reading. */
const readingSignals = (io: Io, isPipe: boolean) => {
  const ending = new AbortController();
  let received: EndingSignal | null = null;
  let isPatient = isPipe;
  const release = io.onSignal((signal) => {
    if (signal === 'SIGINT' && isPatient) {
      isPatient = false;
      io.stderr.write('spate verify: reading to the end of the input; Ctrl-C again to stop at once\n');
      return;
    }
    if (received !== null || !isPipe) return io.die(received ?? signal);
    received = signal;
    ending.abort('over');
  });
  return { signal: ending.signal, received: (): EndingSignal | null => received, release };
};

const read = async (
  verifier: Verifier,
  task: Task,
  values: Values,
  io: Io,
  signal: AbortSignal,
): Promise<Result<void>> => {
  if (task.kind === 'files') return verifyFiles(verifier, task.paths, io.cwd, signal);
  const password = await passwordOf(values, io);
  if (E.isLeft(password)) return password;
  const where = { url: task.url, user: values.user ?? 'default', password: password.right };
  return verifyTable(verifier, where, task.query, values['arrival-column'] ?? '');
};

const NO_MARKS =
  'spate verify: set `marks: text`, `tsv` or `json` on the event plugin (script, template or replay), and write whole ' +
  'events.\n';

const answer = (report: VerifyReport, seconds: number, values: Values, io: Io): number => {
  io.stdout.write(
    values.json === true
      ? `${JSON.stringify({ ...report, seconds }, null, 2)}\n`
      : verifyReportText(report, seconds),
  );
  if (hasNoMarks(report)) io.stderr.write(NO_MARKS);
  return report.ok ? EXIT.ok : EXIT.failed;
};

const verifyTask = async (task: Task, values: Values, { io, services }: CommandContext): Promise<number> => {
  const isPipe = task.kind === 'files' && task.paths.includes(STDIN);
  const signals = readingSignals(io, isPipe);
  const truth = await readTruth(values['ground-truth'] ?? [], io.cwd);
  if (E.isLeft(truth)) {
    signals.release();
    return reportError(io, truth.left);
  }
  const startedMs = services.clock.monotonicMs();
  const verifier = makeVerifier({
    max_shown: values['max-shown'] ?? DEFAULT_SHOWN,
    has_order: task.kind === 'files',
    truth: truth.right,
  });
  const done = await read(verifier, task, values, io, signals.signal);
  signals.release();
  if (E.isLeft(done)) return reportError(io, done.left);
  const report = verifier.report({
    expected: values.expect ?? null,
    allow_duplicates: values['allow-duplicates'] === true,
  });
  const code = answer(report, (services.clock.monotonicMs() - startedMs) / 1_000, values, io);
  const signal = signals.received();
  return signal === null ? code : exitCodeOf(signal);
};

/** Resolves to the exit code of `spate verify`. */
export const runVerify = async (
  { options: values, positionals }: Given<typeof verifyOptions>,
  context: CommandContext,
): Promise<number> => {
  const task = taskOf(values, positionals);
  if (E.isRight(task)) return verifyTask(task.right, values, context);
  return usageError(context.io, 'verify', task.left);
};

/** Names standard input among files. */
const STDIN = '-';

/** Returns an error when a file could not be read to its end. */
const verifyFiles = async (
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
const readTruth = async (paths: readonly string[], cwd: string): Promise<Result<Truth | null>> => {
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
const verifyTable = async (
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

/** ` (a, b, ...)`; dots mark a cut list. */
const listed = (items: readonly string[], isWhole: boolean): string =>
  items.length === 0 ? '' : ` (${[...items, ...(isWhole ? [] : ['...'])].join(', ')})`;

const showRange = ([from, to]: SequenceRange): string => (from === to ? String(from) : `${from}-${to}`);

const sizeOf = (ranges: readonly SequenceRange[]): number =>
  ranges.reduce((sum, [from, to]) => sum + to - from + 1, 0);

const showLine = ({ input, line }: InputLine): string => (input === '' ? `line ${line}` : `${input}:${line}`);

const showMismatch = (mismatch: Mismatch): string =>
  `${showLine(mismatch)}: ${mismatch.stream}:${mismatch.sequence}`;

const latencyText = ({ p50, p99, max, early }: Latency): string => {
  const before = early === 0 ? '' : `; ${showCount(early)} before their timestamp`;
  return `latency p50 ${showRough(p50)} ms, p99 ${showRough(p99)} ms, max ${showRough(max)} ms${before}`;
};

const purposeText = (counts: FlawCounts): string => {
  const some = LABELLED.filter((flaw) => counts[flaw] > 0);
  return some.length === 0
    ? 'nothing'
    : some.map((flaw) => `${showCount(counts[flaw])} ${flaw.replaceAll('_', ' ')}`).join(', ');
};

const streamText = (stream: StreamReport): string => {
  const { lost, duplicates, out_of_order, latency_ms, on_purpose } = stream;
  const lines = [
    `stream ${stream.stream}: ${plural(stream.events, 'event')}, numbers ${stream.first}..${stream.last}`,
    `lost ${showCount(lost.count)}${listed(lost.ranges.map(showRange), sizeOf(lost.ranges) >= lost.count)}`,
    `duplicates ${showCount(duplicates.count)}${listed(duplicates.first.map(String), duplicates.first.length >= duplicates.count)}`,
    out_of_order === null
      ? 'order not checked: table rows have none'
      : `out of order ${showCount(out_of_order)}`,
    ...(on_purpose === null ? [] : [`on purpose: ${purposeText(on_purpose)}`]),
    ...(latency_ms === null ? [] : [latencyText(latency_ms)]),
  ];
  return lines.join('\n  ');
};

interface Listed<P> {
  readonly count: number;
  readonly first: readonly P[];
}

const counted = <P>(
  what: string,
  { count, first }: Listed<P>,
  show: (location: P) => string,
): readonly string[] =>
  count === 0 ? [] : [`${what} ${showCount(count)}${listed(first.map(show), first.length >= count)}`];

const verifyReportText = (report: VerifyReport, seconds: number): string => {
  const rate = seconds > 0 ? ` (${showRough(report.lines / seconds)}/s)` : '';
  const lines = [
    `${plural(report.lines, 'line')} in ${showRough(seconds)} s${rate}`,
    ...counted('without a mark', report.unmarked, showLine),
    ...counted('torn', report.torn, showLine),
    ...counted('wrong checksum', report.mismatches, showMismatch),
    ...counted('too long to check', report.too_long, showLine),
    ...(report.unchecked === 0 ? [] : [`with a mark but no text ${showCount(report.unchecked)}`]),
  ];
  const verdict = report.ok
    ? purposeOf(report.streams) === null
      ? `ok: ${report.events === 1 ? 'the event' : `all ${showCount(report.events)} events`} arrived`
      : `ok: ${plural(report.events, 'event')} arrived; the ground truth explains the rest`
    : `not ok: ${report.problems.join(', ')}`;
  return `${[...report.streams.map(streamText), lines.join('\n  '), verdict].join('\n')}\n`;
};
