import { stringify } from 'yaml';
import type { JsonObject } from '../domain/json.js';
import { optionTable } from '../schema/index.js';
import type { PluginKind, PluginSpec } from './kit.js';
import { DELIVERY_FIELDS } from './outputs/shared/delivery.js';

/** Folder below `src/plugins` and entry in a generator config, by kind. */
const KINDS = {
  input: { folder: 'inputs', entry: (name: string, params: JsonObject) => ({ input: [{ [name]: params }] }) },
  event: { folder: 'events', entry: (name: string, params: JsonObject) => ({ event: { [name]: params } }) },
  output: {
    folder: 'outputs',
    entry: (name: string, params: JsonObject) => ({ output: [{ [name]: params }] }),
  },
  formatter: {
    folder: 'formatters',
    entry: (name: string, params: JsonObject) => ({ formatter: { format: name, ...params } }),
  },
} as const satisfies Readonly<
  Record<
    PluginKind,
    { readonly folder: string; readonly entry: (name: string, params: JsonObject) => JsonObject }
  >
>;

/** Path of a plugin's README, relative to the repository. */
export const readmePath = (spec: PluginSpec): string =>
  `src/plugins/${KINDS[spec.kind].folder}/${spec.name}/README.md`;

const GENERATED = '<!-- Made from spec.ts by `npm run docs`: change that instead. -->';

const COMMON = `Every output also takes ${Object.keys(DELIVERY_FIELDS)
  .map((name) => `\`${name}\``)
  .join(', ')}: see [delivery](../../../../docs/delivery.md#how-do-i-configure-one-output).`;

export const pluginReadme = (spec: PluginSpec): string => {
  const { entry } = KINDS[spec.kind];
  const aliases = spec.aliases ?? [];
  const own = Object.entries(spec.fields).filter(
    ([name]) => spec.kind !== 'output' || !Object.hasOwn(DELIVERY_FIELDS, name),
  );
  const options = own.length === 0 ? 'None.' : optionTable(Object.fromEntries(own));
  const examples = spec.examples.flatMap(({ title, params }) => [
    `### ${title}`,
    ['```yaml', stringify(entry(spec.name, params), { lineWidth: 0 }).trimEnd(), '```'].join('\n'),
  ]);
  const notes = spec.notes ?? [];
  return `${[
    `# ${spec.kind} \`${spec.name}\``,
    GENERATED,
    spec.summary,
    ...(aliases.length === 0
      ? []
      : [`Also accepted as ${aliases.map((alias) => `\`${alias}\``).join(', ')}.`]),
    '## Options',
    options,
    ...(spec.kind === 'output' ? [COMMON] : []),
    ...(notes.length === 0 ? [] : ['## Behaviour', notes.map((note) => `- ${note}`).join('\n')]),
    '## Examples',
    ...examples,
  ].join('\n\n')}\n`;
};
