/**
 * Replay of a 1 GB log with new timestamps, found by a regular expression and written by a strftime format, against
 * `sed` and a hand-written loop that copies bytes.
 */
import { join } from 'node:path';
import { holds, sameBytes } from '../lib/content.mjs';
import { writeLog } from '../lib/log.mjs';
import { quoted } from '../lib/options.mjs';
import { everyMs, generateCommand, nodeCommand, PEERS, writeFiles } from '../lib/spate.mjs';

const BYTES = 1e9;
const SED = `LC_ALL=C sed 's/\\[[^]]*\\]/[20\\/Nov\\/2026:00:00:00 +0000]/'`;

export const limits =
  'One regular expression a line (a third of the thread), then finding line ends and writing timestamps in place.';

export const disk_bytes = 4 * BYTES;

export const pairs = async ({ folder, scale }) => {
  const [input, config] = [join(folder, 'input.log'), join(folder, 'generator.yml')];
  const [ours, sed, loop] = ['ours.log', 'sed.log', 'loop.log'].map((name) => join(folder, name));
  const events = writeLog(input, BYTES * scale);
  writeFiles(folder, {
    'generator.yml': `input: [${everyMs(events)}]
event:
  replay:
    path: input.log
    timestamp_pattern: '\\[(?<timestamp>[^\\]]+)\\]'
    timestamp_format: '%d/%b/%Y:%H:%M:%S %z'
output: [file: {path: ours.log}]
`,
  });
  return {
    folder,
    input,
    config,
    sides: {
      spate: { command: () => generateCommand(config), output: ours, events },
      sed: { command: () => `${SED} ${quoted(input)} > ${quoted(sed)}`, output: sed, events },
      loop: {
        command: () => nodeCommand(join(PEERS, 'replayLoop.mjs'), [input, loop]),
        output: loop,
        events,
      },
    },
    bars: { sed: 1, loop: 0.5 },
    // With all timestamps the same, ours is what sed wrote.
    verify: () => [
      ...sameBytes(ours, loop),
      ...holds(`${SED} ${quoted(ours)} | cmp - ${quoted(sed)}`, 'sed wrote something else'),
    ],
  };
};
