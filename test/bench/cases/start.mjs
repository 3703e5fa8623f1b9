/** How long `spate generate` of one event takes, and a daemon from its start to the first answer of its API. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../lib/command.mjs';
import { freePort, startDaemon, writeInstance } from '../lib/daemon.mjs';
import { CLI, generateCommand, nodeCommand, writeFiles } from '../lib/spate.mjs';
import { spreadOf } from '../lib/statistics.mjs';

const TIMES = 10;
const GENERATE_MS = 300;
const DAEMON_MS = 1_000;

const CONFIG = (event) => `input: [static: {count: 1}]
event: ${event}
output: [file: {path: out.log, write_mode: overwrite}]
`;
const EVENTS = {
  script: '{script: {path: produce.mjs}}',
  template: '{template: {mode: all, templates: [{event: {template: event.jinja}}]}}',
  replay: '{replay: {path: lines.txt}}',
};
const FILES = {
  'produce.mjs': "export const produce = () => 'hello';\n",
  'event.jinja': 'hello',
  'lines.txt': 'hello\n',
};

/** Milliseconds of each of several runs of a command. */
const timesOf = async (command, check) => {
  const times = [];
  const problems = [];
  await runCommand(command);
  for (let turn = 0; turn < TIMES; turn++) {
    const { seconds, code, text } = await runCommand(command);
    times.push(seconds * 1_000);
    if (code !== 0) problems.push(`exit ${code}: ${text}`);
    problems.push(...check());
  }
  return { times, problems };
};

const figure = (name, times, bar) => {
  const spread = spreadOf(times);
  return {
    figure: name,
    spread,
    unit: 'ms',
    bar: bar === null ? null : `< ${bar} ms`,
    isMet: bar === null ? null : spread.median < bar,
  };
};

const daemonTimes = async (folder) => {
  const port = await freePort();
  const generators = { 'web/generator.yml': CONFIG(EVENTS.script), 'web/produce.mjs': FILES['produce.mjs'] };
  const settings = writeInstance(folder, port, generators, '- {id: web, path: web/generator.yml}\n');
  const times = [];
  const problems = [];
  for (let turn = 0; turn <= TIMES; turn++) {
    const daemon = await startDaemon(settings, port);
    // The first one warms up.
    if (turn > 0) times.push(daemon.first_answer_ms);
    const code = await daemon.stop();
    if (code !== 0) problems.push(`the daemon ended with ${code}`);
  }
  return { times, problems };
};

export const limits =
  'Loading and compiling the program on the main thread and the pipeline thread; templates also load their engine.';

export const run = async ({ folder }) => {
  const rows = [];
  const problems = [];
  for (const [kind, event] of Object.entries(EVENTS)) {
    writeFiles(join(folder, kind), { ...FILES, 'generator.yml': CONFIG(event) });
    const { times, problems: found } = await timesOf(
      generateCommand(join(folder, kind, 'generator.yml')),
      () => {
        const text = readFileSync(join(folder, kind, 'out.log'), 'utf8');
        return text === 'hello\n' ? [] : [`wrote ${JSON.stringify(text)}`];
      },
    );
    rows.push(figure(`generate one event (${kind})`, times, GENERATE_MS));
    problems.push(...found);
  }
  const empty = await timesOf(nodeCommand('-e', ['0']), () => []);
  rows.push(figure('node -e 0', empty.times, null));
  const version = await timesOf(nodeCommand(CLI, ['--version']), () => []);
  rows.push(figure('spate --version', version.times, null));
  const daemon = await daemonTimes(join(folder, 'daemon'));
  rows.push(figure('daemon to its first answer', daemon.times, DAEMON_MS));
  problems.push(...daemon.problems);
  return { rows, problems };
};
