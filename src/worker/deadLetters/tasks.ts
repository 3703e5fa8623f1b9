import * as E from 'fp-ts/lib/Either.js';
import { olderThan, purgeBox, readPage, summarize } from '../../adapters/deadLetters/box.js';
import { deadLetterBoxes } from '../../adapters/deadLetters/boxes.js';
import { systemClock } from '../../adapters/systemClock.js';
import type { Result, SpateError } from '../../domain/errors.js';
import type { GeneratorDefinition } from '../../domain/generator.js';
import { knownSecrets } from '../../domain/secrets.js';
import { parseIso } from '../../domain/time/iso.js';
import { utc } from '../../domain/time/zone.js';
import type {
  DeadLetterBox,
  DeadLetterRequests,
  PurgedLetters,
  ResentDeadLetters,
} from '../../messages/deadLetters.js';
import type { LetterBox } from '../../ports/deadLetters.js';
import type { Log } from '../../ports/log.js';
import { NOTHING_RESENT, type Resent, resendDeadLetters } from './resend.js';

const MAX_REASONS = 10;

/** A request with what it needs beside its payload. */
export type LetterTask =
  | { readonly kind: 'list'; readonly payload: DeadLetterRequests['dead_letters.list']['payload'] }
  | { readonly kind: 'read'; readonly payload: DeadLetterRequests['dead_letters.read']['payload'] }
  | { readonly kind: 'purge'; readonly payload: DeadLetterRequests['dead_letters.purge']['payload'] }
  | {
      readonly kind: 'resend';
      readonly payload: DeadLetterRequests['dead_letters.resend']['payload'];
      readonly definition: GeneratorDefinition;
    };

export type LetterAnswer = DeadLetterRequests[`dead_letters.${LetterTask['kind']}`]['answer'];

interface Surroundings {
  /** Folder with a folder per generator. */
  readonly root: string;
  readonly log: Log;
  /** Ends a resend after the write in flight. */
  readonly stop: AbortSignal;
}

const nameOf = ({ number, kind }: Pick<LetterBox, 'number' | 'kind'>): string => `${number}-${kind}`;

/** Asks several boxes in turn. Returns their answers, or the first error. */
const forEachBox = async <A>(
  boxes: readonly LetterBox[],
  act: (box: LetterBox) => Promise<Result<A>>,
): Promise<Result<readonly A[]>> => {
  const answers: A[] = [];
  for (const box of boxes) {
    const answer = await act(box);
    if (E.isLeft(answer)) return answer;
    answers.push(answer.right);
  }
  return E.right(answers);
};

const rowOf = async (box: LetterBox): Promise<Result<DeadLetterBox>> => {
  const summary = await summarize(box);
  if (E.isLeft(summary)) return summary;
  const { letters, bytes, torn, oldest, newest, reasons } = summary.right;
  const shown = reasons.slice(0, MAX_REASONS);
  return E.right({ output: nameOf(box), letters, bytes, torn, oldest, newest, reasons: shown });
};

const purge = async (box: LetterBox, until: string | null): Promise<Result<PurgedLetters>> => {
  const end = until === null ? null : (parseIso(until, utc) ?? 0) + 1;
  const purged = await purgeBox(box, olderThan(end));
  if (E.isLeft(purged)) return purged;
  const { removed, left } = purged.right;
  return E.right({ output: nameOf(box), removed, left });
};

/** Why nothing of a box could be tried. */
const notResent = (box: LetterBox, { code, message }: SpateError): ResentDeadLetters => ({
  output: nameOf(box),
  sent: 0,
  refused: 0,
  reason: message,
  error_code: code,
  is_down: code === 'output_failed',
  is_done: false,
});

const resentOf = (
  box: LetterBox,
  { sent, refused, lastReason, outage }: Resent,
  isDone: boolean,
): ResentDeadLetters => ({
  output: nameOf(box),
  sent,
  refused,
  reason: (outage ?? lastReason)?.message ?? null,
  error_code: (outage ?? lastReason)?.code ?? null,
  is_down: outage !== null,
  is_done: isDone,
});

/** Secrets of the config are masked in the reasons of refused letters. */
const resend = async (
  boxes: readonly LetterBox[],
  { payload, definition }: Extract<LetterTask, { kind: 'resend' }>,
  { log, stop }: Surroundings,
): Promise<Result<readonly ResentDeadLetters[]>> => {
  const known = knownSecrets();
  for (const secret of definition.secrets ?? []) known.add(secret);
  let room = payload.limit;
  return forEachBox(boxes, async (box) => {
    const limit = room;
    if (limit === 0) return E.right(resentOf(box, NOTHING_RESENT, false));
    const done = await resendDeadLetters({
      box,
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
      const isAnswer = boxes.length > 1 || done.left.code === 'output_failed';
      return isAnswer ? E.right(notResent(box, done.left)) : done;
    }
    const tried = done.right.sent + done.right.refused;
    room -= tried;
    return E.right(resentOf(box, done.right, !stop.aborted && tried < limit && done.right.outage === null));
  });
};

/** Does what a request about dead letters asks for. */
export const runLetterTask = async (
  task: LetterTask,
  around: Surroundings,
): Promise<Result<LetterAnswer>> => {
  const output = task.kind === 'list' ? null : task.payload.output;
  const boxes = await deadLetterBoxes(around.root, systemClock).find({ generator: task.payload.id, output });
  if (E.isLeft(boxes)) return boxes;
  switch (task.kind) {
    case 'list':
      return E.map((rows: readonly DeadLetterBox[]) =>
        rows.filter(({ letters, torn }) => letters + torn > 0),
      )(await forEachBox(boxes.right, rowOf));
    case 'read': {
      const [box] = boxes.right;
      return box === undefined ? E.right({ letters: [], next_offset: null }) : readPage(box, task.payload);
    }
    case 'purge':
      return forEachBox(boxes.right, (box) => purge(box, task.payload.until));
    case 'resend':
      return resend(boxes.right, task, around);
  }
};
