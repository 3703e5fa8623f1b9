import { readFile } from 'node:fs/promises';
import * as E from 'fp-ts/lib/Either.js';
import { drawSeed } from '../../adapters/entropy.js';
import { systemClock } from '../../adapters/systemClock.js';
import { type Learned, learn } from '../../analysis/learn/learn.js';
import { MAX_PREVIEWED_RECORDS } from '../../analysis/learn/limits.js';
import { someRecords, textOfLog } from '../../analysis/learn/read.js';
import { type LogRecords, recordsOf } from '../../analysis/learn/records.js';
import { type LearnedExample, type LearnedLog, reportOf } from '../../analysis/learn/report.js';
import { failure, type Result } from '../../domain/errors.js';
import type { LearnTask } from '../../domain/preview.js';
import { generatorOf, type LearnedGenerator } from '../learned.js';
import { type AnswerText, answerTooLarge, locatedAt, MAX_ANSWER_LENGTH } from './answer.js';

/** Templates that are shown with their records, and events of each. */
const MAX_TEMPLATES = 8;
const MAX_EVENTS = 3;
/** Events that are searched for those of a rare template. */
const MAX_SEARCHED = 5_000;
const MAX_SHOWN_LENGTH = 2_000;

const LOG = 'The log';

const cut = (text: string): string =>
  text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)} ...` : text;

const readLog = async (file: string): Promise<Result<LogRecords>> => {
  const bytes = await readFile(file).catch(() => null);
  if (bytes === null) return E.left(failure('unreadable', 'The uploaded log cannot be read. Send it again.'));
  return E.flatMap((text: string) => someRecords(recordsOf(text), LOG))(textOfLog(bytes, false, LOG));
};

const eventsByShape = ({ shapeOf }: Learned, events: readonly string[]): ReadonlyMap<string, string[]> => {
  const found = new Map<string, string[]>();
  for (const event of events.slice(0, MAX_SEARCHED)) {
    const shape = shapeOf(event);
    if (shape === null) continue;
    const known = found.get(shape) ?? [];
    found.set(shape, known);
    if (known.length < MAX_EVENTS) known.push(cut(event));
  }
  return found;
};

const examplesOf = (learned: Learned, events: readonly string[]): readonly LearnedExample[] => {
  const records = new Map(learned.examples.map((example) => [example.shape, example.records]));
  const generated = eventsByShape(learned, events);
  return learned.model.shapes.slice(0, MAX_TEMPLATES).map(({ id, name, count }) => ({
    template: name,
    count,
    records: (records.get(id) ?? []).map(cut),
    events: generated.get(id) ?? [],
  }));
};

const answerOf = (
  { name, config_file }: LearnTask,
  learned: Learned,
  { comparison, events, files }: LearnedGenerator,
  more: Pick<LearnedLog, 'seed' | 'is_cut'>,
): LearnedLog => ({
  ...reportOf(name, learned.model, comparison),
  ...more,
  examples: examplesOf(learned, events),
  config: files.get(config_file) ?? '',
  files: Object.fromEntries([...files].filter(([path]) => path !== config_file)),
});

/** Learns a generator from a stored log, and compares it with the log. Writes nothing. */
export const previewLearn = async (task: LearnTask): Promise<AnswerText> => {
  const log = await readLog(task.file);
  if (E.isLeft(log)) return E.left(locatedAt([], log.left));
  const { records, ...left } = log.right;
  const seed = task.seed ?? drawSeed();
  const { keep_values, name, config_file, timezone } = task;
  const learned = learn(
    { ...left, records: records.slice(0, MAX_PREVIEWED_RECORDS) },
    { seed, keep_values, now: systemClock.now() },
  );
  if (E.isLeft(learned)) return E.left(locatedAt([], learned.left));
  const made = await generatorOf(learned.right, { name, seed, config_file, timezone });
  if (E.isLeft(made)) return made;
  const is_cut = records.length > MAX_PREVIEWED_RECORDS;
  const text = JSON.stringify(answerOf(task, learned.right, made.right, { seed, is_cut }));
  return text.length > MAX_ANSWER_LENGTH ? E.left(answerTooLarge('send fewer lines')) : E.right([text]);
};
