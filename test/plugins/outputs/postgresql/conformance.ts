import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StartDestination } from '../../../conformance/support.js';
import { startPostgresSink, stopPostgresSinks } from '../../../support/servers/postgresSink.js';

export const destination: StartDestination = async (folder) => ({
  params: { table: 'events', ...(await startPostgresSink(folder)) },
  arrived: () => readFileSync(join(folder, 'arrived'), 'utf8'),
  takeAway: stopPostgresSinks,
  end: stopPostgresSinks,
});
