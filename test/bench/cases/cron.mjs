/**
 * Ticks of six cron schedules in two zones, in memory: the geometric mean of their rates against a counted loop that
 * fills the same array, and against cron-parser's next().
 */
import { join } from 'node:path';
import { runCommand } from '../lib/command.mjs';
import { DIST, nodeCommand, PEERS } from '../lib/spate.mjs';
import { geometricMean, spreadOf } from '../lib/statistics.mjs';

const MEASURED_MS = 100;

const ask = async (side, amount) => {
  let text = '';
  const onOutput = (chunk) => {
    text += chunk;
  };
  const measured = await runCommand(nodeCommand(join(PEERS, 'cron.mjs'), [DIST, side, amount]), { onOutput });
  if (measured.code !== 0) throw new Error(`${side}: ${measured.text}`);
  return { measured, answer: JSON.parse(text) };
};

/** Its wall time says nothing: the rates do. */
const measure = async (side, milliseconds) => {
  const { measured, answer } = await ask(side, milliseconds);
  const { peak_mb, text } = measured;
  return { events: geometricMean(Object.values(answer)), seconds: 1, peak_mb, text, rates: answer };
};

/** That both sides name the same first ticks. */
const verify = async () => {
  const [ours, theirs] = [(await ask('ours', 'check')).answer, (await ask('cron-parser', 'check')).answer];
  return Object.entries(ours).flatMap(([name, ticks]) => {
    // Ours end with the last microsecond that a double counts, in the year 2255.
    const expected = theirs[name].filter(Number.isSafeInteger);
    const at = expected.findIndex((tick, index) => tick !== ticks[index]);
    if (at >= 0) return [`${name}: tick ${at} is ${ticks[at]}, cron-parser has ${expected[at]}`];
    return ticks.length > 0 ? [] : [`${name}: no ticks`];
  });
};

export const limits =
  'Sparse schedules: the search for clock changes around each tick, and one step a year for leap days. Dense schedules are limited by memory.';

export const pairs = async ({ folder, scale }) => {
  const side = (name) => ({ run: () => measure(name, MEASURED_MS * Math.min(1, scale)) });
  return {
    folder,
    sides: { spate: side('ours'), 'counted loop': side('loop'), 'cron-parser': side('cron-parser') },
    bars: { 'counted loop': 0.04, 'cron-parser': 30 },
    verify,
    figures: (rounds) =>
      Object.keys(rounds[0].spate.rates).map((name) => ({
        figure: name,
        spread: spreadOf(rounds.map(({ spate }) => spate.rates[name] / 1e6)),
        unit: 'M ticks/s',
        bar: null,
        isMet: null,
      })),
  };
};
