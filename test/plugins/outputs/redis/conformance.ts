import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StartDestination } from '../../../conformance/support.js';
import { startRedisSink, stopRedisSinks } from '../../../support/servers/redisSink.js';

export const destination: StartDestination = async (folder) => ({
  params: { key: 'events', ...(await startRedisSink(folder)) },
  arrived: () => readFileSync(join(folder, 'arrived'), 'utf8'),
  takeAway: stopRedisSinks,
  end: stopRedisSinks,
});
