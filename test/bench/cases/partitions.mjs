/** Two partitions of a template generator against one, on two cores. */
import { smallGenerator, twoPartitions } from '../lib/fullSpeed.mjs';

export const { limits, disk_bytes, pairs } = twoPartitions(() => smallGenerator('template'));
