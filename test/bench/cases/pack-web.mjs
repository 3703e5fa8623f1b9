/** The library generator web-nginx. */
import { packCase } from '../lib/packs.mjs';

export const { limits, disk_bytes, pairs } = packCase('web-nginx');
