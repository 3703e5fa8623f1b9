import { relative } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { isOutside } from '../../config/startup/entry.js';
import { failure } from '../../domain/errors.js';
import type { LibraryItem, LibraryParameter } from '../../domain/library.js';
import { plural } from '../../domain/text/shown.js';
import type { Library } from '../../ports/files.js';
import type { Command } from '../arguments/command.js';
import { bullets, twoColumns } from '../arguments/help.js';
import { flagOption } from '../arguments/option.js';
import { problemLines, reportError } from '../report.js';
import { EXIT, type Io, widthOfOutput } from '../terminal/io.js';

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
    const { openLibrary } = await import('../../daemon/library.js');
    const opened = openLibrary(services.library);
    return name === undefined
      ? showAll(opened, services.library, isJson, io)
      : showOne(opened, name, isJson, io);
  },
};

const KB = 1_000;

/** `1.8 kB`, `640 B` */
const showBytes = (bytes: number): string =>
  bytes < KB ? `${bytes} B` : `${(Math.round(bytes / (KB / 10)) / 10).toFixed(1)} kB`;

const cut = (text: string, width: number): string =>
  text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1)).trimEnd()}…`;

const widest = (texts: readonly string[]): number => Math.max(0, ...texts.map(({ length }) => length));

/** One line each: name, summary, size of an event, anomalies. Long summaries are cut to fit `width`. */
const listText = (items: readonly LibraryItem[], width: number): string => {
  const rows = items.map(({ name, summary, event_bytes, anomalies }) => ({
    name,
    summary,
    size: showBytes(event_bytes),
    attacks: anomalies.length === 1 ? '1 anomaly' : `${anomalies.length} anomalies`,
  }));
  const [names, sizes, attacks] = [
    widest(rows.map(({ name }) => name)),
    widest(rows.map(({ size }) => size)),
    widest(rows.map((row) => row.attacks)),
  ];
  const free = Math.max(20, width - names - sizes - attacks - 6);
  const summaries = Math.min(free, widest(rows.map(({ summary }) => summary)));
  return rows
    .map(({ name, summary, size, attacks: count }) =>
      [name.padEnd(names), cut(summary, summaries).padEnd(summaries), size.padStart(sizes), count].join('  '),
    )
    .map((line) => `${line}\n`)
    .join('');
};

const parameterRow = ({ name, default: fallback, help }: LibraryParameter) =>
  [name, `${/[.!?]$/.test(help) ? help : `${help}.`} Default ${JSON.stringify(fallback)}.`] as const;

const section = (title: string, text: string): readonly string[] =>
  text === '' ? [] : [`${title}:\n${text}`];

/** Everything about a library generator; `path` and `program` as the user can type them. */
const itemText = (item: LibraryItem, path: string, program: string): string => {
  const { name, summary, event_bytes, templates, parameters, anomalies, detections } = item;
  const made = templates === 0 ? '' : `, from ${plural(templates, 'template')}`;
  return `${[
    `${name}: ${summary}`,
    `An event has about ${showBytes(event_bytes)}${made}.`,
    ...section('parameters', twoColumns(parameters.map(parameterRow))),
    ...section(
      'anomalies (values of the parameter or scenario global `anomaly`)',
      twoColumns(anomalies.map((anomaly) => [anomaly.name, anomaly.help])),
    ),
    ...section('detections', bullets(detections)),
    `start:
  ${program} generate ${path} --limit 5    # see five events
  ${program} init my-${item.category} --from ${name}    # make a copy to change`,
    `files: ${path}`,
  ].join('\n\n')}\n`;
};
