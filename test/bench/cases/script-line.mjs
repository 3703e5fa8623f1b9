/**
 * A script that returns one text of 60 bytes with the timestamp, to a file, against a hand-written loop that makes and
 * writes the same bytes: as text of 64 KiB (`loop`), and each line into a buffer (`line loop`). `contract loop` calls the
 * script itself as the plugin does, and does nothing else.
 */
import { join } from 'node:path';
import { sameBytes } from '../lib/content.mjs';
import { DIST, everyMs, generateCommand, nodeCommand, PEERS, writeFiles } from '../lib/spate.mjs';

const EVENTS = 30_000_000;
/** With the 32 characters of the timestamp these are 60. */
const TAIL = ' INFO request served in 12 m';

export const limits =
  'The arguments of the script: a loop that only calls it reaches 0.8 of the yardstick, and Spate 0.75 of that loop. Joining strings is a quarter, formatting the timestamp a tenth.';

export const disk_bytes = 4 * 61 * EVENTS;

export const pairs = async ({ folder, scale }) => {
  const config = join(folder, 'generator.yml');
  const [ours, loop, line, contract] = ['ours.log', 'loop.log', 'line.log', 'contract.log'].map((name) =>
    join(folder, name),
  );
  const events = Math.ceil(EVENTS * scale);
  writeFiles(folder, {
    'generator.yml': `input: [${everyMs(events)}]
event: {script: {path: produce.mjs}}
output: [file: {path: ours.log}]
`,
    'produce.mjs': `export const produce = ({ timestamp }) => \`\${timestamp}${TAIL}\`;\n`,
  });
  const peer = (style, output) => ({
    command: () => nodeCommand(join(PEERS, 'lines.mjs'), [style, events, TAIL, output]),
    output,
    events,
  });
  return {
    folder,
    config,
    sides: {
      spate: { command: () => generateCommand(config), output: ours, events },
      loop: peer('chunk', loop),
      'line loop': peer('line', line),
      'contract loop': {
        command: () =>
          nodeCommand(join(PEERS, 'scriptLoop.mjs'), [DIST, join(folder, 'produce.mjs'), events, contract]),
        output: contract,
        events,
      },
    },
    bars: { loop: 0.6 },
    verify: () => [...sameBytes(ours, loop), ...sameBytes(ours, line), ...sameBytes(ours, contract)],
  };
};
