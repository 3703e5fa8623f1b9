import * as E from 'fp-ts/lib/Either.js';
import { drawSeed } from '../../adapters/entropy.js';
import { systemClock } from '../../adapters/systemClock.js';
import { failure, type Result } from '../../domain/errors.js';
import type { GeneratorDefinition } from '../../domain/generator.js';
import { globalsView, makeCell } from '../../domain/globals/cell.js';
import { isJsonObject, type Json, type JsonObject } from '../../domain/json.js';
import { seededRandom } from '../../domain/random/seededRandom.js';
import { utc, zoneOf } from '../../domain/time/zone.js';
import { buildersOf } from '../../plugins/buildParts.js';
import { installed } from '../../plugins/installed.js';
import type { DeliveryChoices, Formatter, Output } from '../../plugins/kit.js';
import { registry } from '../../plugins/registry.js';
import type { LetterBox } from '../../ports/deadLetters.js';
import type { Log } from '../../ports/log.js';

/** The output that receives the letters. */
export interface ReplayTarget {
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

interface ReplayTargetOptions {
  readonly box: Pick<LetterBox, 'generator' | 'number' | 'kind'>;
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
  { box, definition: { params }, to }: ReplayTargetOptions,
): Result<number> => {
  const listed = outputs.map((kind, index) => `${index + 1} (${kind})`).join(', ');
  const refuse = (what: string, advice: string): Result<never> =>
    E.left(failure('wrong_state', `${params.path}: ${what}. It has ${listed}. ${advice}`));
  if (to !== null) {
    return to <= outputs.length
      ? E.right(to - 1)
      : refuse(`there is no output ${to}`, 'Choose one of these with --to.');
  }
  const kind = outputs[box.number - 1];
  const letters = `the letters of ${box.generator}/${box.number}-${box.kind}`;
  const advice =
    'Fix the config, choose an output with --to NUMBER, or remove the letters with spate deadletter purge.';
  if (kind === undefined) return refuse(`output ${box.number}, the target of ${letters}, is gone`, advice);
  if (mainName(kind) === mainName(box.kind)) return E.right(box.number - 1);
  return refuse(`output ${box.number} is now ${kind}, but ${letters} are for ${box.kind}`, advice);
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

/** Finds the output of a box and builds its formatter. Returns `wrong_state` if there is no such output any more. */
export const findReplayTarget = async (options: ReplayTargetOptions): Promise<Result<ReplayTarget>> => {
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
    globals: globalsView(makeCell('', {}, 0), []),
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
  const kind = outputs[index.right] ?? options.box.kind;
  return E.right({
    number: index.right + 1,
    kind,
    options: optionsOf(definition, index.right, kind),
    formatter: formatter.right,
    choices: delivery(index.right),
    open,
  });
};
