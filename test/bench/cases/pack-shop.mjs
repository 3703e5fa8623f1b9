/** The log of a shop as web-nginx made it before it was in a world: the one pack that peers compute, too. */
import { packCase } from '../lib/packs.mjs';

export const { limits, disk_bytes, pairs } = packCase('shop-web');
