/** The library generator cloud-cloudtrail. */
import { packCase } from '../lib/packs.mjs';

export const { limits, disk_bytes, pairs } = packCase('cloud-cloudtrail');
