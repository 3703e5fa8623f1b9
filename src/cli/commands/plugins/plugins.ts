import { stringify } from 'yaml';
import type { JsonObject } from '../../../domain/json.js';
import { installedSpecs } from '../../../plugins/installed.js';
import type { PluginKind, PluginSpec } from '../../../plugins/kit.js';
import { loadedPlugin, loadedPlugins } from '../../../plugins/loaded.js';
import type { Field, Fields } from '../../../schema/index.js';
import type { Command } from '../../arguments/command.js';
import { bullets, twoColumns } from '../../arguments/help.js';
import { textOption } from '../../arguments/option.js';
import { hintOf } from '../../arguments/parse.js';
import { PLUGIN_OPTIONS } from '../../arguments/sharedOptions.js';
import { usageError } from '../../report.js';
import { EXIT } from '../../terminal/io.js';

const KINDS: readonly PluginKind[] = ['input', 'event', 'output', 'formatter'];

const namesOf = ({ name, aliases }: PluginSpec): readonly string[] => [name, ...(aliases ?? [])];

const showDefault = ({ presence, fallback }: Field<unknown>): string => {
  if (presence === 'required') return 'required';
  return fallback === null ? 'optional' : `default ${JSON.stringify(fallback)}`;
};

const optionRows = (fields: Fields, prefix = ''): readonly (readonly [string, string])[] =>
  Object.entries(fields).flatMap(([name, field]) => {
    const { help, label, unit, example } = field;
    const notes = [
      `${label}${unit === undefined ? '' : `, in ${unit}`}; ${showDefault(field)}.`,
      ...(example === undefined ? [] : [`Example: ${JSON.stringify(example)}.`]),
    ];
    const row = [prefix + name, [help, ...notes].join(' ')] as const;
    return [row, ...(field.fields === undefined ? [] : optionRows(field.fields, `${prefix}${name}.`))];
  });

/** Position of a plugin in a generator config. */
const ENTRIES: Readonly<Record<PluginKind, (name: string, params: JsonObject) => JsonObject>> = {
  input: (name, params) => ({ input: [{ [name]: params }] }),
  event: (name, params) => ({ event: { [name]: params } }),
  output: (name, params) => ({ output: [{ [name]: params }] }),
  formatter: (name, params) => ({ formatter: { format: name, ...params } }),
};

const indent = (text: string): string =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n');

const describe = (spec: PluginSpec): string => {
  const { kind, name, summary, fields, examples, notes = [] } = spec;
  const [, ...aliases] = namesOf(spec);
  const options = optionRows(fields);
  return `${[
    `${kind} ${name}: ${summary}`,
    ...(aliases.length > 0 ? [`Also accepted as ${aliases.join(', ')}.`] : []),
    options.length === 0 ? 'It has no options.' : `options:\n${twoColumns(options)}`,
    ...(notes.length === 0 ? [] : [`behavior:\n${bullets(notes)}`]),
    ...examples.map(
      ({ title, params }) =>
        `example: ${title}\n${indent(stringify(ENTRIES[kind](name, params), { lineWidth: 0 }))}`,
    ),
  ].join('\n\n')}\n`;
};

/** The file that a plugin comes from; empty: Spate. */
const originOf = ({ kind, name }: PluginSpec): string => {
  const plugin = loadedPlugin(kind, name);
  const shown = loadedPlugins().find((one) => one.plugin === plugin)?.source.shown;
  return shown === undefined ? '' : ` (from ${shown})`;
};

const list = (specs: readonly PluginSpec[]): string =>
  `${KINDS.filter((kind) => specs.some((spec) => spec.kind === kind))
    .map((kind) => {
      const rows = specs
        .filter((spec) => spec.kind === kind)
        .map((spec) => [spec.name, spec.summary + originOf(spec)] as const);
      return `${kind}\n${twoColumns(rows)}`;
    })
    .join('\n\n')}\n`;

const CHECK = 'check';

const options = {
  params: textOption('FILE|JSON', {
    help: 'With check: parameters to try instead of the examples, as a file or JSON; one object or a list.',
  }),
  ...PLUGIN_OPTIONS,
};

export const plugins: Command<typeof options> = {
  name: 'plugins',
  summary: 'Lists plugins, shows the options and examples of one, or checks third-party plugins.',
  positionals: { usage: '[KIND] [NAME] | check FILE', min: 0, max: 2 },
  options,
  usesPlugins: true,
  notes: [
    `KIND is one of ${KINDS.join(', ')}; without it NAME is searched in all kinds.`,
    'check runs the conformance rules on the plugins of a file or package, with the parameters of their examples. ' +
      'It opens the destinations that these name. Exit codes: 0 all rules are kept; 1 one is broken, or the file cannot be used.',
  ],
  examples: [
    { title: 'List all plugins', line: 'spate plugins' },
    { title: 'List all outputs', line: 'spate plugins output' },
    { title: 'See the options of a plugin', line: 'spate plugins input cron' },
    { title: 'Check a plugin of your own', line: 'spate plugins check ./my-output.mjs' },
  ],
  run: async ({ positionals: [first, second], options: { params } }, { io }) => {
    if (first === CHECK) {
      if (second === undefined) return usageError(io, 'plugins', 'check needs a file or package');
      const { runCheck } = await import('./check.js');
      return runCheck(second, params, io);
    }
    if (params !== undefined) return usageError(io, 'plugins', '--params needs check FILE');
    const refuse = (message: string, known: readonly string[], given: string): number => {
      const hint = hintOf(given, known);
      const all = hint === '' ? `. Known: ${known.join(', ')}` : hint;
      return usageError(io, 'plugins', `${message}${all}`);
    };
    const all = installedSpecs();
    const isKind = KINDS.some((kind) => kind === first);
    if (second !== undefined && !isKind)
      return refuse(`unknown kind '${first}'`, [...KINDS, CHECK], first ?? '');
    const specs = isKind ? all.filter(({ kind }) => kind === first) : all;
    const name = isKind ? second : first;
    if (name === undefined) {
      io.stdout.write(list(specs));
      return EXIT.ok;
    }
    const found = specs.filter((spec) => namesOf(spec).includes(name));
    const known = [...(isKind ? [] : [...KINDS, CHECK]), ...specs.map((spec) => spec.name)];
    if (found.length === 0) return refuse(`unknown plugin '${name}'`, known, name);
    io.stdout.write(found.map(describe).join('\n'));
    return EXIT.ok;
  },
};
