import * as E from 'fp-ts/lib/Either.js';
import { Failed, failure, type Result, reasonOf, systemCodeOf } from '../../../domain/errors.js';
import type { JsonObject } from '../../../domain/json.js';
import { MICROS_PER_SECOND, type Micros } from '../../../domain/time/micros.js';
import { compileStrptime } from '../../../domain/time/strptime.js';
import { compilePattern } from '../../../domain/timestamps/pattern.js';
import type { ValueOf } from '../../../schema/shape.js';
import type { Input, InputContext, InputPlugin } from '../../kit.js';
import type { RecordPlayer } from '../../pairs.js';
import { generatorFile, globFiles } from '../../shared/inputFile.js';
import { useLinearEngine } from '../../shared/linearEngine.js';
import { problemLog } from '../../shared/problemLog.js';
import { rangeOf } from '../shared/range.js';
import { type FileIdentity, identify } from './fileWindow.js';
import { mergedFiles, recordPlayer, type Tempo } from './playback.js';
import { compileStart, recordedSpec } from './spec.js';
import { firstTimeOf, MAX_UNTIMED, type Reading, type RecordProblems, timedFile } from './timedFile.js';

type Params = ValueOf<typeof recordedSpec.fields>;

const MAX_FILES = 1_000;
/** Memory for all files of a recording, and the read of one. */
const MAX_WINDOW_BYTES = 8 * 1024 * 1024;
const MAX_CHUNK_BYTES = 256 * 1024;
const MIN_CHUNK_BYTES = 8 * 1024;

/** Records of one `fill`, and of a turn of the event loop before the first one. */
const MAX_AT_ONCE = 512;

const MAX_BYTES_AT_ONCE = 1024 * 1024;

const SHOWN = 80;

const refused = (message: string): E.Either<ReturnType<typeof failure>, never> =>
  E.left(failure('plugin_failed', message));

const readingOf = (params: Params, { zone }: InputContext, files: number): Result<Reading> => {
  useLinearEngine();
  const pattern = compilePattern(params.timestamp_pattern);
  if (E.isLeft(pattern)) return refused(`timestamp_pattern ${pattern.left}`);
  const readTime = compileStrptime(params.timestamp_format, zone);
  if (E.isLeft(readTime)) return refused(`timestamp_format ${readTime.left}`);
  const starts = params.record_start === null ? E.right(null) : compileStart(params.record_start);
  if (E.isLeft(starts)) return refused(`record_start ${starts.left}`);
  const share = Math.floor(MAX_WINDOW_BYTES / Math.max(1, files));
  return E.right({
    pattern: pattern.right,
    readTime: readTime.right,
    starts: starts.right,
    year: params.year,
    chunk_bytes: Math.max(MIN_CHUNK_BYTES, Math.min(MAX_CHUNK_BYTES, share)),
  });
};

const identities = async (path: string, context: InputContext): Promise<Result<readonly FileIdentity[]>> => {
  const names = await globFiles(context.directory, path);
  if (names.length === 0) {
    return refused(`no file matches ${path} (looked in ${context.directory}). Create one or change the path`);
  }
  if (names.length > MAX_FILES) {
    return refused(
      `${names.length} files match ${path}; a recording has at most ${MAX_FILES}. Narrow the path`,
    );
  }
  const files: FileIdentity[] = [];
  for (const name of names) {
    const file = generatorFile(context, name);
    try {
      files.push(identify(name, file));
    } catch (thrown) {
      const reason = systemCodeOf(thrown) === 'ENOENT' ? 'it does not exist' : reasonOf(thrown);
      return refused(`recording ${name} cannot be read: ${reason} (looked for ${file})`);
    }
  }
  return E.right(files);
};

/** Files that have records, with the first time of each. */
const withTimes = async (
  files: readonly FileIdentity[],
  reading: Reading,
  { log, clock }: InputContext,
): Promise<Result<readonly { readonly file: FileIdentity; readonly first: Micros }[]>> => {
  const found: { readonly file: FileIdentity; readonly first: Micros }[] = [];
  for (const file of files) {
    const first = firstTimeOf(file, reading);
    if (first.kind === 'none') {
      return refused(
        `${file.name}: none of its first ${MAX_UNTIMED} records has a time that matches timestamp_pattern and ` +
          `timestamp_format, e.g. "${first.example.slice(0, SHOWN)}". Correct them, or leave the file out`,
      );
    }
    if (first.kind === 'empty')
      log.write('info', 'a file of the recording is empty', { file_path: file.path });
    else found.push({ file, first: first.micros });
    await clock.yieldTurn();
  }
  return E.right(found);
};

const reported = ({ log, clock }: InputContext): RecordProblems => {
  const untimed = problemLog(
    log,
    clock,
    'warning',
    'record without a time: it gets that of the record before it',
  );
  const backwards = problemLog(
    log,
    clock,
    'warning',
    'the recording goes back in time: the record follows at once',
  );
  return {
    onUntimed: (file, line) => untimed.report(() => ({ file_path: file, line })),
    onBackwards: (file, line) => backwards.report(() => ({ file_path: file, line })),
  };
};

const SILENT: RecordProblems = { onUntimed: () => {}, onBackwards: () => {} };

const tempoOf = (params: Params, base: Micros): Tempo => ({
  base,
  speed: params.speed,
  max_gap: params.max_gap === null ? Number.POSITIVE_INFINITY : params.max_gap * MICROS_PER_SECOND,
  passes: params.repeat ? (params.passes ?? Number.POSITIVE_INFINITY) : 1,
  repeat_gap: params.repeat_gap * MICROS_PER_SECOND,
  jitter: params.jitter * MICROS_PER_SECOND,
});

type MakePlayer = (problems: RecordProblems) => RecordPlayer;

/** A player behind the records before `now`, which counts from there. */
const afterSkip = async (
  make: MakePlayer,
  { now, skipPast, clock, log }: InputContext,
): Promise<RecordPlayer> => {
  const ahead = make(SILENT);
  let skipped = 0;
  for (
    let record = skipPast ? ahead.next() : null;
    record !== null && record.micros < now;
    record = ahead.next()
  ) {
    skipped++;
    if (skipped % MAX_AT_ONCE === 0) await clock.yieldTurn();
  }
  const player = make(SILENT);
  for (let passed = 1; passed <= skipped; passed++) {
    player.next();
    if (passed % MAX_AT_ONCE === 0) await clock.yieldTurn();
  }
  if (skipped > 0)
    log.write('info', 'records before the start of generation are skipped', { records: skipped });
  return player;
};

const inputOf = (player: RecordPlayer, make: () => RecordPlayer, params: Params): Input => ({
  fill: (out) => {
    const most = Math.min(out.length, MAX_AT_ONCE);
    let bytes = 0;
    for (let written = 0; written < most; written++) {
      const record = player.next();
      if (record === null) return written;
      out[written] = record.micros;
      bytes += record.bytes;
      if (bytes > MAX_BYTES_AT_ONCE) return written + 1;
    }
    return most;
  },
  snapshot: player.snapshot,
  restore: player.restore,
  records: {
    timestamp_format: params.timestamp_format,
    player: () => {
      const another = make();
      another.restore(player.snapshot());
      return another;
    },
  },
});

export const recordedPlugin: InputPlugin<typeof recordedSpec.fields> = {
  spec: recordedSpec,
  build: async (params, context) => {
    const range = rangeOf({ start: params.start, end: null }, context);
    if (E.isLeft(range)) return range;
    const named = await identities(params.path, context);
    if (E.isLeft(named)) return named;
    const reading = readingOf(params, context, named.right.length);
    if (E.isLeft(reading)) return reading;
    try {
      const timed = await withTimes(named.right, reading.right, context);
      if (E.isLeft(timed)) return timed;
      const files = timed.right;
      const tempo = tempoOf(params, range.right.start);
      const make: MakePlayer = (problems) =>
        recordPlayer({
          names: files.map(({ file }) => file.name),
          open: () =>
            mergedFiles(files.map(({ file, first }) => timedFile(file, first, reading.right, problems))),
          tempo,
          random: () => context.random.fork('jitter'),
        });
      const skipped = await afterSkip(make, context);
      const player = make(reported(context));
      player.restore({ ...(skipped.snapshot() as JsonObject), ordinal: 0 });
      return E.right(inputOf(player, () => make(SILENT), params));
    } catch (thrown) {
      if (thrown instanceof Failed) return E.left(thrown.error);
      return refused(`the recording cannot be read: ${reasonOf(thrown)}`);
    }
  },
};
