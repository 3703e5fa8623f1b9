/**
 * Live: 100,000 events a second for a minute (linspace), through a pipe. Each event carries its timestamp; its lateness
 * is the clock at the reader less that, so it holds production, writing and reading.
 */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../lib/command.mjs';
import { profilesIn, profilingEnv } from '../lib/profile.mjs';
import { CLI, nodeCommand, PEERS, writeFiles } from '../lib/spate.mjs';

const PER_SECOND = 100_000;
const SECONDS = 60;
/** The first event is due so long after the program has read its config, which takes less. */
const LEAD_SECONDS = 2;
const P99_MS = 20;

export const limits = 'The timer and the size of a turn; this rate uses a fifth of one core.';

export const run = async ({ folder, seconds, profile }) => {
  const duration = seconds ?? SECONDS;
  const events = Math.round(PER_SECOND * duration);
  writeFiles(folder, {
    'generator.yml': `input: [linspace: {start: +${LEAD_SECONDS}s, end: +${duration}s, count: ${events}, endpoint: false}]
event: {script: {path: produce.mjs}}
output: [stdout: {}]
`,
    'produce.mjs': `let n = 0;
export const produce = ({ timestamp }) => \`\${timestamp.epochMicroseconds} \${++n}\`;
`,
  });
  const profiles = join(folder, 'profile');
  mkdirSync(profiles);
  const spate = nodeCommand(CLI, ['generate', '--path', join(folder, 'generator.yml')]);
  const reader = nodeCommand(join(PEERS, 'lateness.mjs'), [events]);
  let text = '';
  const measured = await runCommand(`set -o pipefail; ${spate} | NODE_OPTIONS= ${reader}`, {
    env: profile ? profilingEnv(profiles) : {},
    onOutput: (chunk) => {
      text += chunk;
    },
  });
  if (measured.code !== 0) return { rows: [], problems: [`exit ${measured.code}: ${measured.text}`] };
  const seen = JSON.parse(text);
  const problems = [];
  if (seen.events !== events) problems.push(`${seen.events} events instead of ${events}`);
  if (seen.early > 0) problems.push(`${seen.early} events were early`);
  if (seen.out_of_order > 0) problems.push(`${seen.out_of_order} events out of order`);
  const { p50, p99, p999, max } = seen.lateness_ms;
  const cores = measured.cpu_seconds / measured.seconds;
  const figure = (name, value, unit, bar = null) => ({
    figure: name,
    value,
    unit,
    bar: bar === null ? null : `<= ${bar} ${unit}`,
    isMet: bar === null ? null : value <= bar,
  });
  return {
    ...seen,
    rows: [
      figure('lateness at the reader, median', p50, 'ms'),
      figure('lateness, 99 %', p99, 'ms', P99_MS),
      figure('lateness, 99.9 %', p999, 'ms'),
      figure('lateness, latest', max, 'ms'),
      figure('events that were early', seen.early, '', 0),
      figure('processor of both ends', cores, 'cores'),
      figure('peak of the larger one', measured.peak_mb, 'MB'),
    ],
    profiles: profile ? profilesIn(profiles) : undefined,
    problems,
  };
};
