import * as E from 'fp-ts/lib/Either.js';
import { checkFilePath, MAX_FILE_PATH_BYTES } from '../domain/directory.js';
import { failure, type Result } from '../domain/errors.js';
import { checkDirectoryName, MAX_SEGMENT_BYTES } from '../domain/identifiers.js';
import { isJsonObject, type Json, type JsonObject } from '../domain/json.js';
import { decode, type JsonSchema, type Shape, text } from '../schema/index.js';
import { type Answer, type Api, type ApiRequest, refusedBy } from './api.js';

/** What a tool does to the service. `preview`: runs stored code, stores nothing. */
export type ToolEffect = 'reads' | 'previews' | 'changes' | 'removes';

/**
 * Runs previews one at a time, because a service keeps one per directory. Returns the error `too_many_requests` when
 * too many wait.
 */
export type InTurn = <A>(task: () => Promise<Answer<A>>) => Promise<Answer<A>>;

export interface ToolContext {
  readonly api: Api;
  /** Checks the text of a config against the plugins of the service. */
  readonly checkConfig: (text: string) => Result<unknown>;
  readonly inTurn: InTurn;
  /** False when the model may only read and preview. */
  readonly allowsChanges: boolean;
}

/** One tool of the table: how it is listed, and what it asks of the API. */
export interface Tool {
  readonly name: string;
  /** Its name in the version before: it still works in this one, and is not listed. */
  readonly formerName?: string;
  readonly title: string;
  /** For a model: what it returns, and when to use it. */
  readonly description: string;
  readonly effect: ToolEffect;
  readonly schema: JsonSchema;
  readonly call: (args: unknown, context: ToolContext) => Promise<Answer<JsonObject>>;
}

interface ToolSpec<A> extends Omit<Tool, 'schema' | 'call'> {
  readonly input: Shape<A>;
  readonly run: (args: A, context: ToolContext) => Promise<Answer<JsonObject>>;
}

/**
 * Returns the schema of an argument without null. Models leave out what they do not give, and some clients read one
 * type only.
 */
const given = (schema: Json): Json => {
  if (!isJsonObject(schema)) return schema;
  const { type, default: fallback, ...rest } = schema;
  return {
    ...(type === undefined
      ? {}
      : {
          type: Array.isArray(type)
            ? ((type as readonly Json[]).find((each) => each !== 'null') ?? 'null')
            : type,
        }),
    ...rest,
    ...(fallback === undefined || fallback === null || fallback === '' ? {} : { default: fallback }),
  };
};

const schemaOf = ({ schema }: Pick<Shape<unknown>, 'schema'>): JsonSchema => {
  const { properties = {}, ...rest } = schema;
  const fields = Object.entries(properties as JsonObject).map(([key, field]) => [key, given(field)]);
  return { ...rest, properties: Object.fromEntries(fields) as JsonObject };
};

/** Builds a row; arguments are checked against its input. */
export const tool = <A>({ input, run, ...shown }: ToolSpec<A>): Tool => ({
  ...shown,
  get schema() {
    return schemaOf(input);
  },
  call: async (args, context) => {
    const decoded = decode(input, args);
    if (E.isRight(decoded)) return run(decoded.right, context);
    const message = `The arguments of ${shown.name} are wrong; problems say where.`;
    return E.left(refusedBy(failure('invalid', message, { issues: decoded.left })));
  },
});

/** One request whose answer is the result, under `key`. */
export const asks =
  <A>(
    key: string,
    requestOf: (args: A) => ApiRequest,
    pick: (value: Json) => Json = (value) => value,
  ): ToolSpec<A>['run'] =>
  async (args, { api }) =>
    E.map((value: Json) => ({ [key]: pick(value) }))(await api(requestOf(args)));

/** Requests in order, up to the first that fails; right: what `done` says. */
export const does =
  <A>(requestsOf: (args: A) => readonly ApiRequest[], done: (args: A) => JsonObject): ToolSpec<A>['run'] =>
  async (args, { api }) => {
    for (const request of requestsOf(args)) {
      const answer = await api(request);
      if (E.isLeft(answer)) return answer;
    }
    return E.right(done(args));
  };

/** Name of a directory, generator or scenario. */
export const name = text({
  label: 'name',
  minLength: 1,
  maxLength: MAX_SEGMENT_BYTES,
  check: checkDirectoryName,
});

/** Path of a file in a generator directory. */
export const file = text({
  label: 'path of a file',
  minLength: 1,
  maxLength: MAX_FILE_PATH_BYTES,
  check: checkFilePath,
});
