/** Replay of a 2 GB log without change, to a file, against `cat`. */
import { join } from 'node:path';
import { sameBytes } from '../lib/content.mjs';
import { writeLog } from '../lib/log.mjs';
import { quoted } from '../lib/options.mjs';
import { generateCommand, writeFiles } from '../lib/spate.mjs';

const BYTES = 2e9;

export const limits =
  'Copies of 1 MiB between the threads that read, count lines and write, which leave the caches of their cores; a third is the write. Not the floor: dd with blocks of 256 KiB is as fast as cat. A tenth is start-up.';

export const disk_bytes = 3 * BYTES;

export const pairs = async ({ folder, scale }) => {
  const [input, config] = [join(folder, 'input.log'), join(folder, 'generator.yml')];
  const [ours, theirs] = [join(folder, 'ours.log'), join(folder, 'cat.log')];
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
    // At most three times its wall time.
    bars: { cat: 1 / 3 },
    verify: () => [...sameBytes(ours, input), ...sameBytes(theirs, input)],
  };
};
