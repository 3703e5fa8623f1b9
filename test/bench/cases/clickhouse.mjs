/**
 * Rows in TabSeparated format into a local clickhouse-server (MergeTree), replayed from a file in batches of 500,000 (three under way),
 * against @clickhouse/client that streams a prepared buffer of 1 MiB again and again, as one insert.
 */
import { lackOfClickhouse } from '../lib/clickhouse.mjs';
import { inserts } from '../lib/inserts.mjs';

export const limits =
  'The server, on the same two cores: it sorts and writes one part per 500,000 rows. The yardstick sends one prepared buffer again and again.';

export const disk_bytes = 4e9;
export const skip = lackOfClickhouse;

export const pairs = (given) =>
  inserts(given, {
    options: ['--batch.size', '500000', '--queue.max-event-batches', '3'],
    rows: null,
    bar: 0.7,
  });
