import { access, constants, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { systemClock } from '../../adapters/systemClock.js';
import { failure, type Result, reasonOf, type SpateError } from '../../domain/errors.js';
import type { GeneratorDefinition } from '../../domain/generator.js';
import { globalsView, makeOwnedGlobals } from '../../domain/globals/owned.js';
import { isJsonObject, type Json, type JsonObject } from '../../domain/json.js';
import type { CheckedOutput } from '../../domain/preview.js';
import { seededRandom } from '../../domain/random.js';
import { knownSecrets } from '../../domain/secrets.js';
import { utc, zoneOf } from '../../domain/time/zone.js';
import { buildersOf } from '../../plugins/buildParts.js';
import type { Output } from '../../plugins/kit.js';
import { registry } from '../../plugins/registry.js';
import { generatorFile } from '../../plugins/shared/inputFile.js';
import { load, type SampleOptions, SILENT } from '../sample/parts.js';

/** Time limit for closing an output without events. */
const CLOSE_MS = 2_000;

type Entry = readonly [kind: string, params: JsonObject];

/** What would take over from a generator that runs: the session of its client, or the transactions of its producer. */
const asBystander = ([kind, params]: Entry): JsonObject => {
  if (kind === 'mqtt' && typeof params['client_id'] === 'string')
    return { ...params, client_id: `${params['client_id']}-check`, clean_session: true };
  return kind === 'kafka' ? { ...params, transactional_id: null } : params;
};

/** Why a file cannot be written, without touching it: opening would create it, or make it empty. */
const fileProblem = async (directory: string, written: Json | undefined): Promise<string | null> => {
  if (typeof written !== 'string') return null;
  const path = generatorFile({ directory }, written);
  const isFixed = !path.includes('{');
  const found = isFixed ? await stat(path).catch(() => null) : null;
  if (found?.isDirectory() === true) return `${path} is a directory`;
  let place = found === null ? dirname(path.replace(/\{.*$/s, 'x')) : path;
  for (let there = found; there === null; ) {
    there = await stat(place).catch(() => null);
    if (there === null) place = dirname(place);
    else if (!there.isDirectory()) return `${place} is not a directory`;
  }
  try {
    await access(place, constants.W_OK);
    return null;
  } catch (thrown) {
    return `${place} cannot be written: ${reasonOf(thrown)}`;
  }
};

const within = <A>(ms: number, run: Promise<A>, late: () => A): Promise<A> =>
  new Promise((resolve, reject) => {
    const cancel = systemClock.after(ms, () => resolve(late()));
    run.then(resolve, reject).finally(cancel);
  });

const closed = (output: Output): Promise<unknown> =>
  within<unknown>(
    CLOSE_MS,
    output.close().catch(() => null),
    () => null,
  );

/** Opens an output and closes it again. One that opens after its time is closed then. */
const opened = async (
  build: () => Promise<Result<Output>>,
  timeout_ms: number,
  ending: AbortController,
): Promise<SpateError | null> => {
  let isLate = false;
  const opening = build().catch((thrown: unknown) =>
    E.left(failure('bug', `opening the output threw: ${reasonOf(thrown)}`)),
  );
  void opening.then((result) => (isLate && E.isRight(result) ? closed(result.right) : null));
  const result = await within<Result<Output>>(timeout_ms, opening, () => {
    isLate = true;
    ending.abort();
    return E.left(failure('timed_out', `nothing answered within ${timeout_ms / 1000} s`));
  });
  if (E.isLeft(result)) return result.left;
  await closed(result.right);
  return null;
};

/**
 * Opens the outputs of a definition as its generator does and closes them: all at once, without an event. Files are not
 * opened, their folders are looked at. Errors hide the secrets of the definition.
 */
export const connectAll = (
  definition: GeneratorDefinition,
  timeout_ms: number,
): Promise<readonly CheckedOutput[]> => {
  const known = knownSecrets();
  for (const secret of definition.secrets ?? []) known.add(secret);
  const { path, timezone, template_limits: limits } = definition.params;
  const config = definition.config as JsonObject;
  const entries = (config['output'] as readonly JsonObject[]).map((entry): Entry => {
    const [kind = '', params] = Object.entries(entry)[0] ?? [];
    return [kind, isJsonObject(params) ? params : {}];
  });
  const output = entries.map((entry) => ({ [entry[0]]: asBystander(entry) }));
  return Promise.all(
    entries.map(async ([kind, params], index): Promise<CheckedOutput> => {
      if (kind === 'stdout') return { kind, error: null };
      if (kind === 'file') {
        const problem = await fileProblem(dirname(path), params['path']);
        return { kind, error: problem === null ? null : failure('output_failed', problem) };
      }
      const ending = new AbortController();
      const parts = await buildersOf({ ...definition, config: { ...config, output } }, registry, {
        zone: zoneOf(timezone) ?? utc,
        clock: systemClock,
        random: seededRandom(''),
        log: SILENT,
        signal: ending.signal,
        globals: globalsView(makeOwnedGlobals('', {}, 0), []),
        templates: { limits, runCommand: null, isTraced: false },
      });
      const build = E.isRight(parts) ? parts.right.builders.outputs[index] : undefined;
      const error = E.isLeft(parts)
        ? parts.left
        : build === undefined
          ? null
          : await opened(build, timeout_ms, ending);
      ending.abort();
      return { kind, error: error === null ? null : known.hideError(error) };
    }),
  );
};

/** As `connectAll`, of a config that is loaded first. Returns an error when it cannot be. */
export const connectOutputs = async (
  options: SampleOptions,
  timeout_ms: number,
): Promise<Result<readonly CheckedOutput[]>> => {
  const loaded = await load(options);
  return E.isLeft(loaded) ? loaded : E.right(await connectAll(loaded.right.definition, timeout_ms));
};
