/**
 * Live replay of an hour in ten files, with Poisson arrivals and bursts, at speed 1, 10 and 100: a minute each. The spacing of
 * neighbors at the reader of a pipe against that of the recording, divided by the speed.
 */
import { join } from 'node:path';
import { runCommand } from '../lib/command.mjs';
import { CLI, nodeCommand, PEERS, writeFiles } from '../lib/spate.mjs';

const FILES = 10;
const HOUR_MICROS = 3_600e6;
const SPEEDS = [1, 10, 100];
const SECONDS = 60;
const P99_MS = 5;

export const isLong = true;
export const limits = 'Records are released every 2 ms; the rest is the scheduler of the system.';

/** The same numbers in each run. */
const randomOf = (seed) => {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state + 0.5) / 2 ** 32;
  };
};

/** Offsets in microseconds: five a second, and a burst of 2 to 10 s each minute. */
const offsetsOf = (random) => {
  const gap = (mean) => -Math.log(random()) * mean;
  const offsets = [];
  for (let at = gap(0.2e6); at < HOUR_MICROS; at += gap(0.2e6)) offsets.push(Math.round(at));
  for (let begin = gap(60e6); begin < HOUR_MICROS; begin += gap(60e6)) {
    const end = Math.min(HOUR_MICROS, begin + (2 + 8 * random()) * 1e6);
    const mean = 1e6 / (20 + 130 * random());
    for (let at = begin; at < end; at += gap(mean)) offsets.push(Math.round(at));
  }
  return offsets.sort((a, b) => a - b);
};

const BEGIN = Date.UTC(2026, 0, 1, 10);

const timeAt = (micros) =>
  `${new Date(BEGIN + Math.floor(micros / 1_000)).toISOString().slice(0, -1)}${String(micros % 1_000).padStart(3, '0')}Z`;

const configOf = (speed) => `input:
  - recorded:
      path: '*.log'
      timestamp_pattern: '^(?<timestamp>\\S+)'
      timestamp_format: iso8601
      record_start: '^\\d{4}-'
      speed: ${speed}
      repeat: true
event: {replay: {from: recorded, remap: {key: a key of the benchmark}}}
output: [stdout: {flush_interval: 0}]
`;

const figure = (speed, name, value, bar = null) => ({
  figure: `error of the spacing at speed ${speed}, ${name}`,
  value,
  unit: 'ms',
  bar: bar === null ? null : `<= ${bar} ms`,
  isMet: bar === null ? null : value <= bar,
});

export const run = async ({ folder, seconds, scale }) => {
  const random = randomOf(1);
  const files = Array.from({ length: FILES }, () => []);
  for (const offset of offsetsOf(random)) {
    const address = `93.184.${Math.floor(random() * 9)}.${Math.floor(random() * 250)}`;
    files[Math.floor(random() * FILES)].push(
      `${timeAt(offset)} from ${address}\n  at a second line offset=${offset}\n`,
    );
  }
  writeFiles(folder, Object.fromEntries(files.map((lines, at) => [`${at}.log`, lines.join('')])));
  const duration = Math.max(2, (seconds ?? SECONDS) * scale);
  const rows = [];
  const problems = [];
  for (const speed of SPEEDS) {
    const config = join(folder, `speed-${speed}.yml`);
    writeFiles(folder, { [`speed-${speed}.yml`]: configOf(speed) });
    const spate = nodeCommand(CLI, ['generate', '--path', config]);
    const reader = nodeCommand(join(PEERS, 'spacing.mjs'), [speed]);
    let text = '';
    // The first second is the start.
    const { code } = await runCommand(`timeout -s INT ${duration + 1} ${spate} | NODE_OPTIONS= ${reader}`, {
      onOutput: (chunk) => {
        text += chunk;
      },
    });
    if (code !== 0) return { rows, problems: [...problems, `exit ${code} at speed ${speed}`] };
    const { records, out_of_order, error_ms } = JSON.parse(text);
    if (records < duration) problems.push(`only ${records} records at speed ${speed}`);
    if (out_of_order > 0) problems.push(`${out_of_order} records out of order at speed ${speed}`);
    rows.push(figure(speed, 'median', error_ms.p50), figure(speed, '99 %', error_ms.p99, P99_MS));
  }
  return { rows, problems };
};
