/**
 * The same with the default `batch.size` of 10,000, against @clickhouse/client that sends inserts of 10,000 rows from
 * memory, ten under way.
 */
import { lackOfClickhouse } from '../lib/clickhouse.mjs';
import { inserts } from '../lib/inserts.mjs';

export const limits =
  'The server: it makes and merges one part per insert. No client exceeds about 2 M rows/s that way on two cores.';

export const disk_bytes = 4e9;
export const skip = lackOfClickhouse;

export const pairs = (given) => inserts(given, { options: [], rows: 10_000, bar: null });
