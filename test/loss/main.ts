/**
 * `npm run loss [-- OUTPUT... options]`: marked events through each output of the built program into its peer on
 * loopback, which is killed and restarted in the middle; `spate verify` reads back what arrived. Fails when an output
 * loses what its README promises.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { shown, textTable } from '../bench/lib/table.mjs';
import { CASES } from './cases.js';
import type { LossCase } from './peer.js';
import { type Outcome, type TrialOptions, trial } from './trial.js';

const NAMES = [...new Set(CASES.map(({ output }) => output))].sort();

const USAGE = `usage: npm run loss [-- OUTPUT... [options]]

  --events N         marked events through each output (default 1,000,000)
  --kills N          kills of each peer, spread over the run (default 2; 0: none)
  --down SECONDS     time from a kill to the restart (default 0.5); after about 3, there are dead letters
  --limit SECONDS    longest run (default 600)

Outputs: ${NAMES.join(', ')}
`;

const HEAD = [
  'output',
  'kills',
  'seconds',
  'events/s',
  'lost',
  'doubled',
  'failed',
  'dead letters',
  'a kill is',
];

const rowOf = (one: LossCase, { events, kills }: TrialOptions, outcome: Outcome): readonly string[] => [
  one.output,
  String(kills),
  shown(outcome.seconds),
  shown(events / outcome.seconds),
  ...[outcome.lost, outcome.doubled, outcome.failed, outcome.dead_letters].map(shown),
  kills === 0 ? '' : one.kill,
];

/** Runs a case; its row, and what is wrong. */
const run = async (
  one: LossCase,
  options: TrialOptions,
): Promise<{ readonly row: readonly string[]; readonly problems: readonly string[] }> => {
  const blank = Array.from({ length: HEAD.length - 2 }, () => '');
  if (one.lack !== null) return { row: [one.output, ...blank, `skipped ${one.lack}`], problems: [] };
  const folder = mkdtempSync(join(tmpdir(), 'spate-loss-'));
  try {
    const outcome = await trial(folder, one, options);
    const loss = one.isPromised && outcome.lost > 0 ? [`${shown(outcome.lost)} events are lost`] : [];
    return { row: rowOf(one, options, outcome), problems: [...loss, ...outcome.problems] };
  } catch (thrown) {
    return { row: [one.output, ...blank, 'broke'], problems: [String(thrown)] };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const NUMBERS = { events: '1000000', kills: '2', down: '0.5', limit: '600' };

/** Exit code. */
export const main = async (args: readonly string[]): Promise<number> => {
  const option = { type: 'string' } as const;
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      events: option,
      kills: option,
      down: option,
      limit: option,
      help: { type: 'boolean', short: 'h' },
    },
  });
  const given = { ...NUMBERS, ...values };
  const options = {
    events: Number(given.events),
    kills: Number(given.kills),
    down_ms: Number(given.down) * 1_000,
    limit_ms: Number(given.limit) * 1_000,
  };
  const unknown = positionals.filter((name) => !NAMES.includes(name));
  const isWrong = !Object.values(options).every(Number.isInteger) || unknown.length > 0;
  if (values.help === true || isWrong) {
    process.stderr.write(USAGE);
    return isWrong ? 2 : 0;
  }
  const rows = [HEAD];
  let problems = 0;
  for (const one of CASES.filter(({ output }) => positionals.length === 0 || positionals.includes(output))) {
    process.stderr.write(`${one.output} ...\n`);
    const made = await run(one, options);
    rows.push([...made.row]);
    problems += made.problems.length;
    for (const problem of made.problems) process.stderr.write(`${one.output}: ${problem}\n`);
    process.stderr.write(`${made.row.join('  ')}\n`);
  }
  process.stdout.write(textTable(rows));
  return problems > 0 ? 1 : 0;
};
