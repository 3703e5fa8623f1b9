import { mkdir, stat } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { nodeFiles } from '../../../adapters/files/files.js';
import { errnoOf, ioError } from '../../../adapters/files/ioError.js';
import { failure, type Result } from '../../../domain/errors.js';
import { checkGeneratorId } from '../../../domain/identifiers.js';
import type { Command } from '../../arguments/command.js';
import { choiceOption } from '../../arguments/option.js';
import { reportError } from '../../report.js';
import { EXIT } from '../../terminal/io.js';
import { INIT_EVENTS, type InitEvent, initFiles } from './files.js';

const GENERATORS = 'generators';

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

const create = async (folder: string, name: string, event: InitEvent): Promise<Result<void>> => {
  const made = await makeNew(folder);
  if (E.isLeft(made)) return made;
  for (const [file, text] of Object.entries(initFiles(name, event))) {
    const written = await nodeFiles.replaceText(join(folder, file), text);
    if (E.isLeft(written)) return written;
  }
  return E.right(undefined);
};

const nextSteps = (shown: string, config: string): string => `Created ${shown}. Next:
  spate preview ${shown}            # see timestamps and events without waiting
  edit ${config}
  spate validate ${shown}           # check it
  spate generate --path ${shown}    # run it
To run it in an instance, add it to the startup list:
  - id: ${shown.split('/').at(-1)}
    path: ${shown.split('/').at(-1)}/generator.yml
`;

const initOptions = {
  event: choiceOption(INIT_EVENTS, { help: 'Event plugin (default template).' }),
};

export const init: Command<typeof initOptions> = {
  name: 'init',
  summary: 'Creates a generator to start from: commented config, templates or script, README.',
  positionals: { usage: 'NAME', min: 1, max: 1 },
  options: initOptions,
  notes: [
    `Creates the folder NAME in ./${GENERATORS} if that exists, else in the working directory. Never replaces files.`,
  ],
  examples: [
    { title: 'Create a generator with templates', line: 'spate init my-shop' },
    { title: 'Create one with a script', line: 'spate init my-shop --event script' },
  ],
  run: async ({ positionals: [name = ''], options }, { io }) => {
    const flaw = checkGeneratorId(name);
    if (flaw !== null) {
      return reportError(io, failure('invalid', `NAME ${flaw.message}.`));
    }
    const parent = (await isDirectory(resolve(io.cwd, GENERATORS))) ? resolve(io.cwd, GENERATORS) : io.cwd;
    const folder = join(parent, name);
    const created = await create(folder, name, options.event ?? INIT_EVENTS[0]);
    if (E.isLeft(created)) return reportError(io, created.left);
    const shown = relative(io.cwd, folder);
    io.stdout.write(nextSteps(shown, join(shown, 'generator.yml')));
    return EXIT.ok;
  },
};
