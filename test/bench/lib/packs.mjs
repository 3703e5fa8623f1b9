/** Packs as benchmark cases: Spate, a Python service and a hand-written function make the same kind. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { parse as parseCsv } from 'csv-parse/sync';
import { parse as parseYaml } from 'yaml';
import { sameBytes } from './content.mjs';
import { quoted } from './options.mjs';
import { marginRows } from './rows.mjs';
import { DIST, everyMs, FIRST_MICROS, generateCommand, nodeCommand, PEERS, writeFiles } from './spate.mjs';

/** Packs that are here for benchmarks only: they stay as they are, so that figures of years can be compared. */
const FROZEN = resolve(import.meta.dirname, '..', 'packs');
const GENERATORS = resolve(import.meta.dirname, '..', '..', '..', 'generators');

const folderOf = (name) => {
  const frozen = join(FROZEN, name);
  return existsSync(frozen) ? frozen : join(GENERATORS, name);
};

/** The files of a library generator as `{path: text}`, without its tests. */
export const packFiles = (name) => {
  const folder = folderOf(name);
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const paths = files.map(({ parentPath, name: file }) => relative(folder, join(parentPath, file)));
  return Object.fromEntries(
    paths
      .filter((path) => !/^(tests|out)\//.test(path))
      .map((path) => [path, readFileSync(join(folder, path), 'utf8')]),
  );
};

/** Its config with the fallbacks of the placeholders. */
export const packConfig = (name) =>
  parseYaml(
    readFileSync(join(folderOf(name), 'generator.yml'), 'utf8').replaceAll(
      /\$\{\s*params\.\w+:-([^}]*)\}/g,
      '$1',
    ),
  );

/** Rows of a sample, as the engine reads them: values of CSV files are texts. */
const rowsOf = (files, { type, source, header, delimiter = ',' }) => {
  if (type === 'items') return source;
  const text = files[source];
  return type === 'json' ? JSON.parse(text) : parseCsv(text, { columns: header === true, delimiter });
};

/** What a peer needs to make events of a library generator. */
export const requestOf = (files, config) => {
  const { templates, params = {}, samples = {} } = config.event.template;
  const picks = templates.flatMap((item) =>
    Object.entries(item).map(([alias, { template, chance, vars = {} }]) => ({
      alias,
      template,
      chance,
      vars,
    })),
  );
  return {
    templates: Object.fromEntries(Object.entries(files).filter(([path]) => path.endsWith('.jinja'))),
    picks,
    params,
    samples: Object.fromEntries(Object.entries(samples).map(([name, given]) => [name, rowsOf(files, given)])),
    first_micros: FIRST_MICROS,
  };
};

/** A Monday morning, long past: nothing waits for the clock. */
const WORLD_START = '2026-01-05T08:00:00Z';

const isInWorld = ({ input }) => input.some((one) => 'world' in one);

/** What replaces the input of a pack: its world from a fixed time, or else `input`. Templates of a world need its activities. */
export const inputOf = (config, input) =>
  isInWorld(config) ? config.input.map(({ world }) => ({ world: { ...world, start: WORLD_START } })) : input;

/** The config with timestamps a millisecond apart, or in its world, and a file as output. */
const benchConfig = (config, events, format, path) =>
  JSON.stringify({
    ...config,
    input: inputOf(config, [parseYaml(everyMs(events))]),
    output: [{ file: { path, formatter: { format } } }],
  });

const EVENTS = 1_000_000;
/** The Python service is slower: it makes fewer. */
const PYTHON_SHARE = 0.02;
const SEED = 'bench';

/** Least CPU time of a yardstick for a further event, in that of Spate. */
const MARGIN_BARS =
  Number(process.versions.node.split('.')[0]) >= 24 ? { hand: 0.65, python: 15 } : { hand: 0.55, python: 12 };

const hasJinja = () => spawnSync('python3', ['-c', 'import jinja2']).status === 0;

/** Whether a file has as many lines as expected. */
const problemsOf = (path, count) => {
  const { stdout } = spawnSync('wc', ['-l', path], { encoding: 'utf8' });
  const lines = Number.parseInt(stdout, 10);
  return lines === count ? [] : [`${basename(path)} has ${lines} lines, not ${count}`];
};

/** A case for a library generator in a world, which no peer computes: Spate with the formatter `json` against `plain`. */
const worldCase = (name, config) => ({
  limits: 'The world and the render: activities, random numbers, joining strings.',
  disk_bytes: 4_600 * EVENTS,
  pairs: async ({ folder, scale }) => {
    const events = Math.ceil(EVENTS * scale);
    const file = (side) => join(folder, `${side}.log`);
    const pack = join(folder, name);
    writeFiles(pack, {
      ...packFiles(name),
      'json.yml': benchConfig(config, events, 'json', file('json')),
      'plain.yml': benchConfig(config, events, 'plain', file('plain')),
    });
    const side = (format) => ({
      command: () => generateCommand(join(pack, `${format}.yml`), '--seed', SEED, '--limit', events),
      output: file(format),
      events,
    });
    return {
      folder: pack,
      config: join(pack, 'json.yml'),
      sides: { spate: side('json'), plain: side('plain') },
      bars: { plain: 0.85 },
      // An event that is not formatted has many lines.
      verify: () => problemsOf(file('json'), events),
    };
  },
});

/** A case for a library generator; one in a world has no peers. */
export const packCase = (name) => {
  const config = packConfig(name);
  return isInWorld(config) ? worldCase(name, config) : templateCase(name, config);
};

/**
 * A case for a library generator: Spate with the formatter `json` against the same with `plain`, a hand-written function
 * that makes the same bytes, and a Python service.
 */
const templateCase = (name, config) => ({
  limits: 'The render: random numbers, state and joining strings.',
  disk_bytes: 8_000 * EVENTS,
  pairs: async ({ folder, scale }) => {
    const events = Math.ceil(EVENTS * scale);
    const fewer = Math.ceil(events * PYTHON_SHARE);
    const file = (side) => join(folder, `${side}.log`);
    const files = packFiles(name);
    const pack = join(folder, name);
    const request = join(folder, 'request.json');
    writeFiles(pack, {
      ...files,
      'json.yml': benchConfig(config, events, 'json', file('json')),
      'plain.yml': benchConfig(config, events, 'plain', file('plain')),
    });
    writeFileSync(request, JSON.stringify(requestOf(files, config)));
    const hand = (count) =>
      nodeCommand(join(PEERS, 'packs', 'run.mjs'), [DIST, name, request, count, SEED, file('hand')]);
    // What the Python service draws, and so the size of its file, differs from run to run.
    const python = (count) =>
      `rm -f ${quoted(file('python'))}; ${[
        'python3',
        join(PEERS, 'pack.py'),
        request,
        `${count}`,
        file('python'),
      ]
        .map(quoted)
        .join(' ')}`;
    const ours = (format) => (count) =>
      generateCommand(join(pack, `${format}.yml`), '--seed', SEED, '--limit', count);
    const timed = (command, count) => ({
      command: () => command(count),
      events: count,
      short: { command: () => command(Math.ceil(count / 3)), events: Math.ceil(count / 3) },
    });
    const side = (name, command) => ({ ...timed(command, events), output: file(name) });
    return {
      folder: pack,
      config: join(pack, 'json.yml'),
      sides: {
        spate: side('json', ours('json')),
        plain: side('plain', ours('plain')),
        hand: side('hand', hand),
        ...(hasJinja() ? { python: timed(python, fewer) } : {}),
      },
      bars: { plain: 0.85, hand: 0.4, python: 10 },
      figures: (rounds) => marginRows(rounds, Object.keys(rounds[0]), MARGIN_BARS),
      verify: () => [
        ...sameBytes(file('json'), file('hand')),
        ...problemsOf(file('json'), events),
        ...(hasJinja() ? problemsOf(file('python'), fewer) : []),
      ],
    };
  },
});
