/** Two generators at full speed in one daemon against one, from the counters of the API: with templates, which run on the threads of the pool. */
import { smallGenerator, twoAgainstOne } from '../lib/fullSpeed.mjs';

export const { limits, disk_bytes, pairs } = twoAgainstOne(() => smallGenerator('template'));
