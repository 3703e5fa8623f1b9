/**
 * Rows in TabSeparated format into a local clickhouse-server (Memory, which has no parts to merge), replayed from a file, against @clickhouse/client
 * that streams a prepared buffer of 1 MiB again and again, as one insert.
 */
import { lackOfClickhouse } from '../lib/clickhouse.mjs';
import { insertsInto } from '../lib/inserts.mjs';

export const limits = 'One request for each batch of 10,000 rows, where the yardstick makes one of all.';

export const disk_bytes = 2e9;
export const skip = lackOfClickhouse;

export const pairs = (given) => insertsInto(given, 'Memory');
