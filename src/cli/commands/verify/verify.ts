import { resolve } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { nodeFiles } from '../../../adapters/files/files.js';
import type { Result } from '../../../domain/errors.js';
import { type VerifyQuery, verifyQuery } from '../../../verify/query.js';
import { hasNoMarks, type VerifyReport } from '../../../verify/report.js';
import { makeVerifier, type Verifier } from '../../../verify/verifier.js';
import type { Command, CommandContext, Given } from '../../arguments/command.js';
import { flagOption, integerOption, textOption } from '../../arguments/option.js';
import { reportError, usageError } from '../../report.js';
import { EXIT, exitCodeOf, type Io, type Signal } from '../../terminal/io.js';
import { reportText } from './reportText.js';
import { STDIN, verifyFiles, verifyTable } from './sources.js';

const DEFAULT_SHOWN = 10;
const MAX_SHOWN = 10_000;
const PASSWORD_VARIABLE = 'SPATE_CLICKHOUSE_PASSWORD';
const MAX_PASSWORD_BYTES = 64 * 1024;

const options = {
  clickhouse: textOption('URL', {
    help: 'Read from this server, e.g. http://localhost:8123. Requires --query.',
  }),
  query: textOption('SQL', {
    help: 'Query to read; in FORMAT TabSeparated unless it names another one.',
  }),
  user: textOption('NAME', { help: 'Database user (default: default).' }),
  'password-file': textOption('FILE', {
    help: `File with the password (default: $${PASSWORD_VARIABLE}).`,
  }),
  'arrival-column': textOption('NAME', {
    help: 'Column with the arrival time of a row, to measure latency: DateTime (UTC) or epoch number.',
  }),
  expect: integerOption(
    'N',
    { help: 'Number of distinct events that must have arrived on all streams; detects a missing end.' },
    { min: 1 },
  ),
  'allow-duplicates': flagOption({
    help: 'Accept duplicates and torn lines, for at-least-once delivery.',
  }),
  'max-shown': integerOption(
    'N',
    { help: `Numbers and lines to list per problem (default ${DEFAULT_SHOWN}).` },
    { min: 0, max: MAX_SHOWN },
  ),
  json: flagOption({ help: 'Print the report as JSON.' }),
};

type Values = Given<typeof options>['options'];

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
    : `--clickhouse must hold no credentials: give --user, and --password-file or ${PASSWORD_VARIABLE}`;
};

const taskOf = (values: Values, paths: readonly string[]): E.Either<string, Task> => {
  const { clickhouse: url, query } = values;
  if (url === undefined) {
    const stray = TABLE_OPTIONS.find((name) => values[name] !== undefined);
    if (stray !== undefined) return E.left(`--${stray} needs --clickhouse`);
    if (paths.length === 0)
      return E.left('nothing to verify: give a FILE, - for standard input, or --clickhouse');
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
  if (file === undefined) return E.right(env[PASSWORD_VARIABLE] ?? '');
  const text = await nodeFiles.readText(resolve(cwd, file), MAX_PASSWORD_BYTES);
  return E.map((read: string) => read.replace(/\r?\n$/, ''))(text);
};

/** The first Ctrl-C also reaches the writer of the pipe: read its last events. Other signals end reading. */
const readingSignals = (io: Io, isPipe: boolean) => {
  const ending = new AbortController();
  let received: Signal | null = null;
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
  return { signal: ending.signal, received: (): Signal | null => received, release };
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
      : reportText(report, seconds),
  );
  if (hasNoMarks(report)) io.stderr.write(NO_MARKS);
  return report.ok ? EXIT.ok : EXIT.failed;
};

const verifyTask = async (task: Task, values: Values, { io, services }: CommandContext): Promise<number> => {
  const isPipe = task.kind === 'files' && task.paths.includes(STDIN);
  const signals = readingSignals(io, isPipe);
  const startedMs = services.clock.monotonicMs();
  const verifier = makeVerifier({
    max_shown: values['max-shown'] ?? DEFAULT_SHOWN,
    has_order: task.kind === 'files',
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

export const verify: Command<typeof options> = {
  name: 'verify',
  summary: 'Checks delivered events by their marks: loss, duplicates, order, damage, latency.',
  positionals: { usage: 'FILE...', min: 0, max: Number.POSITIVE_INFINITY },
  options,
  notes: [
    'Set `marks` on the event plugin (script, template, replay) to add marks: stream, sequence number and checksum. Each line is ' +
      'one event; events of several lines, JSON arrays (json-batch) and reformatted JSON are recognized.',
    'FILE - is standard input. Reading from a pipe also measures latency: the time from the timestamp of an event to its arrival.',
    'With --clickhouse, --query must return rows as they were written: all columns in order, the mark last (a JSON member ' +
      '`spate` with FORMAT JSONEachRow). If a column holds whole events, end the query with FORMAT TSVRaw. A query of only the ' +
      'mark detects loss and duplicates, but not damage. --arrival-column is removed from the row first.',
    'An event with a wrong checksum counts as lost. Sequence numbers start at 1 in each stream.',
    'Exit codes: 0 no loss, duplicates or damage; 1 some, no marks found, or unreadable input; 2 wrong usage. ' +
      'Wrong order and lines without a mark do not fail.',
  ],
  examples: [
    { title: 'Verify a file', line: 'spate verify out/events.log --expect 100000' },
    {
      title: 'Verify a live stream, with latency',
      line: 'spate verify -',
    },
    {
      title: 'Verify a table',
      line: "spate verify --clickhouse http://localhost:8123 --query 'SELECT at, page, mark FROM visits'",
    },
  ],
  run: async ({ options: values, positionals }, context) => {
    const task = taskOf(values, positionals);
    if (E.isRight(task)) return verifyTask(task.right, values, context);
    return usageError(context.io, 'spate verify', task.left);
  },
};
