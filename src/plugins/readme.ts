import { stringify } from 'yaml';
import type { JsonObject } from '../domain/json.js';
import { optionTable } from '../schema/index.js';
import type { PluginKind, PluginSpec } from './kit.js';

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

export const pluginReadme = (spec: PluginSpec): string => {
  const { entry } = KINDS[spec.kind];
  const aliases = spec.aliases ?? [];
  const options = Object.keys(spec.fields).length === 0 ? 'None.' : optionTable(spec.fields);
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
    ...(notes.length === 0 ? [] : ['## Behaviour', notes.map((note) => `- ${note}`).join('\n')]),
    '## Examples',
    ...examples,
  ].join('\n\n')}\n`;
};
