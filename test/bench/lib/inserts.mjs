/** Rows in TabSeparated format into a local clickhouse-server, against @clickhouse/client that streams. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startClickhouse } from './clickhouse.mjs';
import { runCommand } from './command.mjs';
import { generateCommand, nodeCommand, PEERS, writeFiles } from './spate.mjs';

const BLOCK_BYTES = 1 << 20;
const BLOCKS = 800;

const two = (number) => String(number).padStart(2, '0');
const rowOf = (index) => {
  const second = index % 86_400;
  const at = `2026-01-01 ${two(Math.floor(second / 3_600))}:${two(Math.floor(second / 60) % 60)}:${two(second % 60)}`;
  return `${at}\t/orders/${(index * 7_919) % 100_000}\t${index % 7 === 0 ? 404 : 200}\t${(index * 104_729) % 90_000}\n`;
};

/** Rows of about 1 MiB, how many there are, and the sum of their last column. */
const makeBlock = () => {
  let [text, rows, sum] = ['', 0, 0];
  for (let row = rowOf(0); text.length + row.length <= BLOCK_BYTES; row = rowOf(++rows)) {
    text += row;
    sum += Number(row.split('\t')[3]);
  }
  return { block: Buffer.from(text), rows, sum };
};

const TABLE =
  '(at DateTime, page String, status UInt16, bytes UInt32) ENGINE = MergeTree PARTITION BY toYYYYMM(at) ORDER BY at';

/**
 * A pair case of inserts: `options` of `spate generate`; `rows` in each insert of the client, `null` for one of all.
 */
export const inserts = async ({ folder, scale }, { options, rows: rowsAtOnce, bar }) => {
  const times = Math.max(1, Math.round(BLOCKS * scale));
  const { block, rows, sum } = makeBlock();
  const blockFile = join(folder, 'block.tsv');
  const config = join(folder, 'generator.yml');
  writeFileSync(blockFile, block);
  const server = await startClickhouse(join(folder, 'server'));
  writeFiles(folder, {
    'generator.yml': `input: [static: {count: ${rows * times}}]
event: {replay: {path: block.tsv, repeat: true}}
output: [clickhouse: {host: 127.0.0.1, port: ${server.port}, table: visits}]
`,
  });
  const side = (command) => ({
    events: rows * times,
    run: async (env) => {
      await server.query('DROP TABLE IF EXISTS visits');
      await server.query(`CREATE TABLE visits ${TABLE}`);
      const measured = await runCommand(command, { env });
      const found = await server.query('SELECT count(), sum(bytes) FROM visits FORMAT TabSeparated');
      const expected = `${rows * times}\t${sum * times}`;
      return {
        ...measured,
        problems: found === expected ? [] : [`rows and sum are ${found}, not ${expected}`],
      };
    },
  });
  return {
    folder,
    config,
    sides: {
      spate: side(generateCommand(config, ...options)),
      '@clickhouse/client': side(
        nodeCommand(join(PEERS, 'clickhouseStream.mjs'), [
          server.port,
          'visits',
          blockFile,
          times,
          ...(rowsAtOnce === null ? [] : [rowsAtOnce]),
        ]),
      ),
    },
    bars: bar === null ? {} : { '@clickhouse/client': bar },
    close: () => server.kill(),
  };
};
