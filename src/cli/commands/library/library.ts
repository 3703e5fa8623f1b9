import { relative } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { isOutside } from '../../../config/startup/entry.js';
import { failure } from '../../../domain/errors.js';
import type { Library } from '../../../ports/library.js';
import type { Command } from '../../arguments/command.js';
import { flagOption } from '../../arguments/option.js';
import { problemLines, reportError } from '../../report.js';
import { EXIT, type Io, widthOfOutput } from '../../terminal/io.js';
import { itemText, listText } from './text.js';

const options = { json: flagOption({ help: 'Print JSON, for programs.' }) };

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** Short when the user is near it. */
const shownPath = ({ cwd }: Io, path: string): string => (isOutside(cwd, path) ? path : relative(cwd, path));

const showOne = async (library: Library, name: string, isJson: boolean, io: Io): Promise<number> => {
  const item = await library.read(name);
  if (E.isLeft(item)) return reportError(io, item.left);
  const path = shownPath(io, library.folderOf(name));
  io.stdout.write(isJson ? json({ ...item.right, path }) : itemText(item.right, path, io.program));
  return EXIT.ok;
};

const showAll = async (library: Library, folder: string, isJson: boolean, io: Io): Promise<number> => {
  const listed = await library.list();
  if (E.isLeft(listed)) return reportError(io, listed.left);
  const { items, rejected } = listed.right;
  const width = widthOfOutput(io);
  if (isJson)
    io.stdout.write(
      json(items.map((item) => ({ ...item, path: shownPath(io, library.folderOf(item.name)) }))),
    );
  else io.stdout.write(listText(items, width));
  for (const line of rejected.flatMap(problemLines)) io.stderr.write(`spate: skipped: ${line}\n`);
  if (rejected.length > 0) return EXIT.failed;
  return items.length > 0 || isJson
    ? EXIT.ok
    : reportError(
        io,
        failure('not_found', `${folder} has no library generators, which are folders with a library.yml`),
      );
};

export const library: Command<typeof options> = {
  name: 'library',
  summary: 'Lists ready-made generators, or shows one: parameters, anomalies, detections.',
  positionals: { usage: '[NAME]', min: 0, max: 1 },
  options,
  notes: [
    'The library is the generators of the installed package that have a library.yml. SPATE_LIBRARY names another folder.',
  ],
  examples: [
    { title: 'List the library', line: 'spate library' },
    { title: 'List it for a program', line: 'spate library --json' },
  ],
  run: async ({ positionals: [name], options: { json: isJson = false } }, { io, services }) => {
    // Lazy: other commands start faster without it.
    const { openLibrary } = await import('../../../daemon/library.js');
    const opened = openLibrary(services.library);
    return name === undefined
      ? showAll(opened, services.library, isJson, io)
      : showOne(opened, name, isJson, io);
  },
};
