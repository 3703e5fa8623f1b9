/** Ten million timestamps of linspace in sample mode, with the smallest script: memory and events a second. */
import { join } from 'node:path';
import { everyMs, generateCommand, writeFiles } from '../lib/spate.mjs';
import { spreadOf } from '../lib/statistics.mjs';

const EVENTS = 10_000_000;
const PEAK_MB = 200;

export const limits = 'Calls of the script, and the strings of a batch in memory.';

export const disk_bytes = 2 * EVENTS;

export const pairs = async ({ folder, scale }) => {
  const config = join(folder, 'generator.yml');
  const output = join(folder, 'ours.log');
  const events = Math.ceil(EVENTS * scale);
  writeFiles(folder, {
    'generator.yml': `input: [${everyMs(events)}]
event: {script: {path: produce.mjs}}
output: [file: {path: ours.log}]
`,
    'produce.mjs': "export const produce = () => 'x';\n",
  });
  return {
    folder,
    config,
    sides: {
      spate: {
        command: () => generateCommand(config),
        output,
        events,
        // Each event is `x` and a line end.
        bytes: 2 * events,
      },
    },
    figures: (rounds) => {
      const spread = spreadOf(rounds.map(({ spate }) => spate.peak_mb));
      return [
        {
          figure: 'peak of resident memory',
          spread,
          unit: 'MB',
          bar: `< ${PEAK_MB} MB`,
          isMet: spread.max < PEAK_MB,
        },
      ];
    },
  };
};
