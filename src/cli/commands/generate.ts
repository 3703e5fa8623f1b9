import { relative, resolve } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { drawSeed } from '../../adapters/entropy.js';
import { streamLog } from '../../adapters/logs/streamLog.js';
import type { LogLevel, SpateError } from '../../domain/errors.js';
import { type GeneratorParams, NO_TWEAKS, type RunTweaks } from '../../domain/generator.js';
import { MAX_PARTITIONS } from '../../domain/partitions.js';
import { asSentence } from '../../domain/text/shown.js';
import { resolveBeginning } from '../../domain/time/expression.js';
import { parseIso } from '../../domain/time/iso.js';
import type { Micros } from '../../domain/time/micros.js';
import { utc, zoneOf } from '../../domain/time/zone.js';
import type { GeneratorStats } from '../../messages/generators.js';
import type { Command, CommandContext, OptionValues } from '../arguments/command.js';
import { choiceOption, countOption, flagOption, integerOption, textOption } from '../arguments/option.js';
import { configFileOf, GENERATOR_OPTIONS, PLUGIN_OPTIONS, paramsOf } from '../arguments/sharedOptions.js';
import type { SingleRun } from '../compose/single.js';
import { KEYRING_OPTION, keyringAccessOf } from '../files/keyring.js';
import { type OutputEntry, outputsOf } from '../files/outputs.js';
import { reportError, usageError } from '../report.js';
import { EXIT, exitCodeOf, type Io, type Services, stopOnSignal } from '../terminal/io.js';
import {
  failureLines,
  hasColors,
  newNotes,
  notedLog,
  type ProgressOf,
  progressText,
  type RunNotes,
  type StatusLine,
  shortfallText,
  statusLine,
  summaryText,
} from '../terminal/progress.js';

/** Log level by the number of `-v`. */
const LEVELS = ['warning', 'critical', 'error', 'warning', 'info', 'debug'] as const;

const PROGRESS_EVERY_MS = 1_000;

export const generateOptions = {
  ...GENERATOR_OPTIONS,
  partitions: integerOption(
    'N',
    {
      help: 'Share the schedule between N pipelines, each on a thread, to use several cores (default 1). With --limit, each makes its share.',
    },
    { min: 1, max: MAX_PARTITIONS },
  ),
  to: textOption('TIME', {
    help: 'End before this time, such as now, -1h or 2026-01-31T12:00:00Z (default: the inputs decide).',
  }),
  workers: integerOption(
    'N',
    {
      help: 'Make the time from --from to --to (default now) in pieces, N at once, each on a thread. Any N makes the same events, and writes those of files and standard output in order. Each piece begins with an empty state. Implies --fast.',
    },
    { min: 1, max: MAX_PARTITIONS },
  ),
  fast: flagOption({ help: 'The same as --live-mode false: as fast as possible.' }),
  limit: integerOption(
    'N',
    { help: 'Stop after this many events. Exits with 1 if the run ends before.' },
    { min: 1 },
  ),
  now: textOption('TIME', {
    help: 'Stop the clock at this ISO 8601 time, for reproducible runs. Requires --fast.',
  }),
  state: textOption('DIR', {
    help: 'Store dead letters and the position of the run in this folder (default with --resume: "state").',
  }),
  resume: flagOption({
    help: 'Continue where the last run with this --state ended, crashed or was stopped.',
  }),
  'allow-subprocess': flagOption({ help: 'Allow templates to run programs on this machine.' }),
  trace: flagOption({
    help: 'Show on standard error which templates and lines made each event (template plugin).',
  }),
  'keyring-cryptfile': KEYRING_OPTION,
  ...PLUGIN_OPTIONS,
  'allow-failures': flagOption({
    help: 'Exit with 0 even if events could not be delivered or --limit was not reached.',
  }),
  'log-level': choiceOption(['critical', 'error', 'warning', 'info', 'debug'], {
    help: 'Lowest level of the log on standard error (default warning).',
  }),
  verbose: countOption(LEVELS.length - 1, {
    short: 'v',
    help: 'The same by count: -v critical, -vv error, -vvv warning, -vvvv info, -vvvvv debug.',
  }),
  quiet: flagOption({ short: 'q', help: 'No log, progress or summary; errors are still reported.' }),
};

type Values = OptionValues<typeof generateOptions>;

const DEFAULT_STATE = 'state';

/** Returns the absolute path of the state folder, or null without one. */
const stateOf = ({ state, resume }: Values, cwd: string): string | null => {
  if (state !== undefined) return resolve(cwd, state);
  return resume === true ? resolve(cwd, DEFAULT_STATE) : null;
};

/** Parses `--now`. Returns the problem when it cannot be used. */
const fixedNow = (text: string | undefined, params: GeneratorParams): E.Either<string, number | null> => {
  if (text === undefined) return E.right(null);
  if (params.live_mode) return E.left('--now needs --fast: live events wait for the real time');
  const instant = parseIso(text, zoneOf(params.timezone) ?? utc);
  return instant === null
    ? E.left(`--now must be an ISO 8601 time such as 2026-01-31T12:00:00Z, not "${text}"`)
    : E.right(instant);
};

/** A past that several workers make, in microseconds. */
interface History {
  readonly begin: Micros;
  readonly end: Micros;
  readonly workers: number;
}

interface Limits {
  /** Null when the inputs decide. */
  readonly until: Micros | null;
  /** Null without workers. */
  readonly history: History | null;
}

/** Resolves `--from` and `--to` against the start of the command. Returns the problem when they do not fit. */
const limitsOf = (
  { to, workers }: Values,
  { from, timezone }: GeneratorParams,
  now: Micros,
): E.Either<string, Limits> => {
  const zone = zoneOf(timezone) ?? utc;
  const at = (option: string, text: string): E.Either<string, Micros> =>
    text === 'now'
      ? E.right(now)
      : E.mapLeft((problem: string) => `${option} ${problem}`)(resolveBeginning(text, now, zone));
  const begin = from === null ? E.right(null) : at('--from', from);
  if (E.isLeft(begin)) return begin;
  const end = to === undefined && workers === undefined ? E.right(null) : at('--to', to ?? 'now');
  if (E.isLeft(end)) return end;
  if (begin.right === null || end.right === null) return E.right({ until: end.right, history: null });
  if (begin.right >= end.right) return E.left('--to must be later than --from');
  const history = workers === undefined ? null : { begin: begin.right, end: end.right, workers };
  return E.right({ until: end.right, history });
};

/** Returns why `--workers` cannot be used with the other options, or null when it can. */
const workersConflict = (values: Values): string | null => {
  if (values.workers === undefined) return null;
  if (values.from === undefined)
    return '--workers needs --from: it makes a time of which each worker takes pieces';
  if (values['live-mode'] === true)
    return '--workers makes the past as fast as possible: leave out --live-mode';
  const others = (['limit', 'partitions', 'state', 'resume', 'skip-past'] as const).filter(
    (name) => values[name] !== undefined,
  );
  return others.length === 0 ? null : `--workers does not go with --${others[0]}`;
};

/** A status line would garble events on the terminal. */
const printsToTerminal = (outputs: readonly OutputEntry[], io: Io): boolean =>
  outputs.some(
    ({ kind, params }) =>
      kind === 'stdout' && (params['stream'] === 'stderr' ? io.stderr : io.stdout).isTerminal,
  );

const hasProgress = async (path: string, io: Io): Promise<boolean> => {
  if (!io.stderr.isTerminal) return false;
  const outputs = await outputsOf(path);
  return E.isRight(outputs) && !printsToTerminal(outputs.right, io);
};

const showProgress = async (
  run: SingleRun,
  line: StatusLine,
  { clock, ...more }: Pick<Services, 'clock'> & Pick<ProgressOf, 'limit' | 'isLive'>,
  signal: AbortSignal,
): Promise<void> => {
  const startedMs = clock.monotonicMs();
  let produced = 0;
  let atMs = startedMs;
  for (;;) {
    await clock.sleepMs(PROGRESS_EVERY_MS, signal);
    const stats = signal.aborted ? null : await run.stats();
    if (signal.aborted) return;
    if (stats === null) continue;
    const nowMs = clock.monotonicMs();
    const passed = (nowMs - atMs) / 1_000;
    const eventsPerSecond = passed > 0 ? (stats.event.produced - produced) / passed : 0;
    line.show(progressText({ stats, eventsPerSecond, seconds: (nowMs - startedMs) / 1_000, ...more }));
    produced = stats.event.produced;
    atMs = nowMs;
  }
};

interface Ended {
  readonly error: SpateError | null;
  readonly stats: GeneratorStats | null;
  readonly notes: RunNotes;
}

/** Reports failures; returns the exit code of a run without a signal. */
const judge = (
  { error, stats, notes }: Ended,
  { isAllowed, limit }: { readonly isAllowed: boolean; readonly limit: number | null },
  io: Io,
): number => {
  // `spate generate | head` takes what it wants: one sentence is enough.
  const failures = stats === null || error?.code === 'reader_gone' ? [] : failureLines(stats, notes.causes);
  const shortfall = stats === null || error !== null ? null : shortfallText(stats, limit, notes);
  const code = error === null ? EXIT.ok : reportError(io, error);
  const lines = shortfall === null ? failures : [...failures, shortfall];
  const advice = isAllowed || error !== null ? '' : ' --allow-failures accepts it.';
  lines.forEach((line, index) => {
    io.stderr.write(`spate: ${asSentence(line)}${index === lines.length - 1 ? advice : ''}\n`);
  });
  if (error !== null) return code;
  return isAllowed || lines.length === 0 ? EXIT.ok : EXIT.failed;
};

/** With the config as the file of its problems; those of the parameters come from the command line. */
const located = (error: SpateError, file: string): SpateError =>
  error.issues?.some(({ path: [first] }) => first === 'params') === true ? error : { file, ...error };

const levelOf = ({ quiet, trace, verbose, 'log-level': named }: Values): LogLevel | null => {
  if (quiet === true) return null;
  const level = named ?? LEVELS[verbose ?? 0] ?? 'warning';
  return trace === true && level !== 'debug' ? 'info' : level;
};

const runIt = async (
  params: GeneratorParams,
  tweaks: RunTweaks,
  history: History | null,
  values: Values,
  { io, services }: CommandContext,
): Promise<number> => {
  const line = statusLine(io.stderr, hasColors(io.stderr, io.env));
  let run: SingleRun | null = null;
  const signals = stopOnSignal(io, () => run?.stop());
  const [{ runSingle }, pieces, isProgressShown] = await Promise.all([
    services.single(),
    // Lazy: few runs are in pieces.
    history === null ? null : import('../compose/pieces.js'),
    values.quiet !== true && hasProgress(params.path, io),
  ]);
  const startedMs = services.clock.monotonicMs();
  const early = signals.received();
  if (early !== null) {
    signals.release();
    return exitCodeOf(early);
  }
  const notes = newNotes();
  const log = notedLog(streamLog({ level: levelOf(values), format: 'plain', write: line.print }), notes);
  const state = stateOf(values, io.cwd);
  const keyring = keyringAccessOf(values['keyring-cryptfile'], io);
  const common = { tweaks, allow_subprocess: values['allow-subprocess'] === true, log, keyring };
  run =
    pieces === null || history === null
      ? runSingle({
          ...common,
          params: { ...params, checkpoint: state !== null },
          partitions: values.partitions ?? 1,
          state,
        })
      : pieces.runPieces({
          ...common,
          ...history,
          params: { ...params, checkpoint: false },
          seed: params.seed ?? drawSeed(),
        });
  const ending = new AbortController();
  const progress = isProgressShown
    ? showProgress(
        run,
        line,
        { clock: services.clock, limit: values.limit ?? null, isLive: params.live_mode },
        ending.signal,
      )
    : Promise.resolve();
  const ended = await run.ended;
  ending.abort();
  await progress;
  notes.release(ended.error);
  line.clear();
  signals.release();
  const hasRun = ended.error === null || (ended.stats?.event.produced ?? 0) > 0;
  if (ended.stats !== null && hasRun && values.quiet !== true) {
    const seconds = (services.clock.monotonicMs() - startedMs) / 1_000;
    io.stderr.write(`${summaryText(ended.stats, seconds, params.live_mode)}\n`);
  }
  const signal = signals.received();
  // A stopped run is expected to end before its limit.
  const limit = signal === null ? (values.limit ?? null) : null;
  const error = ended.error === null ? null : located(ended.error, relative(io.cwd, params.path));
  const code = judge({ ...ended, error, notes }, { isAllowed: values['allow-failures'] === true, limit }, io);
  if (values.resume === true && ended.error === null && ended.stats?.event.produced === 0) {
    io.stderr.write(`spate: nothing left to do: the run in ${state} has finished.\n`);
  }
  return signal === null ? code : exitCodeOf(signal);
};

export const generate: Command<typeof generateOptions> = {
  name: 'generate',
  summary: 'Runs one generator, without settings or server.',
  positionals: { usage: 'PATH', min: 1, max: 1 },
  options: generateOptions,
  usesPlugins: true,
  notes: [
    'PATH is a config file, or a folder with a generator.yml.',
    'Events go to the outputs of the config; log, progress and summary go to standard error. On a terminal the progress is in color unless NO_COLOR is set.',
    'With --state, Spate saves the position every second. After a crash only events made since the last save can be ' +
      'duplicated; after a stop or a finished run none.',
    'SIGINT and SIGTERM stop the run: events in flight are delivered within ten seconds or, with --state, stored as dead ' +
      'letters. Others are abandoned and reported. A second signal ends it at once.',
    'Exit codes: 0 all events were delivered; 1 invalid config or option, failed events, or --limit was not reached; ' +
      '2 wrong usage; 130 or 143 stopped by SIGINT or SIGTERM.',
  ],
  examples: [
    {
      title: 'Generate a thousand events as fast as possible',
      line: 'spate generate generators/access-log --fast --limit 1000',
    },
    {
      title: 'Generate live, with logs and a parameter',
      line: `spate generate generators/access-log --param host=web-1 --log-level info`,
    },
    {
      title: 'Generate the same bytes every time',
      line: 'spate generate generators/access-log --fast --seed 42 --now 2026-01-31T12:00:00Z',
    },
    {
      title: 'Make the last week on two cores',
      line: 'spate generate generators/access-log --from -7d --workers 2',
    },
    {
      title: 'Resume with the next event after a crash or Ctrl-C',
      line: 'spate generate generators/access-log --state state --resume',
    },
  ],
  run: async ({ options: given, positionals: [path = ''] }, context) => {
    const { io } = context;
    if (given.fast === true && given['live-mode'] === true)
      return usageError(io, 'generate', 'give --fast or --live-mode true, not both');
    const conflict = workersConflict(given);
    if (conflict !== null) return usageError(io, 'generate', conflict);
    const isFast = given.fast === true || given.workers !== undefined;
    const values = isFast ? { ...given, 'live-mode': false } : given;
    const file = await configFileOf(path, io.cwd);
    const params = paramsOf(values, file);
    if (E.isLeft(params)) return reportError(io, params.left);
    const now = fixedNow(values.now, params.right);
    if (E.isLeft(now)) return usageError(io, 'generate', now.left);
    const limits = limitsOf(values, params.right, now.right ?? context.services.clock.now());
    if (E.isLeft(limits)) return usageError(io, 'generate', limits.left);
    const tweaks: RunTweaks = {
      ...NO_TWEAKS,
      fixed_now: now.right,
      until: limits.right.until,
      limit: values.limit ?? null,
      starts_over: values.resume !== true,
      is_traced: values.trace === true,
    };
    return runIt(params.right, tweaks, limits.right.history, values, context);
  },
};
