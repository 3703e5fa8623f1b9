/**
 * Live mode: every second 1,000 events, 60 ticks, through a pipe. Each event carries its timestamp; its
 * lateness is the clock at this reader minus that, so it holds production, writing and reading.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CLI } from '../lib/spate.mjs';

const TICKS = 60;
const PER_TICK = 1_000;

const CONFIG = `
input:
  - cron: {expression: '* * * * * *', count: ${PER_TICK}, end: +${TICKS}s}
event:
  script: {path: produce.mjs}
output:
  - stdout: {flush_interval: 0}
`;
const SCRIPT = `
let n = 0;
export const produce = ({ timestamp }) => \`\${timestamp.epochMilliseconds} \${++n}\`;
`;

const quantile = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];

export const run = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'spate-bench-'));
  writeFileSync(join(folder, 'generator.yml'), CONFIG);
  writeFileSync(join(folder, 'produce.mjs'), SCRIPT);
  const limit = TICKS * PER_TICK;
  const child = spawn(
    process.execPath,
    [CLI, 'generate', '--path', join(folder, 'generator.yml'), '--limit', String(limit)],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const lateness = [];
  let early = 0;
  let disorder = 0;
  let last = 0;
  let rest = '';
  child.stdout.on('data', (chunk) => {
    const now = Date.now();
    const lines = (rest + chunk).split('\n');
    rest = lines.pop();
    for (const line of lines) {
      const [at, n] = line.split(' ').map(Number);
      if (now < at) early++;
      if (n !== last + 1) disorder++;
      last = n;
      lateness.push(now - at);
    }
  });
  const code = await new Promise((resolve) => child.on('close', resolve));
  rmSync(folder, { recursive: true, force: true });
  lateness.sort((a, b) => a - b);
  const problems = [];
  if (code !== 0) problems.push(`exit code ${code}`);
  if (lateness.length !== limit) problems.push(`${lateness.length} events instead of ${limit}`);
  if (early > 0) problems.push(`${early} events were early`);
  if (disorder > 0) problems.push(`${disorder} events out of order`);
  return {
    events: lateness.length,
    early,
    out_of_order: disorder,
    lateness_ms: { p50: quantile(lateness, 0.5), p99: quantile(lateness, 0.99), max: lateness.at(-1) },
    problems,
  };
};
