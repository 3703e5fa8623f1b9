/**
 * A template of 10 KB over two files, with macros, samples and state, to a file, against Jinja2 under Python that
 * writes as many of the same kind.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { quoted } from '../lib/options.mjs';
import { everyMs, generateCommand, PEERS, writeFiles } from '../lib/spate.mjs';
import { PARAMS, SAMPLES, TIMESTAMPS, ZONE } from '../template/data.mjs';

const EVENTS = 80_000;
/** Jinja is slower: it makes fewer. */
const THEIR_SHARE = 0.25;
const TEMPLATE = join(import.meta.dirname, '..', 'template');

export const limits = 'The render, and joining strings of 2 KB.';

export const disk_bytes = 3_000 * EVENTS;
export const skip = () =>
  spawnSync('python3', ['-c', 'import jinja2']).status === 0 ? null : 'python3-jinja2 is not installed';

const read = (name) => readFileSync(join(TEMPLATE, name), 'utf8');

/** Rows of a sample as objects. */
const objectsOf = ({ columns, rows }) =>
  rows.map((row) => Object.fromEntries(row.map((value, index) => [columns[index], value])));

const writeOurs = (folder, events) => {
  const samples = Object.entries(SAMPLES);
  const types = samples.map(([name]) => `${name}: {type: json, source: ${name}.json}`);
  writeFiles(folder, {
    'generator.yml': `input: [${everyMs(events)}]
event:
  template:
    mode: all
    templates: [{event: {template: event.jinja}}]
    params: ${JSON.stringify(PARAMS)}
    samples: {${types.join(', ')}}
output: [file: {path: ours.log, separator: "\\0"}]
`,
    'event.jinja': read('event.jinja'),
    'macros.jinja': read('macros.jinja'),
    ...Object.fromEntries(
      samples.map(([name, sample]) => [`${name}.json`, JSON.stringify(objectsOf(sample))]),
    ),
  });
};

/** How many events a file has, and whether every thousandth is one. */
const problemsOf = (path, count) => {
  const bytes = readFileSync(path);
  const keys = new Set();
  let [found, start] = [0, 0];
  for (let end = bytes.indexOf(0); end >= 0; end = bytes.indexOf(0, start)) {
    if (found++ % 1_000 === 0) keys.add(Object.keys(JSON.parse(bytes.toString('utf8', start, end))).join());
    start = end + 1;
  }
  const problems = found === count ? [] : [`${path} has ${found} events, not ${count}`];
  return [...problems, ...(keys.size === 1 ? [] : [`${path} has events of ${keys.size} kinds`])];
};

export const pairs = async ({ folder, scale }) => {
  const config = join(folder, 'generator.yml');
  const [ours, theirs, request] = ['ours.log', 'jinja.log', 'request.json'].map((name) => join(folder, name));
  const events = Math.ceil(EVENTS * scale);
  const fewer = Math.ceil(events * THEIR_SHARE);
  writeOurs(folder, events);
  writeFileSync(
    request,
    JSON.stringify({
      templates: { 'event.jinja': read('event.jinja'), 'macros.jinja': read('macros.jinja') },
      main: 'event.jinja',
      data: { samples: SAMPLES, params: PARAMS, timestamps: TIMESTAMPS, zone: ZONE },
    }),
  );
  const jinja = [
    'python3',
    join(PEERS, 'jinjaLines.py'),
    join(TEMPLATE, 'peer.py'),
    request,
    `${fewer}`,
    theirs,
  ];
  // What is random, and so the length, differs from run to run.
  const side = (command, path, count) => ({
    command: () => command,
    events: count,
    check: () => problemsOf(path, count),
  });
  const remover = (path) => `rm -f ${quoted(path)}; `;
  return {
    folder,
    config,
    sides: {
      spate: side(
        remover(ours) + generateCommand(config, '--timezone', ZONE, '--seed', 'bench'),
        ours,
        events,
      ),
      jinja2: side(remover(theirs) + jinja.map(quoted).join(' '), theirs, fewer),
    },
  };
};
