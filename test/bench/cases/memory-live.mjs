/**
 * A live daemon for ten minutes: a script, a template and a replay of 10,000 events a second each, to files that are
 * emptied now and then. Is its memory flat? Runs only when named.
 */
import { existsSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, residentMbOf, sleep, startDaemon, writeInstance } from '../lib/daemon.mjs';
import { median, slopeOf } from '../lib/statistics.mjs';

export const limits = 'Garbage that the collector has not freed yet.';

export const isLong = true;
export const disk_bytes = 2e9;

const SECONDS = 600;
const EVERY_SECONDS = 2;
/** An hour of 10,000 events a second, evenly: so many slices that heaps reach their size within the first minute. */
const INPUT = "input: [linspace: {start: now, end: '+1h', count: 36000000}]";
/** Heaps grow to their size within this share of the time. */
const WARM_UP_SHARE = 0.2;
const MAX_GROWTH = 0.05;
const EMPTIED_EVERY_SECONDS = 30;

const EVENTS = {
  script: '{script: {path: produce.mjs}}',
  template: '{template: {mode: all, templates: [{event: {template: event.jinja}}]}}',
  replay: '{replay: {path: lines.txt, repeat: true}}',
};
const FILES = {
  'produce.mjs': 'let n = 0;\nexport const produce = ({ timestamp }) => `${timestamp} ${++n}`;\n',
  'event.jinja': `{"at": "{{ timestamp.isoformat() }}", "user": "{{ ['alice', 'bob', 'carol']|random }}", "n": {{ range(1, 1000)|random }}}`,
  'lines.txt': Array.from(
    { length: 1_000 },
    (_, n) => `line ${n} of a log that is replayed again and again\n`,
  ).join(''),
};

const filesOf = () =>
  Object.fromEntries(
    Object.entries(EVENTS).flatMap(([kind, event]) => [
      [`${kind}/generator.yml`, `${INPUT}\nevent: ${event}\noutput: [file: {path: out.log}]\n`],
      ...Object.entries(FILES).map(([path, text]) => [`${kind}/${path}`, text]),
    ]),
  );

export const run = async ({ folder, seconds }) => {
  const duration = seconds ?? SECONDS;
  const port = await freePort();
  const kinds = Object.keys(EVENTS);
  const startup = kinds.map((kind) => `- {id: ${kind}, path: ${kind}/generator.yml}\n`).join('');
  const daemon = await startDaemon(writeInstance(folder, port, filesOf(), startup), port);
  const problems = [];
  const samples = [];
  try {
    const begin = performance.now();
    const passed = () => (performance.now() - begin) / 1_000;
    for (let emptied = 0; passed() < duration; ) {
      await sleep(EVERY_SECONDS * 1_000);
      samples.push([passed() / 60, residentMbOf(daemon.pid)]);
      if (passed() - emptied < EMPTIED_EVERY_SECONDS) continue;
      emptied = passed();
      for (const kind of kinds) {
        const path = join(folder, 'generators', kind, 'out.log');
        if (existsSync(path)) truncateSync(path);
      }
    }
    const took = passed();
    for (const kind of kinds) {
      const { event, output } = await daemon.api('GET', `/generators/${kind}/stats`);
      const rate = event.produced / took;
      if (rate < 9_000) problems.push(`${kind} made ${Math.round(rate)} events a second, not 10,000`);
      if (output[0].written === 0) problems.push(`${kind} wrote nothing`);
    }
    const code = await daemon.stop();
    if (code !== 0) problems.push(`the daemon ended with ${code}`);
  } finally {
    await daemon.kill();
  }
  const steady = samples.slice(Math.floor(samples.length * WARM_UP_SHARE));
  const quarter = Math.ceil(steady.length / 4);
  const mbOf = (part) => median(part.map(([, mb]) => mb));
  const [first, last] = [mbOf(steady.slice(0, quarter)), mbOf(steady.slice(-quarter))];
  const growth = last / first - 1;
  return {
    samples,
    rows: [
      { figure: 'resident memory, last quarter', value: last, unit: 'MB' },
      { figure: 'slope after the start', value: slopeOf(steady), unit: 'MB/min' },
      {
        figure: 'growth from first to last quarter',
        value: growth * 100,
        unit: '%',
        bar: `<= ${MAX_GROWTH * 100} %`,
        isMet: growth <= MAX_GROWTH,
      },
    ],
    problems,
  };
};
