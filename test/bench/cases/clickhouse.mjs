/**
 * Rows in TabSeparated format into a local clickhouse-server (MergeTree), replayed from a file, against @clickhouse/client
 * that streams a prepared buffer of 1 MiB again and again, as one insert.
 */
import { lackOfClickhouse } from '../lib/clickhouse.mjs';
import { insertsInto } from '../lib/inserts.mjs';

export const limits =
  'The server: each insert is a part that it writes and merges, and Spate makes one of each batch of 10,000 rows, where the yardstick makes one of all.';

export const disk_bytes = 2e9;
export const skip = lackOfClickhouse;

export const pairs = (given) => insertsInto(given, 'MergeTree PARTITION BY toYYYYMM(at) ORDER BY at');
