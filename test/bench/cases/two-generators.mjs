/** Two generators at full speed in one daemon against one, from the counters of the API: with templates, which run on the threads of the pool. */
import { join } from 'node:path';
import { measureFullSpeed } from '../lib/fullSpeed.mjs';

const MEASURED_MS = 4_000;

export const limits =
  'One thread each; what they share is the memory bus, the page cache, and the threads of the collector.';

export const disk_bytes = 3e9;

export const pairs = async ({ folder, scale }) => {
  let turn = 0;
  const side = (count) => ({
    run: (env) =>
      measureFullSpeed({
        folder: join(folder, `turn-${turn++}`),
        kind: 'template',
        count,
        milliseconds: MEASURED_MS * Math.min(1, scale),
        env,
      }),
  });
  return { folder, sides: { spate: side(2), 'one generator': side(1) }, bars: { 'one generator': 1.8 } };
};
