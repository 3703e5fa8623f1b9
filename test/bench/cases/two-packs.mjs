/** Two library generators at full speed in one daemon against one, from the counters of the API. */
import { packGenerator, twoAgainstOne } from '../lib/fullSpeed.mjs';

export const { limits, disk_bytes, pairs } = twoAgainstOne(() => packGenerator('windows-security'));
