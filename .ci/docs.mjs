/**
 * Rebuilds every generated text from the declarations in the built program; `--check` only compares and
 * names what is out of date.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './build.mjs';
import { helpPages } from './help.mjs';
import { LIST, packedList } from './packed.mjs';

const load = (path) => import(pathToFileURL(join(root, 'dist', 'src', path)).href);
const { PLUGIN_SPECS, allSpecs } = await load('plugins/specs.js');
const { pluginReadme, readmePath } = await load('plugins/readme.js');
const { generatorShape } = await load('plugins/generatorShape.js');
const { knobShape } = await load('plugins/knobs.js');
const { clusterShape } = await load('config/cluster.js');
const { worldShape } = await load('plugins/inputs/world/worldShape.js');
const { ACTIVITY_KINDS } = await load('world/activity/kinds.js');
const { MEANINGS } = await load('world/activity/vocabulary.js');
const { settingsShape } = await load('config/settings/shape.js');
const { startupEntryShape } = await load('config/startup/startup.js');
const { optionTable, schemaDocument, schemaWithPlaceholders } = await load('schema/index.js');
const { ERRORS } = await load('domain/errors.js');
const { openLibrary } = await load('daemon/library.js');
const { libraryShape } = await load('config/library/shape.js');
const { COMMANDS } = await load('cli/cli.js');
const { TOOLS } = await load('mcp/server.js');
const { isGroup, optionsOf: allOptionsOf } = await load('cli/arguments/command.js');
const { exampleLine } = await load('cli/arguments/help.js');

const read = (path) => (existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : '');

/** A file with the text between `<!-- NAME -->` and `<!-- /NAME -->` replaced. */
const withBlock = (path, name, text, old = read(path)) => {
  const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [from, to] = [old.indexOf(open), old.indexOf(close)];
  if (from === -1 || to < from) throw new Error(`${path} has no block ${name}`);
  return `${old.slice(0, from + open.length)}\n\n${text}\n\n${old.slice(to)}`;
};

const table = (head, rows) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** Text for a table cell: one line, without a bar that would end it or a tag. */
const cell = (text) => text.replaceAll('|', '\\|').replaceAll('<', '&lt;');

const errorTable = table(
  ['code', 'HTTP', 'exit', 'retryable', 'meaning'],
  Object.entries(ERRORS).map(([code, { status, exit, retryable, meaning }]) => [
    `\`${code}\``,
    status,
    exit,
    retryable ? 'yes' : 'no',
    cell(meaning),
  ]),
);

const EFFECTS = { reads: 'reads', previews: 'previews', changes: '**changes**', removes: '**removes**' };

const toolTable = table(
  ['tool', 'effect', 'what it does'],
  TOOLS.map(({ name, effect, description }) => [
    `\`${name}\``,
    EFFECTS[effect],
    cell(/^.*?[.](?= [A-Z]|$)/.exec(description)?.[0] ?? description),
  ]),
);

const pluginTable = table(
  ['kind', 'plugin', 'what it does'],
  Object.entries(PLUGIN_SPECS).flatMap(([kind, specs]) =>
    Object.values(specs).map((spec) => [
      kind,
      `[\`${spec.name}\`](${readmePath(spec).replace('src/plugins/', '')})`,
      cell(spec.summary),
    ]),
  ),
);

const pluginNames = table(
  ['kind', 'plugins'],
  Object.entries(PLUGIN_SPECS).map(([kind, specs]) => [
    kind,
    Object.values(specs)
      .map((spec) => `[\`${spec.name}\`](${readmePath(spec)})`)
      .join(', '),
  ]),
);

const optionName = (name, { short, placeholder }) =>
  cell(
    `\`${short === undefined ? '' : `-${short}, `}--${name}${placeholder === '' ? '' : ` ${placeholder}`}\``,
  );

const synopsis = ({ name, positionals, options }) =>
  [`spate ${name}`, positionals.usage, Object.keys(options).length > 0 ? '[options]' : '']
    .filter((word) => word !== '')
    .join(' ');

const exampleOf = ({ examples: [{ line }] }) => exampleLine(line, 'npx spate');

const bullets = (texts) => (texts.length === 0 ? [] : [texts.map((text) => `- ${text}`).join('\n')]);

const notesOf = ({ notes = [] }) => notes.map(cell);

/** Notes of several commands, each once, with the commands that it is about. */
const notesByWord = (commands, wordOf) => {
  const words = new Map();
  for (const command of commands) {
    for (const note of notesOf(command))
      words.set(note, [...(words.get(note) ?? []), `\`${wordOf(command)}\``]);
  }
  return [...words].map(([note, names]) => `${names.join(', ')}: ${note}`);
};

/** Options of a command; those that `generate` has too are only named. `generate`: the link to it. */
const optionsOf = (command, generate) => {
  const known = allOptionsOf(COMMANDS.find(({ name }) => name === 'generate'));
  const isOwn = ([name, { help }]) => command.name === 'generate' || known[name]?.help !== help;
  const options = Object.entries(allOptionsOf(command));
  const own = options.filter(isOwn).map(([name, option]) => [optionName(name, option), cell(option.help)]);
  const shared = options.filter((option) => !isOwn(option)).map(([name]) => `\`--${name}\``);
  return [
    ...(own.length === 0 ? [] : [table(['option', 'meaning'], own)]),
    ...(shared.length === 0 ? [] : [`As for [generate](${generate}): ${shared.join(', ')}.`]),
  ];
};

/** A command: what it does, its usage with one example, options and notes. */
const commandSection = (command, generate) =>
  [
    `## spate ${command.name}`,
    command.summary,
    `- usage: \`${synopsis(command)}\`\n- example: \`${exampleOf(command)}\``,
    ...optionsOf(command, generate),
    ...bullets(notesOf(command)),
  ].join('\n\n');

/** Commands with the same first word: one table of them, one of all their options. */
const groupSection = ({ commands, ...group }) => {
  const wordOf = ({ name }) => name.slice(group.name.length + 1);
  const rows = new Map();
  for (const command of commands) {
    for (const [name, option] of Object.entries(allOptionsOf(command))) {
      const key = `${optionName(name, option)} | ${cell(option.help)}`;
      rows.set(key, [...(rows.get(key) ?? []), wordOf(command)]);
    }
  }
  return [
    `## spate ${group.name}`,
    group.summary,
    ...bullets(notesOf(group)),
    table(
      ['command', 'what it does'],
      commands.map((command) => [`\`${cell(synopsis(command))}\``, cell(command.summary)]),
    ),
    `\`\`\`text\n${commands.map(exampleOf).join('\n')}\n\`\`\``,
    table(
      ['option', 'meaning', 'commands'],
      [...rows].map(([key, words]) => [key, words.length === commands.length ? 'all' : words.join(', ')]),
    ),
    ...bullets(notesByWord(commands, wordOf)),
  ].join('\n\n');
};

/** Commands for instances in operation have a page of their own. */
const OPERATIONS = [
  'status',
  'top',
  'tail',
  'upgrade-check',
  'check',
  'deadletter',
  'keyring',
  'hash-password',
  'mcp',
  'service',
  'cluster',
];

/** Commands that make generators, and those for editors and shells. */
const TOOL_COMMANDS = [
  'init',
  'learn',
  'verify',
  'library',
  'world',
  'plugins',
  'schema',
  'completion',
  'man',
  'version',
];

const sectionsOf = (rows, generate) =>
  rows
    .map((row) => {
      if (!isGroup(row)) return commandSection(row, generate);
      return row.commands.length === 1 ? commandSection(row.commands[0], generate) : groupSection(row);
    })
    .join('\n\n');

const GENERATE = 'cli.md#spate-generate';
const commandSections = sectionsOf(
  COMMANDS.filter(({ name }) => !OPERATIONS.includes(name) && !TOOL_COMMANDS.includes(name)),
  '#spate-generate',
);
const operationSections = sectionsOf(
  COMMANDS.filter(({ name }) => OPERATIONS.includes(name)),
  GENERATE,
);
const toolSections = sectionsOf(
  COMMANDS.filter(({ name }) => TOOL_COMMANDS.includes(name)),
  GENERATE,
);

/** A default that is longer than a cell should be: `spate world show` prints it. */
const LONG_DEFAULT = /(?<=\| )`[[{].{60,}?`(?= \|)/g;
const worldTable = optionTable(worldShape.fields).replaceAll(LONG_DEFAULT, 'as `spate world show` prints');

const kindsTable = table(
  ['group', 'kind', 'what happens, and its facts'],
  Object.entries(ACTIVITY_KINDS).flatMap(([group, kinds]) =>
    kinds.map((kind) => [group, `\`${kind}\``, cell(MEANINGS[kind])]),
  ),
);

const settingsTables = `## Which settings does spate.yml have?

${optionTable(settingsShape.fields)}

## What does an entry of startup.yml have?

${optionTable(startupEntryShape.fields)}`;

const { right: library, left: unreadable } = await openLibrary(join(root, 'generators')).list();
if (unreadable !== undefined || library.rejected.length > 0)
  throw new Error([unreadable, ...(library?.rejected ?? [])].map((error) => error?.message).join('\n'));

const libraryTable = table(
  ['name', 'what it imitates', 'event', 'anomalies'],
  library.items.map(({ name, summary, event_bytes, anomalies }) => [
    `[\`${name}\`](../generators/${name}/README.md)`,
    cell(summary),
    `${(Math.round(event_bytes / 100) / 10).toFixed(1)} kB`,
    anomalies.map((anomaly) => `\`${anomaly.name}\``).join(', '),
  ]),
);

/** What library.yml and generator.yml say about a library generator, for its README. */
const libraryReadme = ({ name, parameters, anomalies, detections }) => {
  const path = `generators/${name}/README.md`;
  const switchOn = JSON.stringify({ anomaly: anomalies[0].name }).replace(':', ': ');
  const hasLines = parameters.some((parameter) => parameter.name === 'format');
  const size = parameters.some((parameter) => parameter.name === 'people') ? 'people' : 'rate';
  const truth = '`labels.anomaly` of each event is the ground truth: the anomaly that made it, or `none`.';
  const text = [
    '## Parameters',
    `Set them with \`--params '{"${size}": 50}'\`, or with \`params\` of a startup entry.`,
    table(
      ['parameter', 'default', 'meaning'],
      parameters.map((each) => [`\`${each.name}\``, `\`${each.default}\``, cell(each.help)]),
    ),
    '## Anomalies',
    table(
      ['anomaly', 'what happens'],
      anomalies.map((each) => [`\`${each.name}\``, cell(each.help)]),
    ),
    `Start with one: \`--params '${switchOn}'\`. Switch it while the generator runs in a scenario; \`none\` ends it:`,
    `    curl -X PATCH localhost:9474/api/scenarios/${name}/globals -H 'content-type: application/json' -d '${switchOn}'`,
    `${truth}${hasLines ? ' Plain lines have it too.' : ''} \`labels: false\` removes it.`,
    '## Detections',
    detections.map((detection) => `- ${detection}`).join('\n'),
  ].join('\n\n');
  return [path, withBlock(path, 'library', text)];
};

const generated = [
  ...library.items.map(libraryReadme),
  ...allSpecs().map((spec) => [readmePath(spec), pluginReadme(spec)]),
  [
    'generators/generator.schema.json',
    `${JSON.stringify(schemaDocument('Spate generator', schemaWithPlaceholders(generatorShape.schema)), null, 2)}\n`,
  ],
  ['README.md', withBlock('README.md', 'plugins', pluginNames)],
  ['src/plugins/README.md', withBlock('src/plugins/README.md', 'plugins', pluginTable)],
  ['docs/cli.md', withBlock('docs/cli.md', 'commands', commandSections)],
  ['docs/cli-operations.md', withBlock('docs/cli-operations.md', 'commands', operationSections)],
  ['docs/cli-tools.md', withBlock('docs/cli-tools.md', 'commands', toolSections)],
  ['docs/mcp.md', withBlock('docs/mcp.md', 'tools', toolTable)],
  ['docs/cluster.md', withBlock('docs/cluster.md', 'cluster', optionTable(clusterShape.fields))],
  ['docs/scenarios.md', withBlock('docs/scenarios.md', 'knobs', optionTable(knobShape.fields))],
  ['docs/settings.md', withBlock('docs/settings.md', 'settings', settingsTables)],
  [
    'docs/library.md',
    withBlock(
      'docs/library.md',
      'library',
      libraryTable,
      withBlock('docs/library.md', 'fields', optionTable(libraryShape.fields)),
    ),
  ],
  ['docs/worlds.md', withBlock('docs/worlds.md', 'world', worldTable)],
  ['docs/world-kinds.md', withBlock('docs/world-kinds.md', 'kinds', kindsTable)],
  ['docs/errors.md', withBlock('docs/errors.md', 'errors', errorTable)],
  [
    LIST,
    packedList(
      root,
      library.items.map(({ name }) => name),
    ) ?? read(LIST),
  ],
];

/** The pages for language models, in the form of llmstxt.org; `textOf` gives the text of a page. */
const llmsText = async (textOf) => {
  const pages = await helpPages(root, textOf);
  const groups = [...new Set(pages.map(({ entry }) => entry.group))];
  const sectionOf = (group) =>
    pages
      .filter(({ entry }) => entry.group === group)
      .map(
        ({ path, entry }) => `- [${entry.title}](${path})${entry.summary === '' ? '' : `: ${entry.summary}`}`,
      )
      .join('\n');
  return [
    '# Spate',
    '> Spate generates streams of events. Describe a generator in YAML: inputs make timestamps on a schedule, one event plugin turns each timestamp into events, outputs deliver them. Run one generator from the command line, or hundreds in a supervised daemon with a REST API and a web UI.',
    'The npm package is `spate-events`, its command is `spate`. `spate COMMAND --help` explains each command; `spate schema` prints the JSON Schema of a generator; a running service has its OpenAPI document at `/api/openapi.json`.',
    ...groups.map((group) => `## ${group}\n\n${sectionOf(group)}`),
    '',
  ]
    .join('\n\n')
    .replace(/\n+$/, '\n');
};
const texts = new Map(generated);
generated.push(['llms.txt', await llmsText((path) => texts.get(path) ?? read(path))]);

const stale = generated.filter(([path, text]) => read(path) !== text);
if (process.argv.includes('--check')) {
  for (const [path] of stale) process.stderr.write(`${path} is out of date: npm run docs\n`);
  process.exit(stale.length > 0 ? 1 : 0);
}
for (const [path, text] of stale) {
  writeFileSync(join(root, path), text);
  process.stdout.write(`wrote ${path}\n`);
}
