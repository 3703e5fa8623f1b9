import * as E from 'fp-ts/lib/Either.js';
import { drawSeed, uniform } from '../../adapters/entropy.js';
import { systemClock } from '../../adapters/systemClock.js';
import { failure, type Result, type SpateError, thrownError } from '../../domain/errors.js';
import type { GenerationParams, GeneratorDefinition } from '../../domain/generator.js';
import { globalsView, makeOwnedGlobals } from '../../domain/globals/owned.js';
import { isJsonObject, type Json, type JsonObject } from '../../domain/json.js';
import { seededRandom } from '../../domain/random.js';
import type { KnownSecrets } from '../../domain/secrets.js';
import { utc, zoneOf } from '../../domain/time/zone.js';
import type { RetryPolicy } from '../../pipeline/delivery/attempts.js';
import { buildersOf } from '../../plugins/buildParts.js';
import { installed } from '../../plugins/installed.js';
import type { DeliveryChoices, Formatter, Output } from '../../plugins/kit.js';
import { registry } from '../../plugins/registry.js';
import type { DeadLetterFolder, StoredDeadLetter, Sweep } from '../../ports/deadLetters.js';
import type { Log } from '../../ports/log.js';
import { deliverDeadLetters, formatDeadLetters, type ResendDelivery, type ResendOutcome } from './deliver.js';

/** Limits of one write, regardless of `batch.size`: letters, and bytes of their lines. */
const MAX_LETTERS = 10_000;
const MAX_BYTES = 8 * 1024 * 1024;

export interface ResendOptions {
  readonly folder: DeadLetterFolder;
  /** The current config; called if there are letters. The id may differ from that of the folder. */
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
  readonly onTarget: (target: Pick<ResendTarget, 'number' | 'kind' | 'options'>) => void;
  readonly onProgress: (done: Resent) => void;
  /** Stops after the write in flight. */
  readonly stop: AbortSignal;
}

export interface Resent {
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

export const NOTHING_RESENT: Resent = {
  sent: 0,
  refused: 0,
  lastReason: null,
  torn: 0,
  outage: null,
};

const added = (done: Resent, tried: number, { refused, outage }: ResendOutcome): Resent => ({
  ...done,
  sent: done.sent + tried - refused.length,
  refused: done.refused + refused.length,
  lastReason: refused.at(-1)?.why ?? done.lastReason,
  outage,
});

/** A resend with the parameters of the current config. */
type Work = ResendOptions & Pick<GeneratorDefinition, 'params'>;

const policyOf = ({ attempts, base_delay, max_delay }: GenerationParams['retry']): RetryPolicy => ({
  attempts,
  base_ms: base_delay * 1000,
  cap_ms: max_delay * 1000,
});

/** Letters of the next write. */
const batchOf = ({ params, limit }: Work, { sent, refused }: Resent): number =>
  Math.min(
    params.batch.size ?? MAX_LETTERS,
    MAX_LETTERS,
    (limit ?? Number.POSITIVE_INFINITY) - sent - refused,
  );

const withReason = ({ at, event }: StoredDeadLetter, { code, message }: SpateError): string =>
  JSON.stringify({ at, code, reason: message, event });

const deliverAll = async (options: Work, target: ResendTarget, output: Output): Promise<Result<Resent>> => {
  const { params, folder, stop, onProgress, known, log } = options;
  const delivery: ResendDelivery = {
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
  let done = NOTHING_RESENT;
  const sweep: Sweep = {
    next: () => ({ count: stop.aborted ? 0 : batchOf(options, done), bytes: MAX_BYTES }),
    judge: async (deadLetters) => {
      const { refused, outage } = await deliverDeadLetters(deadLetters, delivery);
      const hidden = refused.map(({ deadLetter, why }) => ({
        deadLetter,
        why: known.hideError(why),
      }));
      done = added(done, deadLetters.length, { refused: hidden, outage });
      onProgress(done);
      const keep = hidden.map(({ deadLetter, why }) => withReason(deadLetter, why));
      return { keep, goesOn: outage === null };
    },
  };
  const swept = await folder.sweep(sweep);
  return E.map(({ torn }: { readonly torn: number }) => ({ ...done, torn }))(swept);
};

const dryRun = async (options: ResendOptions, { formatter }: ResendTarget): Promise<Result<Resent>> => {
  let done = NOTHING_RESENT;
  for await (const run of options.folder.read()) {
    if (E.isLeft(run)) return run;
    const room = (options.limit ?? Number.POSITIVE_INFINITY) - done.sent - done.refused;
    if (room <= 0 || options.stop.aborted) break;
    const deadLetters = run.right.deadLetters.slice(0, room);
    const result = formatDeadLetters(formatter, deadLetters);
    if (E.isLeft(result)) return result;
    done = added(done, deadLetters.length, { refused: result.right.refused, outage: null });
    done = { ...done, torn: done.torn + run.right.torn };
    options.onProgress(done);
  }
  return E.right(done);
};

const openAndDeliver = async (options: Work, target: ResendTarget): Promise<Result<Resent>> => {
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
export const resendDeadLetters = async (options: ResendOptions): Promise<Result<Resent>> => {
  const { folder, to, known, log } = options;
  // Without letters the output is not opened.
  const bytes = await folder.bytes();
  if (E.isLeft(bytes)) return bytes;
  if (bytes.right === 0) return E.right(NOTHING_RESENT);
  const definition = await options.load();
  if (E.isLeft(definition)) return E.mapLeft(known.hideError)(definition);
  const target = await findResendTarget({ folder, definition: definition.right, to, log });
  if (E.isLeft(target)) return E.mapLeft(known.hideError)(target);
  const { number, kind } = target.right;
  options.onTarget({ number, kind, options: known.hideJson(target.right.options) as JsonObject });
  const { params } = definition.right;
  const done = options.isDryRun
    ? await dryRun(options, target.right)
    : await openAndDeliver({ ...options, params }, target.right);
  return E.mapLeft(known.hideError)(done);
};

/** The output that receives the letters. */
interface ResendTarget {
  /** Position in the config, from 1. */
  readonly number: number;
  readonly kind: string;
  /** With placeholders resolved. */
  readonly options: JsonObject;
  readonly formatter: Formatter;
  /** Its retries and timeout, where they differ from the generator's. */
  readonly choices: DeliveryChoices;
  /** The caller closes the output. */
  readonly open: () => Promise<Result<Output>>;
}

interface ResendTargetOptions {
  readonly folder: Pick<DeadLetterFolder, 'generator' | 'number' | 'kind'>;
  readonly definition: GeneratorDefinition;
  /** Number of another output, from 1. Null for the original one. */
  readonly to: number | null;
  readonly log: Log;
}

/** Resolves aliases. */
const mainName = (kind: string): string =>
  Object.values(installed().specs.output).find(
    (spec: { readonly name: string; readonly aliases?: readonly string[] }) =>
      spec.name === kind || spec.aliases?.includes(kind) === true,
  )?.name ?? kind;

/** Returns the index of the output, from 0, or an error that says why none fits. */
const chooseOutput = (
  outputs: readonly string[],
  { folder, definition: { params }, to }: ResendTargetOptions,
): Result<number> => {
  const listed = outputs.map((kind, index) => `${index + 1} (${kind})`).join(', ');
  const refuse = (what: string, advice: string): Result<never> =>
    E.left(failure('wrong_state', `${params.path}: ${what}. It has ${listed}. ${advice}`));
  if (to !== null) {
    return to <= outputs.length
      ? E.right(to - 1)
      : refuse(`there is no output ${to}`, 'Choose one of these with --to.');
  }
  const kind = outputs[folder.number - 1];
  const which = `the letters of ${folder.generator}/${folder.number}-${folder.kind}`;
  const advice =
    'Fix the config, choose an output with --to NUMBER, or remove the letters with spate deadletter purge.';
  if (kind === undefined) return refuse(`output ${folder.number}, the target of ${which}, is gone`, advice);
  if (mainName(kind) === mainName(folder.kind)) return E.right(folder.number - 1);
  return refuse(`output ${folder.number} is now ${kind}, but ${which} are for ${folder.kind}`, advice);
};

const optionsOf = ({ config }: GeneratorDefinition, index: number, kind: string): JsonObject => {
  const outputs = isJsonObject(config) ? config['output'] : null;
  const entry: unknown = Array.isArray(outputs) ? outputs[index] : null;
  const options = isJsonObject(entry) ? entry[kind] : null;
  return isJsonObject(options) ? (options as JsonObject) : {};
};

/** Turns `overwrite` into `append`: delivered events stay in the file. */
const appending = (definition: GeneratorDefinition): GeneratorDefinition => {
  const config = definition.config as JsonObject;
  const soften = (entry: Json): Json =>
    isJsonObject(entry)
      ? Object.fromEntries(
          Object.entries(entry).map(([kind, given]): [string, Json] => {
            const options = given;
            const empties = isJsonObject(options) && options['write_mode'] === 'overwrite';
            return [kind, empties ? { ...options, write_mode: 'append' } : options];
          }),
        )
      : entry;
  return { ...definition, config: { ...config, output: (config['output'] as readonly Json[]).map(soften) } };
};

/** Finds the output of a folder and builds its formatter. Returns `wrong_state` if there is no such output any more. */
const findResendTarget = async (options: ResendTargetOptions): Promise<Result<ResendTarget>> => {
  const { definition, log } = options;
  const { params } = definition;
  const { outputs } = definition.plugins;
  const index = chooseOutput(outputs, options);
  if (E.isLeft(index)) return index;
  const parts = await buildersOf(appending(definition), registry, {
    zone: zoneOf(params.timezone) ?? utc,
    clock: systemClock,
    random: seededRandom(params.seed ?? drawSeed()),
    log,
    signal: new AbortController().signal,
    globals: globalsView(makeOwnedGlobals('', {}, 0), []),
    templates: { limits: params.template_limits, runCommand: null, isTraced: false },
  });
  if (E.isLeft(parts)) return parts;
  const { builders, delivery } = parts.right;
  const [open, build] = [builders.outputs[index.right], builders.formatters[index.right]];
  if (open === undefined || build === undefined) {
    return E.left(failure('bug', `${params.path}: output ${index.right + 1} has no builder`));
  }
  const formatter = await build();
  if (E.isLeft(formatter)) return formatter;
  const kind = outputs[index.right] ?? options.folder.kind;
  return E.right({
    number: index.right + 1,
    kind,
    options: optionsOf(definition, index.right, kind),
    formatter: formatter.right,
    choices: delivery(index.right),
    open,
  });
};
