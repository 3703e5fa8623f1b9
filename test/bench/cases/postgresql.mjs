/**
 * Rows of COPY's text format into a local postgres, replayed from a file in batches of 50,000, against pg and
 * pg-copy-streams that send a prepared buffer of 1 MiB again and again, as one COPY.
 */
import { chmodSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runCommand } from '../lib/command.mjs';
import { lackOfPostgres, startPostgres } from '../lib/postgres.mjs';
import { generateCommand, nodeCommand, PEERS, writeFiles } from '../lib/spate.mjs';

export const limits =
  'The server, on the same two cores: it parses each row and writes it to log and table. The yardstick sends one prepared buffer in one transaction.';

export const disk_bytes = 2e9;
export const skip = lackOfPostgres;

const BLOCK_BYTES = 1 << 20;
const BLOCKS = 100;

const rowOf = (index) =>
  `${index % 86_400}\t/orders/${(index * 7_919) % 100_000}\t${index % 7 === 0 ? 404 : 200}\t${(index * 104_729) % 90_000}\n`;

/** Rows of about 1 MiB, how many there are, and the sum of their last column. */
const makeBlock = () => {
  let [text, rows, sum] = ['', 0, 0];
  for (let row = rowOf(0); text.length + row.length <= BLOCK_BYTES; row = rowOf(++rows)) {
    text += row;
    sum += Number(row.split('\t')[3]);
  }
  return { block: Buffer.from(text), rows, sum };
};

export const pairs = async ({ folder, scale }) => {
  const times = Math.max(1, Math.round(BLOCKS * scale));
  const { block, rows, sum } = makeBlock();
  const blockFile = join(folder, 'block.tsv');
  writeFileSync(blockFile, block);
  // The user of the server must reach its data.
  for (const above of [folder, dirname(folder)]) {
    if ((statSync(above).mode & 0o777) === 0o700) chmodSync(above, 0o711);
  }
  const server = await startPostgres(join(folder, 'server'));
  writeFiles(folder, {
    'generator.yml': `input: [static: {count: ${rows * times}}]
event: {replay: {path: block.tsv, repeat: true}}
output: [postgresql: {host: 127.0.0.1, port: ${server.port}, table: visits, copy_format: text}]
`,
  });
  const side = (command) => ({
    events: rows * times,
    run: async (env) => {
      await server.query('DROP TABLE IF EXISTS visits');
      await server.query('CREATE TABLE visits (at int, page text, status int, bytes bigint)');
      const measured = await runCommand(command, { env });
      const found = await server.query('SELECT count(*), sum(bytes) FROM visits');
      const expected = `${rows * times}|${sum * times}`;
      return {
        ...measured,
        problems: found === expected ? [] : [`rows and sum are ${found}, not ${expected}`],
      };
    },
  });
  return {
    folder,
    config: join(folder, 'generator.yml'),
    sides: {
      spate: side(generateCommand(join(folder, 'generator.yml'), '--batch.size', '50000')),
      'pg-copy-streams': side(
        nodeCommand(join(PEERS, 'postgresCopy.mjs'), [server.port, 'visits', blockFile, times]),
      ),
    },
    bars: { 'pg-copy-streams': 0.6 },
    close: () => server.kill(),
  };
};
