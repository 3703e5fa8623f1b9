/** The library generator windows-security. */
import { packCase } from '../lib/packs.mjs';

export const { limits, disk_bytes, pairs } = packCase('windows-security');
