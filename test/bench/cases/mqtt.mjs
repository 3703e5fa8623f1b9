/**
 * Lines of 120 bytes with QoS 1 to a local Mosquitto over MQTT 3.1.1, against the same client by hand, as many in
 * flight. Each side ends with 0 only when all its messages are acknowledged.
 */
import { join } from 'node:path';
import { lackOf, startMosquitto, writeLines } from '../lib/brokers.mjs';
import { generateCommand, nodeCommand, PEERS, writeFiles } from '../lib/spate.mjs';

const EVENTS = 300_000;
const LINES = 10_000;

export const limits =
  'The client: it allocates and parses a packet for each message and each acknowledgement. Start-up is a tenth of the time.';

export const skip = () => lackOf('mosquitto', 'mosquitto');

export const pairs = async ({ folder, scale }) => {
  const events = Math.ceil(EVENTS * scale);
  const input = join(folder, 'input.log');
  const config = join(folder, 'generator.yml');
  const server = await startMosquitto(join(folder, 'server'));
  writeLines(input, LINES);
  writeFiles(folder, {
    'generator.yml': `input: [static: {count: ${events}}]
event: {replay: {path: input.log, repeat: true}}
output: [mqtt: {url: "mqtt://127.0.0.1:${server.port}", topic: events, protocol_version: 3.1.1}]
`,
  });
  return {
    folder,
    config,
    sides: {
      spate: { command: () => generateCommand(config), events },
      client: {
        command: () => nodeCommand(join(PEERS, 'mqttPublish.mjs'), [server.port, 'events', input, events]),
        events,
      },
    },
    bars: { client: 0.6 },
    close: () => server.kill(),
  };
};
