import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StartDestination } from '../../../conformance/support.js';
import { startHttpSink, stopHttpSinks } from '../../../support/servers/httpSink.js';

export const destination: StartDestination = async (folder) => ({
  params: { table: 'events', footer: '\n', ...(await startHttpSink(folder)) },
  arrived: () => readFileSync(join(folder, 'arrived'), 'utf8'),
  takeAway: stopHttpSinks,
  end: stopHttpSinks,
});
