/** The library generator network-firewall. */
import { packCase } from '../lib/packs.mjs';

export const { limits, disk_bytes, pairs } = packCase('network-firewall');
