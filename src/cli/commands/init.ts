import { existsSync } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { nodeFiles } from '../../adapters/files/files.js';
import { errnoOf, ioError } from '../../adapters/files/ioError.js';
import { failure, type Result } from '../../domain/errors.js';
import { checkGeneratorId } from '../../domain/identifiers.js';
import { GENERATOR_FILE } from '../../domain/library.js';
import type { Command } from '../arguments/command.js';
import { choiceOption, textOption } from '../arguments/option.js';
import { reportError, usageError } from '../report.js';
import { EXIT, type Services } from '../terminal/io.js';

const INIT_EVENTS = ['template', 'script', 'python'] as const;
type InitEvent = (typeof INIT_EVENTS)[number];

const scriptOf = (
  file: string,
): string => `# What an event looks like. The script ${file} returns one event, or a list of events, per timestamp.
event:
  script:
    path: ${file}
  # replay: # instead: replay the lines of a log file
  #   path: sample.log
  #   repeat: true
`;

const EVENT: Readonly<Record<InitEvent, string>> = {
  template: `# What an event looks like. Each timestamp renders one Jinja template, here picked by weight.
event:
  template:
    mode: chance # or all, any, spin, chain, fsm
    templates:
      - action: {template: action.jinja, chance: 9}
      - error: {template: error.jinja, chance: 1}
    samples: # data for the templates
      users: {type: csv, source: users.csv, header: true}
`,
  script: scriptOf('produce.js'),
  python: scriptOf('produce.py'),
};

const FILES: Readonly<Record<InitEvent, Readonly<Record<string, string>>>> = {
  template: {
    'action.jinja': `{#- One render is one event. Random values depend on the seed of the generator. -#}
{%- set user = samples.users.weighted_pick('weight') -%}
{"time": "{{ timestamp.isoformat() }}", "user": {{ user.name | json }}, "action": "{{ module.rand.choice(['login', 'view', 'buy', 'logout']) }}"}
`,
    'error.jinja': `{#- \`shared\` is state that all templates of this generator see. -#}
{%- do shared.set('errors', shared.get('errors', 0) + 1) -%}
{"time": "{{ timestamp.isoformat() }}", "user": {{ samples.users.pick().name | json }}, "action": "error {{ shared.errors }}"}
`,
    'users.csv': `name,weight
ada,5
grace,3
linus,1
`,
  },
  script: {
    'produce.js': `/**
 * Called for each timestamp; returns an event or a list of events.
 * Use \`random\` instead of Math.random: it depends on the seed, so runs can be repeated.
 */
export const produce = ({ timestamp, random }) =>
  JSON.stringify({
    time: \`\${timestamp}\`,
    user: \`user-\${random.integer(1, 100)}\`,
    action: ['login', 'view', 'buy', 'logout'][random.integer(0, 3)],
  });
`,
  },
  python: {
    'produce.py': `import json
import random


def produce(params):
    """Called for each timestamp; returns an event or a list of events.

    The module random depends on the seed, so runs can be repeated.
    """
    return json.dumps({
        'time': params['timestamp'].isoformat(),
        'user': f'user-{random.randint(1, 100)}',
        'action': random.choice(['login', 'view', 'buy', 'logout']),
    })
`,
  },
};

const WHAT: Readonly<Record<InitEvent, string>> = {
  template: '- `action.jinja`, `error.jinja`: what an event looks like; `users.csv`: the users',
  script: '- `produce.js`: what an event looks like',
  python: '- `produce.py`: what an event looks like',
};

interface NewGenerator {
  readonly name: string;
  readonly event: InitEvent;
  /** The list of outputs in YAML. */
  readonly output: string;
  /** Folder and program as the user can type them. */
  readonly shown: string;
  readonly program: string;
  /** Whether the folder of all generators has the schema, which editors then check the config with. */
  readonly hasSchema: boolean;
}

/** Files of a new generator by name; it runs unchanged. */
export const initFiles = ({
  name,
  event,
  output,
  shown,
  program,
  hasSchema,
}: NewGenerator): Readonly<Record<string, string>> => ({
  'generator.yml': `${hasSchema ? SCHEMA_LINE : ''}# Inputs make timestamps, the event plugin turns each into events, outputs write them.
# All plugins and their options: ${program} plugins

# When events happen. Several inputs are merged by time.
input:
  - timer:
      seconds: 1 # interval
      count: 1 # events per interval
      # repeat: 100 # number of intervals (default: runs until stopped)
  # - cron:
  #     expression: "*/10 * * * *" # every ten minutes; a sixth field in front sets seconds
  #     count: 5

${EVENT[event]}
# Where events go. Every output receives every event.
output:
${output}`,
  ...FILES[event],
  'README.md': `# ${name}

Describe what this generator simulates.

- \`generator.yml\`: when events happen and where they go
${WHAT[event]}

Try it: \`${program} preview ${shown}\`, then \`${program} generate ${shown} --limit 10\`
`,
});

const INIT_OUTPUT = `  - stdout: {}
  # - file:
  #     path: out/events.log
`;

const GENERATORS = 'generators';

/** Schema of generators in the folder of all of them, for editors. */
export const SCHEMA_FILE = 'generator.schema.json';
const SCHEMA_LINE = `# yaml-language-server: $schema=../${SCHEMA_FILE}\n\n`;

const isDirectory = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => null))?.isDirectory() === true;

const makeNew = async (folder: string): Promise<Result<void>> => {
  try {
    await mkdir(folder);
    return E.right(undefined);
  } catch (thrown) {
    return E.left(
      errnoOf(thrown) === 'EEXIST'
        ? failure('already_exists', `${folder} already exists. Choose another name or remove it first.`)
        : ioError('unwritable', 'create the folder', folder, thrown),
    );
  }
};

const create = async (folder: string, generator: Omit<NewGenerator, 'output'>): Promise<Result<void>> => {
  const made = await makeNew(folder);
  if (E.isLeft(made)) return made;
  for (const [file, text] of Object.entries(initFiles({ ...generator, output: INIT_OUTPUT }))) {
    const written = await nodeFiles.replaceText(join(folder, file), text);
    if (E.isLeft(written)) return written;
  }
  return E.right(undefined);
};

const nextSteps = (shown: string, isCopy: boolean, program: string): string => `Created ${shown}. Next:
  ${program} preview ${shown}            # see timestamps and events without waiting
  edit ${join(shown, GENERATOR_FILE)}
  ${program} validate ${shown}           # check it
  ${program} generate ${shown}           # run it
To run it in an instance, add it to the startup list:
  - id: ${shown.split('/').at(-1)}
    path: ${shown.split('/').at(-1)}/generator.yml
${isCopy ? `    scenarios: [${shown.split('/').at(-1)}]    # its global 'anomaly' switches attacks on and off\n` : ''}`;

const initOptions = {
  event: choiceOption(INIT_EVENTS, {
    help: 'What makes events: templates (default), or a script in JavaScript or Python.',
  }),
  from: textOption('LIBRARY_NAME', { help: 'Copy this generator of the library; see spate library.' }),
};

/** Copies a generator of the library into a new folder, shown to the user as `shown`. */
export const copyOfLibrary = async (
  { from, folder, shown }: { readonly from: string; readonly folder: string; readonly shown: string },
  { library }: Pick<Services, 'library'>,
): Promise<Result<null>> => {
  // Lazy: other commands start faster without them.
  const { openLibrary } = await import('../../daemon/library.js');
  const { generatorDirectories } = await import('../../adapters/directories/generatorDirectories.js');
  const [parent, name] = [dirname(folder), basename(folder)];
  const files = await openLibrary(library).copy(from, {
    name,
    folder,
    shown: shown.split(sep).join('/'),
    config_filename: GENERATOR_FILE,
  });
  return E.isLeft(files) ? files : generatorDirectories(parent, GENERATOR_FILE).create(name, files.right);
};

export const init: Command<typeof initOptions> = {
  name: 'init',
  summary: 'Creates a generator: commented config, templates or script, README; or a copy from the library.',
  positionals: { usage: 'NAME', min: 1, max: 1 },
  options: initOptions,
  notes: [
    `Creates the folder NAME in ./${GENERATORS} if that exists, else in the working directory. A NAME with a slash is the ` +
      'path of the new folder. Never replaces files.',
  ],
  examples: [
    { title: 'Create a generator with templates', line: 'spate init my-shop' },
    { title: 'Copy one of the library', line: 'spate init my-web --from web-nginx' },
    { title: 'Create one with a script', line: 'spate init my-shop --event script' },
    { title: 'Create one with a Python script', line: 'spate init my-shop --event python' },
  ],
  run: async ({ positionals: [given = ''], options }, { io, services }) => {
    if (options.event !== undefined && options.from !== undefined)
      return usageError(io, 'init', 'give --event or --from, not both');
    const name = basename(given);
    const flaw = checkGeneratorId(name);
    if (flaw !== null) {
      return reportError(io, failure('invalid', `NAME ${flaw.message}.`));
    }
    const usual = (await isDirectory(resolve(io.cwd, GENERATORS))) ? GENERATORS : '.';
    const parent = resolve(io.cwd, given.includes('/') ? dirname(given) : usual);
    const folder = join(parent, name);
    const shown = relative(io.cwd, folder);
    const { event, from } = options;
    const hasSchema = existsSync(join(parent, SCHEMA_FILE));
    const created =
      from === undefined
        ? await create(folder, {
            name,
            event: event ?? INIT_EVENTS[0],
            shown,
            program: io.program,
            hasSchema,
          })
        : await copyOfLibrary({ from, folder, shown }, services);
    if (E.isLeft(created)) return reportError(io, created.left);
    io.stdout.write(nextSteps(shown, from !== undefined, io.program));
    return EXIT.ok;
  },
};
