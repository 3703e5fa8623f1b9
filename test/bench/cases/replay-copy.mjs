/** Replay of a 2 GB log without change, to a file, against `cat`. */
import { join } from 'node:path';
import { runCommand } from '../lib/command.mjs';
import { sameBytes } from '../lib/content.mjs';
import { writeLog } from '../lib/log.mjs';
import { quoted } from '../lib/options.mjs';
import { generateCommand, writeFiles } from '../lib/spate.mjs';

const BYTES = 2e9;

export const limits =
  'Two cores share the copy that cat does on one, the search for line ends and invalid UTF-8, and hand-over between three threads. Start-up is an eighth.';

export const disk_bytes = 4 * BYTES;

export const pairs = async ({ folder, scale }) => {
  const [input, config] = [join(folder, 'input.log'), join(folder, 'generator.yml')];
  const [ours, theirs, scratch] = ['ours.log', 'cat.log', 'scratch.log'].map((name) => join(folder, name));
  const events = writeLog(input, BYTES * scale);
  writeFiles(folder, {
    'generator.yml': `input: [static: {count: ${events}}]
event: {replay: {path: input.log}}
output: [file: {path: ours.log}]
`,
  });
  return {
    folder,
    input,
    config,
    sides: {
      spate: { command: () => generateCommand(config), output: ours, events },
      cat: { command: () => `cat ${quoted(input)} > ${quoted(theirs)}`, output: theirs, events },
    },
    // Memory that a virtual machine has given back to its host takes three times as long to write, whoever does it:
    // each side begins when as much as it needs has just become free.
    before: () => runCommand(`cat ${quoted(input)} > ${quoted(scratch)}; rm ${quoted(scratch)}`),
    // At most three times its wall time.
    bars: { cat: 1 / 3 },
    verify: () => [...sameBytes(ours, input), ...sameBytes(theirs, input)],
  };
};
