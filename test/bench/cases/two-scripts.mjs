/** Two generators at full speed in one daemon against one, from the counters of the API: with scripts, which have threads of their own. */
import { smallGenerator, twoAgainstOne } from '../lib/fullSpeed.mjs';

export const { limits, disk_bytes, pairs } = twoAgainstOne(() => smallGenerator('script'));
