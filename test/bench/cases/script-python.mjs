/**
 * A Python script of one line that returns 60 bytes with the timestamp, to a file: events a second from the start of the
 * program to its end. The bytes are those of a hand-written loop.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { runCommand } from '../lib/command.mjs';
import { sameBytes } from '../lib/content.mjs';
import { everyMs, generateCommand, nodeCommand, PEERS, writeFiles } from '../lib/spate.mjs';
import { spreadOf } from '../lib/statistics.mjs';

const EVENTS = 3_000_000;
const TIMES = 5;
const PER_SECOND = 100_000;
/** With the 32 characters of the timestamp these are 60. */
const TAIL = ' INFO request served in 12 m';

export const limits =
  'Python: a bare loop that makes the timestamps and calls the function is a third faster.';

export const disk_bytes = 2 * 61 * EVENTS;

export const skip = () =>
  spawnSync('python3', ['-c', 'import zoneinfo']).status === 0 ? null : 'python3 is not installed';

export const run = async ({ folder, scale }) => {
  const events = Math.ceil(EVENTS * scale);
  const [ours, loop] = ['ours.log', 'loop.log'].map((name) => join(folder, name));
  writeFiles(folder, {
    'generator.yml': `input: [${everyMs(events)}]
event: {script: {path: produce.py}}
output: [file: {path: ours.log, write_mode: overwrite}]
`,
    'produce.py': `def produce(params): return params['timestamp'].isoformat() + '${TAIL}'\n`,
  });
  const rates = [];
  const problems = [];
  for (let turn = 0; turn < TIMES; turn++) {
    const { seconds, code, text } = await runCommand(generateCommand(join(folder, 'generator.yml')));
    if (code !== 0) problems.push(`exit ${code}: ${text}`);
    rates.push(events / seconds);
  }
  await runCommand(nodeCommand(join(PEERS, 'lines.mjs'), ['chunk', events, TAIL, loop]));
  problems.push(...sameBytes(ours, loop));
  const spread = spreadOf(rates);
  const row = { figure: 'whole run', spread, unit: 'events/s', bar: `>= ${PER_SECOND} events/s` };
  return { rows: [{ ...row, isMet: spread.median >= PER_SECOND }], problems };
};
