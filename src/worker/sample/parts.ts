import * as E from 'fp-ts/lib/Either.js';
import { drawSeed } from '../../adapters/entropy.js';
import { nodeFiles } from '../../adapters/files/files.js';
import { keyringFile } from '../../adapters/keyring/file.js';
import { runCommand } from '../../adapters/processes/programs.js';
import { pythonProcesses } from '../../adapters/processes/pythonProcess.js';
import { fixedClock } from '../../adapters/systemClock.js';
import { loadGenerator } from '../../config/generator/config.js';
import { failure, type Result } from '../../domain/errors.js';
import type { GeneratorDefinition, GeneratorParams } from '../../domain/generator.js';
import { globalsView, makeOwnedGlobals } from '../../domain/globals/owned.js';
import type { JsonObject } from '../../domain/json.js';
import { seededRandom } from '../../domain/random.js';
import { type KnownSecrets, knownSecrets } from '../../domain/secrets.js';
import type { Micros } from '../../domain/time/micros.js';
import { utc, type Zone, zoneOf } from '../../domain/time/zone.js';
import { PYTHON_FILE, SINGLE_MEMORY_MB } from '../../host/singleThread.js';
import { buildAll } from '../../pipeline/build.js';
import { type Merged, merge } from '../../pipeline/schedule/merge.js';
import { buildersOf } from '../../plugins/buildParts.js';
import { installed } from '../../plugins/installed.js';
import type { Input } from '../../plugins/kit.js';
import { registry } from '../../plugins/registry.js';
import type { Files } from '../../ports/files.js';
import type { KeyringAccess } from '../../ports/keyring.js';
import type { Log } from '../../ports/log.js';

/** Timestamps pulled from the inputs at once. */
export const LOOK_AHEAD = 4_096;

/** An input that observes a world and finds nothing for this long has an end in a sample. */
export const MAX_SEARCH_MS = 10_000;

export const SILENT: Log = { write: () => {}, with: () => SILENT };

export interface SampleOptions {
  /** `live_mode` is ignored: a sample never waits. A `seed` of `null` draws one. */
  readonly params: GeneratorParams;
  /** Reads secrets. Null when there are none. */
  readonly keyring: KeyringAccess | null;
  /** Leaves out timestamps before the start, as live runs do. */
  readonly skip_past?: boolean;
  /** Texts that stand for the config, templates and samples, by absolute path. */
  readonly texts?: ReadonlyMap<string, string>;
}

export interface LoadedSample {
  readonly definition: GeneratorDefinition;
  readonly zone: Zone;
  readonly seed: string;
  readonly known: KnownSecrets;
}

const noSecrets = () => ({
  keyring: { read: async () => E.left(failure('not_found', 'There are no secrets here.')) },
  known: knownSecrets(),
});

const secretsOf = (access: KeyringAccess) => {
  const known = knownSecrets();
  return { keyring: keyringFile({ ...access, known, warn: () => {} }), known };
};

/** Reads given texts before files. */
const filesWith = (texts: ReadonlyMap<string, string>): Pick<Files, 'readText'> => ({
  readText: async (path, max_bytes) => {
    const text = texts.get(path);
    return text === undefined ? nodeFiles.readText(path, max_bytes) : E.right(text);
  },
});

export const load = async ({ params, keyring, texts }: SampleOptions): Promise<Result<LoadedSample>> => {
  const { keyring: secrets, known } = keyring === null ? noSecrets() : secretsOf(keyring);
  const files = texts === undefined ? nodeFiles : filesWith(texts);
  const context = { files, secrets, shape: installed().shapes.generator };
  const loaded = await loadGenerator(context, { ...params, live_mode: false }, []);
  if (E.isLeft(loaded)) return E.left(known.hideError(loaded.left));
  for (const secret of loaded.right.secrets ?? []) known.add(secret);
  const seed = params.seed ?? drawSeed();
  return E.right({ definition: loaded.right, zone: zoneOf(params.timezone) ?? utc, seed, known });
};

interface PartsOptions extends Pick<SampleOptions, 'texts'> {
  readonly globals: JsonObject;
  readonly now: Micros;
  readonly allow_subprocess: boolean;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** The seed tree is that of a run, so random values are the same. */
export const partsOf = ({ definition, zone, seed }: LoadedSample, options: PartsOptions) =>
  buildersOf(definition, registry, {
    zone,
    clock: fixedClock(options.now),
    random: seededRandom(seed),
    log: options.log,
    signal: options.signal,
    globals: globalsView(makeOwnedGlobals('', options.globals, 0), []),
    python: pythonProcesses(PYTHON_FILE, SINGLE_MEMORY_MB),
    ...(options.texts === undefined ? {} : { drafts: options.texts }),
    templates: {
      limits: definition.params.template_limits,
      runCommand: options.allow_subprocess ? runCommand : null,
      isTraced: false,
    },
  });

export type SampleParts = Awaited<ReturnType<typeof partsOf>> extends Result<infer A> ? A : never;

/** Inputs as one stream. */
export interface MergedInputs {
  readonly inputs: readonly Input[];
  readonly merged: Merged;
}

export const mergedInputs = async (
  { builders }: SampleParts,
  { now, skip_past = false }: Pick<SampleOptions, 'skip_past'> & { readonly now: Micros },
  onFailure: (reason: string) => void,
): Promise<Result<MergedInputs>> => {
  const inputs = await buildAll(builders.inputs.map((build) => () => build({ now, skipPast: skip_past })));
  return E.isLeft(inputs)
    ? inputs
    : E.right({
        inputs: inputs.right,
        merged: merge(inputs.right, (number, reason) => onFailure(`input ${number + 1}: ${reason}`)),
      });
};
