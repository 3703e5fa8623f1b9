import * as E from 'fp-ts/lib/Either.js';
import { paramIssues } from '../config/generator/given.js';
import { substitute } from '../config/generator/substitute.js';
import { failure, type Issue, type Result } from '../domain/errors.js';
import { isJsonObject, type Json, type JsonObject } from '../domain/json.js';
import { GENERATOR_FILE } from '../domain/library.js';
import { placeholdersIn } from '../domain/placeholder.js';
import { type Answer, type Api, apiPath, filePath, refusedBy } from './api.js';
import type { ToolContext } from './tool.js';

/** Secrets never leave the service: a preview shows this instead. */
const SECRET = '***';
const secrets = { read: async () => E.right(SECRET) };

export interface ToolSampleOptions {
  /** Name of the generator directory. */
  readonly name: string;
  /** Replace `${params.…}` of the config. */
  readonly params: JsonObject;
  /** Number of timestamps. */
  readonly size: number;
  /** Start in ISO 8601 with an offset. Null for now. */
  readonly from: string | null;
  /** Time zone. Null stands for UTC with timestamps, and for that of the settings with events. */
  readonly timezone: string | null;
}

/** The answer of a preview of timestamps. */
interface SampledTimestamps {
  readonly timestamps: readonly string[];
  readonly total: number;
}

export interface SampledEvents {
  readonly timestamps: readonly string[];
  readonly events: readonly string[];
  readonly errors: readonly { readonly index: number; readonly message: string }[];
  /** The event plugin has no more events. */
  readonly exhausted: boolean;
}

/** Whether a text, taken as a path, leads out of the directory that it counts from. */
const leadsOut = (text: string): boolean =>
  /^(?:[/\\~]|[a-z]:)/i.test(text) || text.split(/[/\\]/).includes('..') || text.includes('\0');

const problemOf = (value: Json, isOfScript: boolean): string | null => {
  if (isOfScript) return 'must not come from params: it chooses what runs';
  if (typeof value === 'object' && value !== null) return 'must be a text, a number or a boolean';
  return typeof value === 'string' && leadsOut(value)
    ? 'must not lead out of the generator directory, in case it is a path'
    : null;
};

/**
 * Where given parameters could choose a file outside of the generator directory, or a script. Any text counts as a
 * path: plugins decide what they open.
 */
const choicesOf = (stored: Json, replaced: Json, params: JsonObject, at: Issue['path']): readonly Issue[] => {
  if (typeof stored === 'string') {
    const isGiven = placeholdersIn(stored).some(
      ({ source, name }) => source === 'params' && Object.hasOwn(params, name),
    );
    const message = isGiven ? problemOf(replaced, at[0] === 'event' && at[1] === 'script') : null;
    return message === null ? [] : [{ path: at, type: 'not_allowed', message }];
  }
  if (typeof stored !== 'object' || stored === null) return [];
  const inner = replaced as JsonObject;
  return Object.entries(stored).flatMap(([key, value]) =>
    choicesOf(value, inner[key] as Json, params, [...at, Array.isArray(stored) ? Number(key) : key]),
  );
};

/** Problems of parameters, as a start of the generator finds them. Files are those of its directory. */
const problemsOfParams = (
  { name, params }: Pick<ToolSampleOptions, 'name' | 'params'>,
  config: Json,
  api: Api,
): Promise<readonly Issue[]> => {
  const folder = `/${name}/`;
  const unseen = failure('not_found', 'the file is not in the generator directory');
  const readText = async (file: string, max_bytes: number): Promise<Result<string>> => {
    const own = file.slice(folder.length).replace(/^(?:\.\/)+/, '');
    if (!file.startsWith(folder) || leadsOut(own)) return E.left(unseen);
    const url = `${apiPath`/generator-configs/${name}/file/`}${filePath(own)}`;
    const text = await api({ method: 'get', path: url });
    return E.isRight(text) && typeof text.right === 'string' && text.right.length <= max_bytes
      ? E.right(text.right)
      : E.left(unseen);
  };
  return paramIssues({ path: `${folder}${GENERATOR_FILE}`, config, readText }, params);
};

/** A stored config without placeholders. While changes are off, a model must not choose files through parameters. */
const configOf = async (
  { name, params }: Pick<ToolSampleOptions, 'name' | 'params'>,
  { api, allowsChanges }: ToolContext,
): Promise<Answer<JsonObject>> => {
  const stored = await api({ method: 'get', path: apiPath`/generator-configs/${name}` });
  if (E.isLeft(stored)) return stored;
  const wrong = await problemsOfParams({ name, params }, stored.right, api);
  if (wrong.length > 0)
    return E.left(
      refusedBy(failure('invalid', `Some params do not fit the config of ${name}.`, { issues: wrong })),
    );
  const replaced = await substitute(stored.right, params, secrets);
  if (E.isRight(replaced)) {
    const value = replaced.right.value as JsonObject;
    const { input = null, event = null } = stored.right as JsonObject;
    const issues = allowsChanges ? [] : choicesOf({ input, event }, value, params, []);
    if (issues.length === 0) return E.right(value);
    const refused =
      'While changes are off, params choose no files outside of the generator directory and no scripts.';
    return E.left(refusedBy(failure('forbidden', refused, { issues })));
  }
  const message = `The config of ${name} needs values for its placeholders. Give them in params.`;
  return E.left(refusedBy(failure('invalid', message, { issues: replaced.left })));
};

const timestampsOf = async (
  config: JsonObject,
  { name, size, from, timezone }: ToolSampleOptions,
  api: Api,
): Promise<Answer<SampledTimestamps>> =>
  E.map((value: Json) => value as unknown as SampledTimestamps)(
    await api({
      method: 'post',
      path: apiPath`/preview/${name}/input-plugins/generate`,
      query: { size, from, timezone },
      body: config['input'] ?? [],
    }),
  );

/** Previews the timestamps of the stored inputs. */
export const previewedTimestamps = async (
  options: ToolSampleOptions,
  context: ToolContext,
): Promise<Answer<SampledTimestamps>> => {
  const config = await configOf(options, context);
  return E.isLeft(config) ? config : timestampsOf(config.right, options, context.api);
};

/** Tags of the only input; which of several inputs made a timestamp is unknown. */
const tagsOf = (inputs: Json | undefined): Json => {
  const [input, second] = Array.isArray(inputs) ? (inputs as readonly Json[]) : [];
  const [fields] = isJsonObject(input) ? Object.values(input) : [];
  const tags = isJsonObject(fields) ? fields['tags'] : undefined;
  return second === undefined && Array.isArray(tags) ? (tags as readonly Json[]) : [];
};

/** Builds the event plugin for preview, produces, and releases it. */
const produced = async (
  config: JsonObject,
  timestamps: readonly string[],
  { name, timezone }: ToolSampleOptions,
  api: Api,
): Promise<Answer<SampledEvents>> => {
  const plugin = apiPath`/preview/${name}/event-plugin`;
  const event = config['event'] ?? null;
  const opened = await api({ method: 'post', path: plugin, query: { timezone }, body: event });
  if (E.isLeft(opened)) return opened;
  const tags = tagsOf(config['input']);
  const body = timestamps.map((timestamp) => ({ timestamp, tags }));
  const answer = await api({ method: 'post', path: `${plugin}/produce`, body });
  await api({ method: 'delete', path: plugin });
  return E.map((value: Json) => ({ timestamps, ...(value as unknown as Omit<SampledEvents, 'timestamps'>) }))(
    answer,
  );
};

/** Previews events of a stored generator, before formatting. Opens no output. */
export const previewedEvents = (
  options: ToolSampleOptions,
  context: ToolContext,
): Promise<Answer<SampledEvents>> =>
  context.inTurn(async () => {
    const { api } = context;
    const config = await configOf(options, context);
    if (E.isLeft(config)) return config;
    const sampled = await timestampsOf(config.right, options, api);
    if (E.isLeft(sampled)) return sampled;
    return produced(config.right, sampled.right.timestamps, options, api);
  });
