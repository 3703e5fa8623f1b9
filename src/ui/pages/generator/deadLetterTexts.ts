import { ERRORS } from '../../../domain/errors.js';
import type { Json } from '../../../domain/json.js';
import type { DeadLetterSummary, ResentDeadLetters } from '../../../messages/deadLetters.js';
import { ApiError } from '../../api/errors.js';
import { shownCount } from '../../parts/numbers.js';

export const PAGE_SIZE = 25;

export const countedDeadLetters = (count: number): string =>
  `${shownCount(count)} dead ${count === 1 ? 'letter' : 'letters'}`;

const SIZES = [
  ['GiB', 1024 ** 3],
  ['MiB', 1024 ** 2],
  ['KiB', 1024],
] as const;

export const deadLetterBytes = (bytes: number): string => {
  const [unit, size] = SIZES.find(([, one]) => bytes >= one) ?? ['B', 1];
  const count = bytes / size;
  return `${count.toFixed(count < 10 && size > 1 ? 1 : 0)} ${unit}`;
};

/** What an error code means; empty for codes of later versions. */
export const meaningOf = (code: string): string =>
  Object.hasOwn(ERRORS, code) ? ERRORS[code as keyof typeof ERRORS].meaning : '';

/** Returns the event as JSON, or null when it is other text. */
export const deadLetterJsonOf = (event: string): Json | null => {
  try {
    const value = JSON.parse(event) as Json;
    return typeof value === 'object' && value !== null ? value : null;
  } catch {
    return null;
  }
};

/** Returns the newest letter of all outputs, for a removal of what is listed. Null when there is none. */
export const newestOf = (summaries: readonly DeadLetterSummary[]): string | null =>
  summaries
    .flatMap(({ newest }) => newest ?? [])
    .sort((a, b) => Date.parse(a) - Date.parse(b))
    .at(-1) ?? null;

/** What a resend has done so far. */
export interface SentDeadLetters {
  readonly sent: number;
  readonly refused: number;
  /** Why letters stay. */
  readonly reasons: readonly { readonly output: string; readonly reason: string }[];
  readonly isDown: boolean;
}

export const NOTHING_SENT: SentDeadLetters = { sent: 0, refused: 0, reasons: [], isDown: false };

const added = (
  so: SentDeadLetters,
  { output, sent, refused, reason, is_down }: ResentDeadLetters,
): SentDeadLetters => ({
  sent: so.sent + sent,
  refused: so.refused + refused,
  reasons:
    reason === null ? so.reasons : [...so.reasons.filter((one) => one.output !== output), { output, reason }],
  isDown: so.isDown || is_down,
});

const NOT_SENT = { sent: 0, refused: 0, error_code: null, is_down: false, is_done: false } as const;

interface Resend {
  readonly outputs: readonly string[];
  readonly send: (output: string) => Promise<readonly ResentDeadLetters[]>;
  readonly onProgress: (so: SentDeadLetters) => void;
  readonly isStopped: () => boolean;
}

/** Sends the letters of each output; the service works in turns, so each is asked until it is done. */
export const resendAll = async ({
  outputs,
  send,
  onProgress,
  isStopped,
}: Resend): Promise<SentDeadLetters> => {
  /** One of several that cannot be sent does not keep the others back. */
  const sendOr = async (output: string, isOneOfMany: boolean): Promise<readonly ResentDeadLetters[]> => {
    try {
      return await send(output);
    } catch (error) {
      if (!isOneOfMany || !(error instanceof ApiError)) throw error;
      return [{ ...NOT_SENT, output, reason: error.message }];
    }
  };
  let so = NOTHING_SENT;
  for (const output of outputs) {
    for (let goesOn = true; goesOn && !isStopped(); ) {
      const rows = await sendOr(output, outputs.length > 1);
      so = rows.reduce(added, so);
      onProgress(so);
      // A turn in which nothing arrived would be the same again.
      goesOn = rows.some(({ is_done, sent }) => !is_done && sent > 0);
    }
  }
  return so;
};

/** What a resend did, in a sentence. */
export const sentSentence = ({ sent, refused, isDown }: SentDeadLetters): string => {
  const stay =
    refused === 0
      ? ''
      : ` ${shownCount(refused)} could not be delivered and ${refused === 1 ? 'stays' : 'stay'}.`;
  const down = isDown ? ' The output is down, so the rest was not tried.' : '';
  return `${countedDeadLetters(sent)} delivered.${stay}${down}`;
};
