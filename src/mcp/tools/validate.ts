import * as E from 'fp-ts/lib/Either.js';
import { failure } from '../../domain/errors.js';
import type { JsonObject } from '../../domain/json.js';
import { freeObject, optional, record, text } from '../../schema/index.js';
import { type Answer, filePath, path, type Refusal, refusedBy } from '../api.js';
import { sampleEvents } from '../sample.js';
import { name, type Tool, type ToolContext, tool } from '../tool.js';

/** Longer texts would block the service; it checks a stored file on a thread of its own. */
const MAX_CHECKED = 16_384;

/** Codes that tell that a config is wrong, not that the check failed. */
const FLAWS: ReadonlySet<string> = new Set(['invalid', 'plugin_failed']);

const flawed = ({ code, message, problems = [] }: Refusal): JsonObject => ({
  valid: false,
  code,
  problems: problems.length === 0 ? [{ at: '', message }] : problems.map((problem) => ({ ...problem })),
});

const verdict = (checked: Answer<unknown>): Answer<JsonObject> => {
  if (E.isRight(checked)) return E.right({ valid: true, problems: [] });
  return FLAWS.has(checked.left.code) ? E.right(flawed(checked.left)) : checked;
};

const textVerdict = (config: string, { checkConfig }: ToolContext): Answer<JsonObject> =>
  verdict(E.mapLeft(refusedBy)(checkConfig(config)));

/** The stored text, then its parts: building them finds what is wrong with templates, scripts and samples. */
const storedVerdict = async (
  directory: string,
  params: JsonObject,
  context: ToolContext,
): Promise<Answer<JsonObject>> => {
  const { api } = context;
  const config = await api({ method: 'get', path: path`/generator-configs/${directory}/path` });
  if (E.isLeft(config)) return config;
  const own = String(config.right).slice(directory.length + 1);
  const url = `${path`/generator-configs/${directory}/file/`}${filePath(own)}`;
  const stored = await api({ method: 'get', path: url });
  if (E.isLeft(stored)) return stored;
  if (String(stored.right).length <= MAX_CHECKED) {
    const checked = textVerdict(String(stored.right), context);
    if (E.isLeft(checked) || checked.right['valid'] === false) return checked;
  }
  const options = { name: directory, params, size: 1, from: null, timezone: null };
  return verdict(await sampleEvents(options, context));
};

export const validateTools: readonly Tool[] = [
  tool({
    name: 'validate_config',
    title: 'Check a generator config',
    description:
      'Checks a config and returns whether it is valid, and problems with line, key and what to do. With name: the stored config of a ' +
      'directory, whose inputs, templates, scripts and samples are built. With config: the text of a generator.yml, which is not stored. ' +
      'Opens no output.',
    effect: 'previews',
    input: record({
      name: optional(name, { help: 'Name of a generator directory.', example: 'clicks' }),
      config: optional(text({ maxLength: MAX_CHECKED }), { help: 'Text of a generator.yml.' }),
      params: optional(freeObject(), { help: 'Values for the ${params.NAME} placeholders, with name.' }),
    }),
    run: async ({ name: directory, config, params }, context) => {
      if (directory !== null && config === null) return storedVerdict(directory, params ?? {}, context);
      if (directory === null && config !== null) return textVerdict(config, context);
      return E.left(refusedBy(failure('invalid', 'Give name or config, one of both.')));
    },
  }),
];
