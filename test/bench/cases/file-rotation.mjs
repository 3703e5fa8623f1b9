/** The smallest template to a file that is full at 20 MB, against a hand-written loop that writes one file. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { holds } from '../lib/content.mjs';
import { LINE_BYTES, loopCommand, writeMinimal } from '../lib/lines.mjs';
import { generateCommand } from '../lib/spate.mjs';

const EVENTS = 6_000_000;

export const limits = 'As minimal-template; a full file costs a rename.';

export const disk_bytes = 2 * LINE_BYTES * EVENTS;

export const pairs = async ({ folder, scale }) => {
  const events = Math.ceil(EVENTS * scale);
  const [ours, theirs] = [join(folder, 'ours'), join(folder, 'loop.log')];
  const path = join(ours, 'events.log');
  const config = writeMinimal(folder, events, `[file: {path: ${path}, rotate_size: 20}]`);
  const size = () =>
    existsSync(ours) ? readdirSync(ours).reduce((sum, name) => sum + statSync(join(ours, name)).size, 0) : 0;
  return {
    folder,
    config,
    sides: {
      spate: {
        command: () => `rm -rf ${ours}; ${generateCommand(config)}`,
        events,
        check: () => (size() === LINE_BYTES * events ? [] : [`${size()} bytes, not ${LINE_BYTES * events}`]),
      },
      loop: { command: () => loopCommand(events, theirs), output: theirs, events },
    },
    // The names of full files sort by time; the current one has none.
    verify: () => holds(`cmp <(cat ${path}.* ${path}) ${theirs}`, 'the outputs differ'),
    bars: { loop: 0.6 },
  };
};
