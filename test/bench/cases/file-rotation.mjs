/** The smallest template to a file that is full at 20 MB, against the same to one file. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { holds } from '../lib/content.mjs';
import { LINE_BYTES, writeMinimal } from '../lib/lines.mjs';
import { generateCommand } from '../lib/spate.mjs';

const EVENTS = 6_000_000;

export const limits = 'As minimal-template; a full file costs a rename.';

export const disk_bytes = 2 * LINE_BYTES * EVENTS;

export const pairs = async ({ folder, scale }) => {
  const events = Math.ceil(EVENTS * scale);
  const side = (name, more) => {
    const own = join(folder, name);
    const path = join(own, 'events.log');
    const config = writeMinimal(own, events, `[file: {path: ${path}${more}}]`);
    const size = () =>
      readdirSync(own)
        .filter((file) => file.startsWith('events.log'))
        .reduce((sum, file) => sum + statSync(join(own, file)).size, 0);
    const expected = LINE_BYTES * events;
    return {
      config,
      command: () => `rm -f ${path}*; ${generateCommand(config)}`,
      events,
      check: () => (size() === expected ? [] : [`${size()} bytes, not ${expected}`]),
    };
  };
  const [rotated, whole] = [side('rotated', ', rotate_size: 20'), side('whole', '')];
  return {
    folder,
    config: rotated.config,
    sides: { spate: rotated, 'one file': whole },
    // Names of full files sort by time; the current one has none.
    verify: () => {
      const path = join(folder, 'rotated', 'events.log');
      const full = existsSync(path) ? `${path}.* ${path}` : `${path}.*`;
      return holds(`cmp <(cat ${full}) ${join(folder, 'whole', 'events.log')}`, 'the outputs differ');
    },
    bars: { 'one file': 0.9 },
  };
};
