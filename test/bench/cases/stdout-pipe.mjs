/** The smallest template through a pipe into `cat > /dev/null`, against a hand-written loop that writes there. */
import { holds } from '../lib/content.mjs';
import { loopCommand, writeMinimal } from '../lib/lines.mjs';
import { generateCommand } from '../lib/spate.mjs';

const EVENTS = 6_000_000;
const PIPE = '| cat > /dev/null';

export const limits = 'As minimal-template; a pipe takes 64 KiB a write.';

export const pairs = async ({ folder, scale }) => {
  const events = Math.ceil(EVENTS * scale);
  const config = writeMinimal(folder, events, '[stdout: {}]');
  const [ours, loop] = [generateCommand(config), loopCommand(events, '-')];
  return {
    folder,
    config,
    sides: {
      spate: { command: () => `set -o pipefail; ${ours} ${PIPE}`, events },
      loop: { command: () => `set -o pipefail; ${loop} ${PIPE}`, events },
    },
    verify: () => holds(`cmp <(${ours}) <(${loop})`, 'the outputs differ'),
  };
};
