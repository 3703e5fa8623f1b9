import * as E from 'fp-ts/lib/Either.js';
import { substitute } from '../config/generator/substitute.js';
import { failure } from '../domain/errors.js';
import { isJsonObject, type Json, type JsonObject } from '../domain/json.js';
import { type Answer, type Api, path, refusedBy } from './api.js';
import type { ToolContext } from './tool.js';

/** Secrets never leave the service: a preview shows this instead. */
const SECRET = '***';
const secrets = { read: async () => E.right(SECRET) };

export interface SampleOptions {
  /** Name of the generator directory. */
  readonly name: string;
  /** Replace `${params.…}` of the config. */
  readonly params: JsonObject;
  /** Number of timestamps. */
  readonly size: number;
  /** ISO 8601 with an offset; `null`: now. */
  readonly from: string | null;
  /** `null`: UTC for timestamps, and that of the settings for events. */
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

/** A stored config without placeholders. */
const configOf = async (
  { name, params }: Pick<SampleOptions, 'name' | 'params'>,
  api: Api,
): Promise<Answer<JsonObject>> => {
  const stored = await api({ method: 'get', path: path`/generator-configs/${name}` });
  if (E.isLeft(stored)) return stored;
  const replaced = await substitute(stored.right, params, secrets);
  if (E.isRight(replaced)) return E.right(replaced.right.value as JsonObject);
  const message = `The config of ${name} needs values for its placeholders. Give them in params.`;
  return E.left(refusedBy(failure('invalid', message, { issues: replaced.left })));
};

const timestampsOf = async (
  config: JsonObject,
  { name, size, from, timezone }: SampleOptions,
  api: Api,
): Promise<Answer<SampledTimestamps>> =>
  E.map((value: Json) => value as unknown as SampledTimestamps)(
    await api({
      method: 'post',
      path: path`/preview/${name}/input-plugins/generate`,
      query: { size, from, timezone },
      body: config['input'] ?? [],
    }),
  );

/** Previews the timestamps of the stored inputs. */
export const sampleTimestamps = async (
  options: SampleOptions,
  { api }: ToolContext,
): Promise<Answer<SampledTimestamps>> => {
  const config = await configOf(options, api);
  return E.isLeft(config) ? config : timestampsOf(config.right, options, api);
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
  { name, timezone }: SampleOptions,
  api: Api,
): Promise<Answer<SampledEvents>> => {
  const plugin = path`/preview/${name}/event-plugin`;
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
export const sampleEvents = (options: SampleOptions, context: ToolContext): Promise<Answer<SampledEvents>> =>
  context.inTurn(async () => {
    const { api } = context;
    const config = await configOf(options, api);
    if (E.isLeft(config)) return config;
    const sampled = await timestampsOf(config.right, options, api);
    if (E.isLeft(sampled)) return sampled;
    return produced(config.right, sampled.right.timestamps, options, api);
  });
