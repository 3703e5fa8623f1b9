import * as E from 'fp-ts/lib/Either.js';
import { olderThan, purgeFolder, readPage, summarize } from '../../adapters/deadLetters/folder.js';
import { deadLetterFolders } from '../../adapters/deadLetters/folders.js';
import { systemClock } from '../../adapters/systemClock.js';
import type { Result, SpateError } from '../../domain/errors.js';
import type { GeneratorDefinition } from '../../domain/generator.js';
import { knownSecrets } from '../../domain/secrets.js';
import { parseIso } from '../../domain/time/iso.js';
import { utc } from '../../domain/time/zone.js';
import type {
  DeadLetterRequests,
  DeadLetterSummary,
  PurgedDeadLetters,
  ResentDeadLetters,
} from '../../messages/deadLetters.js';
import type { DeadLetterFolder } from '../../ports/deadLetters.js';
import type { Log } from '../../ports/log.js';
import { NOTHING_RESENT, type Resent, resendDeadLetters } from './resend.js';

const MAX_REASONS = 10;

/** A request with what it needs beside its payload. */
export type DeadLetterTask =
  | { readonly kind: 'list'; readonly payload: DeadLetterRequests['dead_letters.list']['payload'] }
  | { readonly kind: 'read'; readonly payload: DeadLetterRequests['dead_letters.read']['payload'] }
  | { readonly kind: 'purge'; readonly payload: DeadLetterRequests['dead_letters.purge']['payload'] }
  | {
      readonly kind: 'resend';
      readonly payload: DeadLetterRequests['dead_letters.resend']['payload'];
      readonly definition: GeneratorDefinition;
    };

export type DeadLetterAnswer = DeadLetterRequests[`dead_letters.${DeadLetterTask['kind']}`]['answer'];

interface Surroundings {
  /** Folder with a folder per generator. */
  readonly root: string;
  readonly log: Log;
  /** Ends a resend after the write in flight. */
  readonly stop: AbortSignal;
}

const nameOf = ({ number, kind }: Pick<DeadLetterFolder, 'number' | 'kind'>): string => `${number}-${kind}`;

/** Asks several folders in turn. Returns their answers, or the first error. */
const forEachFolder = async <A>(
  folders: readonly DeadLetterFolder[],
  act: (folder: DeadLetterFolder) => Promise<Result<A>>,
): Promise<Result<readonly A[]>> => {
  const answers: A[] = [];
  for (const folder of folders) {
    const answer = await act(folder);
    if (E.isLeft(answer)) return answer;
    answers.push(answer.right);
  }
  return E.right(answers);
};

const rowOf = async (folder: DeadLetterFolder): Promise<Result<DeadLetterSummary>> => {
  const summary = await summarize(folder);
  if (E.isLeft(summary)) return summary;
  const { letters, bytes, torn, oldest, newest, reasons } = summary.right;
  const shown = reasons.slice(0, MAX_REASONS);
  return E.right({ output: nameOf(folder), letters, bytes, torn, oldest, newest, reasons: shown });
};

const purge = async (folder: DeadLetterFolder, until: string | null): Promise<Result<PurgedDeadLetters>> => {
  const end = until === null ? null : (parseIso(until, utc) ?? 0) + 1;
  const purged = await purgeFolder(folder, olderThan(end));
  if (E.isLeft(purged)) return purged;
  const { removed, left } = purged.right;
  return E.right({ output: nameOf(folder), removed, left });
};

/** Why nothing of a folder could be tried. */
const notResent = (folder: DeadLetterFolder, { code, message }: SpateError): ResentDeadLetters => ({
  output: nameOf(folder),
  sent: 0,
  refused: 0,
  reason: message,
  error_code: code,
  is_down: code === 'output_failed',
  is_done: false,
});

const resentOf = (
  folder: DeadLetterFolder,
  { sent, refused, lastReason, outage }: Resent,
  isDone: boolean,
): ResentDeadLetters => ({
  output: nameOf(folder),
  sent,
  refused,
  reason: (outage ?? lastReason)?.message ?? null,
  error_code: (outage ?? lastReason)?.code ?? null,
  is_down: outage !== null,
  is_done: isDone,
});

/** Secrets of the config are masked in the reasons of refused letters. */
const resend = async (
  folders: readonly DeadLetterFolder[],
  { payload, definition }: Extract<DeadLetterTask, { kind: 'resend' }>,
  { log, stop }: Surroundings,
): Promise<Result<readonly ResentDeadLetters[]>> => {
  const known = knownSecrets();
  for (const secret of definition.secrets ?? []) known.add(secret);
  let room = payload.limit;
  return forEachFolder(folders, async (folder) => {
    const limit = room;
    if (limit === 0) return E.right(resentOf(folder, NOTHING_RESENT, false));
    const done = await resendDeadLetters({
      folder,
      load: async () => E.right(definition),
      to: null,
      limit,
      isDryRun: false,
      log,
      known,
      onTarget: () => undefined,
      onProgress: () => undefined,
      stop,
    });
    if (E.isLeft(done)) {
      const isAnswer = folders.length > 1 || done.left.code === 'output_failed';
      return isAnswer ? E.right(notResent(folder, done.left)) : done;
    }
    const tried = done.right.sent + done.right.refused;
    room -= tried;
    return E.right(
      resentOf(folder, done.right, !stop.aborted && tried < limit && done.right.outage === null),
    );
  });
};

/** Does what a request about dead letters asks for. */
export const runDeadLetterTask = async (
  task: DeadLetterTask,
  around: Surroundings,
): Promise<Result<DeadLetterAnswer>> => {
  const output = task.kind === 'list' ? null : task.payload.output;
  const folders = await deadLetterFolders(around.root, systemClock).find({
    generator: task.payload.id,
    output,
  });
  if (E.isLeft(folders)) return folders;
  switch (task.kind) {
    case 'list':
      return E.map((rows: readonly DeadLetterSummary[]) =>
        rows.filter(({ letters, torn }) => letters + torn > 0),
      )(await forEachFolder(folders.right, rowOf));
    case 'read': {
      const [folder] = folders.right;
      return folder === undefined
        ? E.right({ letters: [], next_offset: null })
        : readPage(folder, task.payload);
    }
    case 'purge':
      return forEachFolder(folders.right, (folder) => purge(folder, task.payload.until));
    case 'resend':
      return resend(folders.right, task, around);
  }
};
