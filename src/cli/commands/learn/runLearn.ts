import { mkdir, open, readFile, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { drawSeed } from '../../../adapters/entropy.js';
import { nodeFiles } from '../../../adapters/files/files.js';
import { ioError } from '../../../adapters/files/ioError.js';
import { type Comparison, comparisonProblemsOf } from '../../../analysis/learn/compare/compare.js';
import { type EmittedFiles, MADE_BY } from '../../../analysis/learn/emit/files.js';
import { undatedText } from '../../../analysis/learn/emit/words.js';
import { type Learned, learn } from '../../../analysis/learn/learn.js';
import { MAX_RECORDS } from '../../../analysis/learn/limits.js';
import { someRecords, textOfLog } from '../../../analysis/learn/read.js';
import { type LogRecords, recordsOf } from '../../../analysis/learn/records.js';
import { reportOf } from '../../../analysis/learn/report.js';
import { DEFAULT_GENERATION } from '../../../config/settings/generationFields.js';
import { failure, type Result } from '../../../domain/errors.js';
import { GENERATOR_FILE } from '../../../domain/library.js';
import { plural } from '../../../domain/text/shown.js';
import type { Micros } from '../../../domain/time/micros.js';
import type { CommandContext, Given } from '../../arguments/command.js';
import { configFileOf, paramsOf } from '../../arguments/sharedOptions.js';
import { keyringAccessOf } from '../../files/keyring.js';
import { reportError, usageError } from '../../report.js';
import { EXIT } from '../../terminal/io.js';
import { DEFAULT_LOG_MB, DEFAULT_TOLERANCE } from '../limits.js';
import type { learnOptions } from './learn.js';
import { learnReportText } from './reportText.js';

const GENERATORS = 'generators';
/** Columns without a terminal, and the fewest. */
const WIDTH = 120;
const MIN_WIDTH = 60;

type Values = Given<typeof learnOptions>['options'];

interface Task {
  readonly values: Values;
  readonly seed: string;
  readonly logs: ReadLogs;
  readonly learned: Learned;
  readonly context: CommandContext;
}

const nameOf = (log: string): string =>
  basename(log)
    .replace(/\.(?:log|txt|jsonl?|ndjson|csv)(?:\.\d+)?$/i, '')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[.-]+/, '')
    .slice(0, 64) || 'learned';

const folderOf = async (values: Values, log: string, cwd: string): Promise<string> => {
  if (values.out !== undefined) return resolve(cwd, values.out);
  const parent = resolve(cwd, GENERATORS);
  const hasParent = (await stat(parent).catch(() => null))?.isDirectory() === true;
  return join(hasParent ? parent : cwd, nameOf(log));
};

const print = (name: string, comparison: Comparison, { learned, logs, values, context }: Task): void => {
  const { stdout } = context.io;
  const { model } = learned;
  if (values.json === true) {
    stdout.write(`${JSON.stringify(reportOf(name, model, comparison), null, 2)}\n`);
    return;
  }
  const width = Math.max(MIN_WIDTH, stdout.isTerminal ? stdout.columns : WIDTH);
  stdout.write(learnReportText(name, model, comparison, { width, cutLogs: logs.cut_logs }));
};

const checkGenerator = async (directory: string, task: Task): Promise<number> => {
  const { values, learned, seed, context } = task;
  const { io } = context;
  const file = await configFileOf(directory, io.cwd);
  const params = paramsOf({ seed }, file);
  if (E.isLeft(params)) return reportError(io, params.left);
  const { compareGenerated } = await context.services.sample();
  const compared = await compareGenerated(learned, {
    params: params.right,
    keyring: keyringAccessOf(undefined, io),
    has_same_key: values.seed !== undefined || values['keep-values'] === true,
  });
  if (E.isLeft(compared)) return reportError(io, compared.left);
  const { comparison } = compared.right;
  print(directory, comparison, task);
  const tolerance = values.tolerance ?? DEFAULT_TOLERANCE;
  const problems = comparisonProblemsOf(comparison, tolerance / 100, learned.model.records);
  if (problems.length === 0) return EXIT.ok;
  io.stderr.write(
    `spate: not within ${tolerance} %: ${problems.slice(0, 5).join('; ')}${problems.length > 5 ? '; ...' : ''}.\n`,
  );
  return EXIT.failed;
};

const nextSteps = (
  shown: string,
  {
    count,
    seed,
    values,
    program,
  }: Pick<Task, 'seed' | 'values'> & { readonly count: number; readonly program: string },
): string =>
  [
    '',
    `Wrote ${shown}: ${plural(count, 'file')}. Next:`,
    `  ${program} preview ${shown}`,
    `  ${program} generate ${shown}`,
    ...(values.seed === undefined && values['keep-values'] !== true
      ? [`The seed was ${seed}. With it, anyone can test guesses of the private values: keep it secret.`]
      : []),
    '',
  ].join('\n');

const makeGenerator = async (folder: string, task: Task): Promise<number> => {
  const { values, seed, learned, context } = task;
  const { io } = context;
  const name = basename(folder);
  const shown = relative(io.cwd, folder) || '.';
  const free = await checkFree(folder, shown, values.force === true);
  if (E.isLeft(free)) return reportError(io, free.left);
  const { generatorOf } = await context.services.sample();
  const { timezone } = DEFAULT_GENERATION;
  // Compared in memory first: a generator that cannot run is never left behind.
  const made = await generatorOf(learned, { name, seed, config_file: GENERATOR_FILE, timezone });
  if (E.isLeft(made)) return reportError(io, made.left);
  const { comparison, files } = made.right;
  const written = await writeFiles(folder, files);
  if (E.isLeft(written)) return reportError(io, written.left);
  print(shown, comparison, task);
  if (values.json !== true)
    io.stdout.write(nextSteps(shown, { count: files.size, seed, values, program: io.program }));
  const warning = undatedText(learned.model);
  if (warning === null || values['allow-undated'] === true) return EXIT.ok;
  io.stderr.write(
    `spate: ${warning} Write these times as ISO 8601 and learn again, or accept it with --allow-undated.\n`,
  );
  return EXIT.failed;
};

const flawOf = (values: Values): string | null => {
  if (values.check !== undefined && (values.out !== undefined || values.force === true))
    return '--check writes nothing: give no --out or --force';
  if (values.check !== undefined && values['allow-undated'] === true)
    return '--check writes nothing: give no --allow-undated';
  if (values.tolerance !== undefined && values.check === undefined) return '--tolerance needs --check';
  if (values.tolerance !== undefined && !(values.tolerance >= 0 && values.tolerance <= 100))
    return '--tolerance must be 0 to 100 percent';
  return null;
};

/** Resolves to the exit code of `spate learn`. */
export const runLearn = async (
  { options: values, positionals }: Given<typeof learnOptions>,
  context: CommandContext,
): Promise<number> => {
  const { io } = context;
  const flaw = flawOf(values);
  if (flaw !== null) return usageError(io, 'learn', flaw);
  const max_bytes = (values['max-mb'] ?? DEFAULT_LOG_MB) * 1_000_000;
  const logs = await readLogs(positionals, io.cwd, max_bytes);
  if (E.isLeft(logs)) return reportError(io, logs.left);
  const seed = values.seed ?? drawSeed();
  const learned = learn(logs.right, {
    seed,
    keep_values: values['keep-values'] === true,
    now: logs.right.written,
  });
  if (E.isLeft(learned)) return reportError(io, learned.left);
  const task: Task = { values, seed, logs: logs.right, learned: learned.right, context };
  if (values.check !== undefined) return checkGenerator(values.check, task);
  return makeGenerator(await folderOf(values, positionals[0] ?? '', io.cwd), task);
};

const FOLDERS = ['templates', 'samples'] as const;

/** Returns an error when the directory exists and may not be replaced. */
const checkFree = async (folder: string, shown: string, force: boolean): Promise<Result<null>> => {
  if ((await stat(folder).catch(() => null)) === null) return E.right(null);
  if (!force)
    return E.left(
      failure(
        'already_exists',
        `${shown} already exists. Choose another --out, or give --force to replace it.`,
      ),
    );
  const config = await readFile(join(folder, 'generator.yml'), 'utf8').catch(() => '');
  return config.startsWith(MADE_BY)
    ? E.right(null)
    : E.left(failure('already_exists', `${shown} was not made by spate learn. Choose another --out.`));
};

/** Writes a generator. Templates and samples of an earlier one are removed. */
const writeFiles = async (folder: string, files: EmittedFiles): Promise<Result<null>> => {
  try {
    for (const name of FOLDERS) await rm(join(folder, name), { recursive: true, force: true });
    for (const name of new Set([...files.keys()].map((path) => dirname(join(folder, path)))))
      await mkdir(name, { recursive: true });
  } catch (thrown) {
    return E.left(ioError('unwritable', 'create the directory', folder, thrown));
  }
  for (const [path, text] of files) {
    const written = await nodeFiles.replaceText(join(folder, path), text);
    if (E.isLeft(written)) return written;
  }
  return E.right(null);
};

interface ReadLogs extends LogRecords {
  /** Logs of which only the start was read. */
  readonly cut_logs: readonly string[];
  /** When the newest of them was written. */
  readonly written: Micros;
}

interface Start {
  readonly text: string;
  readonly isCut: boolean;
  readonly written: Micros;
}

/** The start of a file, up to its last whole line. */
const readStart = async (path: string, max_bytes: number): Promise<Result<Start>> => {
  try {
    const file = await open(path, 'r');
    try {
      const stats = await file.stat();
      if (!stats.isFile())
        return E.left(
          failure(
            'unreadable',
            `${path} is ${stats.isDirectory() ? 'a directory' : 'no regular file'}. Name a log file.`,
          ),
        );
      const buffer = Buffer.alloc(Math.min(max_bytes, stats.size));
      let length = 0;
      while (length < buffer.length) {
        const { bytesRead } = await file.read(buffer, length, buffer.length - length, length);
        if (bytesRead === 0) break;
        length += bytesRead;
      }
      const isCut = stats.size > length;
      return E.map((text: string): Start => ({ text, isCut, written: Math.floor(stats.mtimeMs * 1_000) }))(
        textOfLog(buffer.subarray(0, length), isCut, path),
      );
    } finally {
      await file.close();
    }
  } catch (thrown) {
    return E.left(ioError('unreadable', 'read', path, thrown));
  }
};

/** Reads the records of all logs in turn. Returns an error when a log cannot be read. */
const readLogs = async (
  paths: readonly string[],
  cwd: string,
  max_bytes: number,
): Promise<Result<ReadLogs>> => {
  const records: string[] = [];
  const cut_logs: string[] = [];
  const left = { too_long: 0, binary: 0, bad_characters: 0 };
  let written = 0;
  for (const path of paths) {
    const start = await readStart(resolve(cwd, path), max_bytes);
    if (E.isLeft(start)) return start;
    const found = recordsOf(start.right.text);
    const room = MAX_RECORDS - records.length;
    for (const record of found.records.slice(0, room)) records.push(record);
    if (start.right.isCut || found.records.length > room) cut_logs.push(path);
    written = Math.max(written, start.right.written);
    left.too_long += found.too_long;
    left.binary += found.binary;
    left.bad_characters += found.bad_characters;
  }
  return someRecords({ records, ...left, cut_logs, written }, paths.join(', '));
};
