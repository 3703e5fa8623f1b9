import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import type { AskActor } from '../../actors/ask.js';
import type { DestinationHandlers } from '../../actors/stores/configs.js';
import { nodeFiles } from '../adapters/files/files.js';
import { ioError, isAbsent } from '../adapters/files/ioError.js';
import { privateFiles } from '../adapters/files/privateFiles.js';
import { loadGenerator } from '../config/generator/config.js';
import { updateConfigText } from '../config/generator/configText.js';
import {
  destinationsUsed,
  MAX_DESTINATION_BYTES,
  outputShapeIn,
  readDestination,
} from '../config/generator/destinations.js';
import { invalid } from '../config/report.js';
import type { Settings } from '../config/settings/settings.js';
import { failure, type Issue, type Result, type SpateError } from '../domain/errors.js';
import { allowsChange, etagOf } from '../domain/etag.js';
import type { GenerationParams, GeneratorDefinition } from '../domain/generator.js';
import { checkDestinationName } from '../domain/identifiers.js';
import type { Json, JsonObject } from '../domain/json.js';
import type { CheckedOutput } from '../domain/preview.js';
import type { DestinationItem } from '../messages/configs.js';
import { installed } from '../plugins/installed.js';
import { maskSecrets, unmask } from '../schema/index.js';
import type { SecretKeeping } from './secrets.js';
import { generatorsBy } from './worlds/usedFiles.js';

const SUFFIX = '.yml';
export interface DestinationsOptions {
  readonly generators_dir: string;
  readonly ask: AskActor;
  readonly secrets: SecretKeeping;
  readonly settings: { readonly path: Pick<Settings['path'], 'destinations'> };
  /** Defaults of the generator around a checked output. */
  readonly current: { readonly settings: { readonly generation: GenerationParams } };
  readonly connect: (definition: GeneratorDefinition) => Promise<Result<readonly CheckedOutput[]>>;
  /** This node of a cluster. Null when the service runs alone. */
  readonly node: object | null;
}

const outputShape = () => outputShapeIn(installed().shapes.generator);

/** Names of the destinations of a service; the folder need not exist. */
const destinationNames = async (folder: string): Promise<Result<readonly string[]>> => {
  try {
    const names = (await readdir(folder)).filter((name) => name.endsWith(SUFFIX));
    const known = names.map((name) => name.slice(0, -SUFFIX.length));
    return E.right(known.filter((name) => checkDestinationName(name) === null).sort());
  } catch (thrown) {
    return isAbsent(thrown) ? E.right([]) : E.left(ioError('unreadable', 'list', folder, thrown));
  }
};

/** Ids of the registered generators by the name of a destination in their configs. */
const usersByName = (options: DestinationsOptions): Promise<ReadonlyMap<string, readonly string[]>> =>
  // Most configs use none, and reading YAML is slow.
  generatorsBy(options, /\buse\b/, destinationsUsed);

/** Paths of the files; none when the folder cannot be read. */
export const destinationFiles = async (folder: string): Promise<readonly string[]> => {
  const names = E.getOrElse((): readonly string[] => [])(await destinationNames(folder));
  return names.map((name) => join(folder, `${name}${SUFFIX}`));
};

const NODES = 'nodes of a cluster have destinations of their own: edit the file on each node';

/** Destinations of the service: files in the folder beside the generators. */
export const destinationHandlers = (options: DestinationsOptions): DestinationHandlers => {
  const { secrets } = options;
  const folder = options.settings.path.destinations;
  const fileOf = (name: string): string => join(folder, `${name}${SUFFIX}`);

  const textOf = async (name: string): Promise<Result<string>> => {
    const text = await nodeFiles.readText(fileOf(name), MAX_DESTINATION_BYTES);
    return E.isLeft(text) && text.left.code === 'not_found'
      ? E.left(failure('not_found', `there is no destination "${name}"`))
      : text;
  };

  const outputOf = (name: string, text: string): Result<JsonObject> =>
    readDestination(text, fileOf(name), outputShape());

  const itemOf = async (name: string, used_by: readonly string[]): Promise<DestinationItem> => {
    const text = await textOf(name);
    const output = E.isRight(text) ? outputOf(name, text.right) : text;
    return E.isRight(output)
      ? { name, plugin: Object.keys(output.right)[0] ?? null, error: null, used_by }
      : { name, plugin: null, error: secrets.known.hideError(output.left).message, used_by };
  };

  /** An output with the secrets of a stored destination in place of masks. */
  const unmaskedBy = (name: string, text: string, output: Json): Result<Json> => {
    const stored = E.getOrElse((): JsonObject => ({}))(outputOf(name, text));
    return E.mapLeft((issues: readonly Issue[]) => invalid('', issues))(
      unmask(outputShape(), stored, output),
    );
  };

  return {
    'destinations.list': async () => {
      const names = await destinationNames(folder);
      if (E.isLeft(names)) return names;
      const used = await usersByName(options);
      return E.right(await Promise.all(names.right.map((name) => itemOf(name, used.get(name) ?? []))));
    },

    'destinations.read': async ({ name }) => {
      const text = await textOf(name);
      if (E.isLeft(text)) return text;
      const output = outputOf(name, text.right);
      return E.isLeft(output)
        ? output
        : E.right({ output: maskSecrets(outputShape(), output.right), etag: etagOf(text.right) });
    },

    'destinations.write': async ({ name, output, if_match }) => {
      if (options.node !== null) return E.left(failure('wrong_state', NODES));
      const old = await textOf(name);
      if (E.isLeft(old) && old.left.code !== 'not_found') return old;
      const etag = E.isRight(old) ? etagOf(old.right) : null;
      if (if_match !== null && (etag === null || !allowsChange(if_match, etag)))
        return E.left(failure('precondition_failed', `destination "${name}" has changed: read it again`));
      const whole = unmaskedBy(name, E.isRight(old) ? old.right : '', output);
      if (E.isLeft(whole)) return whole;
      const next = updateConfigText(E.isRight(old) ? old.right : '', whole.right, outputShape());
      if (E.isLeft(next)) return next;
      const checked = outputOf(name, next.right);
      if (E.isLeft(checked)) return E.left(withoutFile(checked.left, 0));
      const made = await nodeFiles.makeDirectory(folder);
      const written = E.isLeft(made) ? made : await nodeFiles.replaceText(fileOf(name), next.right);
      return E.isLeft(written) ? written : E.right({ etag: etagOf(next.right) });
    },

    'destinations.delete': async ({ name, force }) => {
      if (options.node !== null) return E.left(failure('wrong_state', NODES));
      const old = await textOf(name);
      if (E.isLeft(old) && old.left.code === 'not_found') return old;
      const ids = force ? [] : ((await usersByName(options)).get(name) ?? []);
      if (ids.length > 0)
        return E.left(failure('wrong_state', `destination "${name}" is used by ${ids.join(', ')}`));
      return E.map(() => null)(await privateFiles.remove(fileOf(name)));
    },

    'destinations.check': async ({ output, masked }) => {
      const stored = masked === null ? E.right('') : await textOf(masked);
      const open = E.isLeft(stored) ? stored : unmaskedBy(masked ?? '', stored.right, output);
      if (E.isLeft(open)) return open;
      const definition = await definitionOf(open.right, options);
      if (E.isLeft(definition)) return E.left(secrets.known.hideError(definition.left));
      return E.map((outputs: readonly CheckedOutput[]) => outputs[0] as CheckedOutput)(
        await options.connect(definition.right),
      );
    },
  };
};

/** Issues of a value that a request brought: no file, no lines, and `depth` keys of the path are of what is around it. */
const withoutFile = ({ code, message, issues }: SpateError, depth: number): SpateError =>
  issues === undefined
    ? failure(code, message)
    : invalid(
        '',
        issues.map(
          ({ line: _line, column: _column, path, ...issue }): Issue => ({
            ...issue,
            path: path.slice(depth),
          }),
        ),
      );

/** A generator around an output, in a folder that need not exist. */
const definitionOf = async (
  output: Json,
  { generators_dir, secrets, current }: DestinationsOptions,
): Promise<Result<GeneratorDefinition>> => {
  const path = join(generators_dir, 'check', 'generator.yml');
  const text = JSON.stringify({
    input: [{ static: { count: 1 } }],
    event: { replay: { path: 'none' } },
    output: [output],
  });
  const files = {
    readText: (file: string, max_bytes: number) =>
      file === path ? Promise.resolve(E.right(text)) : nodeFiles.readText(file, max_bytes),
  };
  const loaded = await loadGenerator(
    { files, secrets: secrets.keyring, shape: installed().shapes.generator },
    {
      ...current.settings.generation,
      id: 'check',
      path,
      live_mode: true,
      skip_past: true,
      from: null,
      params: {},
      seed: null,
    },
    [],
  );
  return E.mapLeft((error: SpateError) => (error.file === path ? withoutFile(error, 2) : error))(loaded);
};
