/**
 * Lines of 200 bytes to librdkafka's mock brokers (`acks: -1`), replayed from a file in record batches of up to 1 MiB, against
 * sockets that frame one prepared value again and again.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../lib/command.mjs';
import { lackOfKafka, startKafka } from '../lib/kafka.mjs';
import { generateCommand, nodeCommand, PEERS, writeFiles } from '../lib/spate.mjs';

const EVENTS = 6_000_000;
const VALUE_BYTES = 200;
const BATCH_EVENTS = 5_000;
const LINES = 50_000;

export const limits =
  'The brokers, on the same two cores: they store what they get. The yardstick reads no file and finds no line ends.';

export const skip = lackOfKafka;

export const pairs = async ({ folder, scale }) => {
  const events = Math.max(LINES, Math.round((EVENTS * scale) / LINES) * LINES);
  const config = join(folder, 'generator.yml');
  writeFileSync(join(folder, 'lines.txt'), `${'x'.repeat(VALUE_BYTES)}\n`.repeat(LINES));
  const writeConfig = (servers) =>
    writeFiles(folder, {
      'generator.yml': `input: [static: {count: ${events}}]
event: {replay: {path: lines.txt, repeat: true}}
output:
  - kafka:
      bootstrap_servers: ['${servers.replaceAll(',', "', '")}']
      topic: visits
      acks: -1
      max_batch_size: 1048000
      formatter: {format: plain}
`,
    });
  writeConfig('127.0.0.1:9092');
  const side = (command) => ({
    events,
    run: async (env) => {
      const kafka = await startKafka();
      try {
        writeConfig(kafka.servers);
        const measured = await runCommand(command(kafka.servers), { env });
        const found = kafka.count('visits');
        return { ...measured, problems: found === events ? [] : [`${found} messages, not ${events}`] };
      } finally {
        await kafka.kill();
      }
    },
  });
  return {
    folder,
    config,
    sides: {
      spate: side(() => generateCommand(config)),
      'a socket': side((servers) =>
        nodeCommand(join(PEERS, 'kafkaSocket.mjs'), [servers, 'visits', events, VALUE_BYTES, BATCH_EVENTS]),
      ),
    },
    bars: { 'a socket': 0.6 },
  };
};
