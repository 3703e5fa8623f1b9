import * as E from 'fp-ts/lib/Either.js';
import { uniform } from '../../adapters/entropy.js';
import { systemClock } from '../../adapters/systemClock.js';
import { type Result, type SpateError, thrownError } from '../../domain/errors.js';
import type { GenerationParams, GeneratorDefinition } from '../../domain/generator.js';
import type { JsonObject } from '../../domain/json.js';
import type { KnownSecrets } from '../../domain/secrets/knownSecrets.js';
import type { RetryPolicy } from '../../pipeline/delivery/attempts.js';
import type { Output } from '../../plugins/kit.js';
import type { LetterBox, StoredLetter, Sweep } from '../../ports/deadLetters.js';
import type { Log } from '../../ports/log.js';
import { type Delivery, deliverLetters, formatLetters, type Outcome } from './deliver.js';
import { findReplayTarget, type ReplayTarget } from './target.js';

/** Limits of one write, regardless of `batch.size`: letters, and bytes of their lines. */
const MAX_LETTERS = 10_000;
const MAX_BYTES = 8 * 1024 * 1024;

export interface RedeliverOptions {
  readonly box: LetterBox;
  /** The current config; called if there are letters. The id may differ from that of the box. */
  readonly load: () => Promise<Result<GeneratorDefinition>>;
  /** Number of another output, from 1. Null for the original one. */
  readonly to: number | null;
  /** Maximum number of letters to try. Null for no limit. */
  readonly limit: number | null;
  /** Only formats: opens no output, moves no letter. */
  readonly isDryRun: boolean;
  /** Masks secrets. */
  readonly log: Log;
  /** Secrets of the config and the keyring. */
  readonly known: KnownSecrets;
  /** Called when the output is known; secrets in its options are masked. */
  readonly onTarget: (target: Pick<ReplayTarget, 'number' | 'kind' | 'options'>) => void;
  readonly onProgress: (done: Redelivered) => void;
  /** Stops after the write in flight. */
  readonly stop: AbortSignal;
}

export interface Redelivered {
  /** Delivered and removed; in a dry run: formatted. */
  readonly sent: number;
  /** Tried and kept. */
  readonly refused: number;
  readonly lastReason: SpateError | null;
  /** Lines without a letter, set aside. */
  readonly torn: number;
  /** Reason for stopping before all letters were tried. */
  readonly outage: SpateError | null;
}

export const NOTHING: Redelivered = { sent: 0, refused: 0, lastReason: null, torn: 0, outage: null };

const added = (done: Redelivered, tried: number, { refused, outage }: Outcome): Redelivered => ({
  ...done,
  sent: done.sent + tried - refused.length,
  refused: done.refused + refused.length,
  lastReason: refused.at(-1)?.why ?? done.lastReason,
  outage,
});

/** A replay with the parameters of the current config. */
type Work = RedeliverOptions & Pick<GeneratorDefinition, 'params'>;

const policyOf = ({ attempts, base_delay, max_delay }: GenerationParams['retry']): RetryPolicy => ({
  attempts,
  base_ms: base_delay * 1000,
  cap_ms: max_delay * 1000,
});

/** Letters of the next write. */
const batchOf = ({ params, limit }: Work, { sent, refused }: Redelivered): number =>
  Math.min(
    params.batch.size ?? MAX_LETTERS,
    MAX_LETTERS,
    (limit ?? Number.POSITIVE_INFINITY) - sent - refused,
  );

const withReason = ({ at, event }: StoredLetter, { code, message }: SpateError): string =>
  JSON.stringify({ at, code, reason: message, event });

const deliverAll = async (
  options: Work,
  target: ReplayTarget,
  output: Output,
): Promise<Result<Redelivered>> => {
  const { params, box, stop, onProgress, known, log } = options;
  const delivery: Delivery = {
    formatter: target.formatter,
    output,
    clock: systemClock,
    random: uniform,
    retry: { ...policyOf(params.retry), ...target.choices.retry },
    write_timeout_ms: target.choices.write_timeout_ms ?? params.write_timeout * 1000,
    log,
    stop,
    streak: { refused: 0 },
  };
  let done = NOTHING;
  const sweep: Sweep = {
    next: () => ({ letters: stop.aborted ? 0 : batchOf(options, done), bytes: MAX_BYTES }),
    judge: async (letters) => {
      const { refused, outage } = await deliverLetters(letters, delivery);
      const hidden = refused.map(({ letter, why }) => ({ letter, why: known.hideError(why) }));
      done = added(done, letters.length, { refused: hidden, outage });
      onProgress(done);
      const keep = hidden.map(({ letter, why }) => withReason(letter, why));
      return { keep, goesOn: outage === null };
    },
  };
  const swept = await box.sweep(sweep);
  return E.map(({ torn }: { readonly torn: number }) => ({ ...done, torn }))(swept);
};

const dryRun = async (
  options: RedeliverOptions,
  { formatter }: ReplayTarget,
): Promise<Result<Redelivered>> => {
  let done = NOTHING;
  for await (const run of options.box.read()) {
    if (E.isLeft(run)) return run;
    const room = (options.limit ?? Number.POSITIVE_INFINITY) - done.sent - done.refused;
    if (room <= 0 || options.stop.aborted) break;
    const letters = run.right.letters.slice(0, room);
    const result = formatLetters(formatter, letters);
    if (E.isLeft(result)) return result;
    done = added(done, letters.length, { refused: result.right.refused, outage: null });
    done = { ...done, torn: done.torn + run.right.torn };
    options.onProgress(done);
  }
  return E.right(done);
};

const openAndDeliver = async (options: Work, target: ReplayTarget): Promise<Result<Redelivered>> => {
  const opened = await target
    .open()
    .catch((thrown: unknown) => E.left(thrownError('opening the output threw', thrown)));
  if (E.isLeft(opened)) return opened;
  try {
    return await deliverAll(options, target, opened.right);
  } finally {
    const closed = await opened.right.close();
    if (E.isLeft(closed)) {
      options.log.write('error', 'the output could not be closed', { reason: closed.left.message });
    }
  }
};

/**
 * Sends dead letters through formatter and output of the current config. Delivered letters are removed, failed
 * ones keep the new reason; stops when the output is down. Returns an error when nothing could be tried, or when the
 * letters cannot be read or kept.
 */
export const redeliver = async (options: RedeliverOptions): Promise<Result<Redelivered>> => {
  const { box, to, known, log } = options;
  // Without letters the output is not opened.
  const bytes = await box.bytes();
  if (E.isLeft(bytes)) return bytes;
  if (bytes.right === 0) return E.right(NOTHING);
  const definition = await options.load();
  if (E.isLeft(definition)) return E.mapLeft(known.hideError)(definition);
  const target = await findReplayTarget({ box, definition: definition.right, to, log });
  if (E.isLeft(target)) return E.mapLeft(known.hideError)(target);
  const { number, kind } = target.right;
  options.onTarget({ number, kind, options: known.hideJson(target.right.options) as JsonObject });
  const { params } = definition.right;
  const done = options.isDryRun
    ? await dryRun(options, target.right)
    : await openAndDeliver({ ...options, params }, target.right);
  return E.mapLeft(known.hideError)(done);
};
