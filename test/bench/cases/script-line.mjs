/**
 * A script that returns one text of 60 bytes with the timestamp, to a file, against a hand-written loop that makes and
 * writes the same bytes: as text of 64 KiB (`loop`), and each line into a buffer (`line loop`).
 */
import { join } from 'node:path';
import { sameBytes } from '../lib/content.mjs';
import { everyMs, generateCommand, nodeCommand, PEERS, writeFiles } from '../lib/spate.mjs';

const EVENTS = 30_000_000;
/** With the 32 characters of the timestamp these are 60. */
const TAIL = ' INFO request served in 12 m';

export const limits =
  'Making the text of an event one piece (a quarter: it is put together of parts), the timestamp as text (a fifth), the call with its objects (a fifth). A script that returns a constant text takes half the time.';

export const disk_bytes = 3 * 61 * EVENTS;

export const pairs = async ({ folder, scale }) => {
  const config = join(folder, 'generator.yml');
  const [ours, loop, line] = ['ours.log', 'loop.log', 'line.log'].map((name) => join(folder, name));
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
    },
    bars: { loop: 0.6 },
    verify: () => [...sameBytes(ours, loop), ...sameBytes(ours, line)],
  };
};
