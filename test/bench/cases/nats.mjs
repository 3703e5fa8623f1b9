/**
 * Lines of 120 bytes into a JetStream stream of a local nats-server, with an id each, against the same client by
 * hand: its publish with a reply subject of its own, as many in flight.
 */
import { join } from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { lackOf, startNats, writeLines } from '../lib/brokers.mjs';
import { runCommand } from '../lib/command.mjs';
import { generateCommand, nodeCommand, PEERS, writeFiles } from '../lib/spate.mjs';

const EVENTS = 1_000_000;
const LINES = 10_000;

export const limits =
  'The server, on the same two cores: it stores and acknowledges each message. Start-up is a fifth of the time.';

export const skip = () => lackOf('nats-server', 'nats-server');

export const pairs = async ({ folder, scale }) => {
  const events = Math.ceil(EVENTS * scale);
  const input = join(folder, 'input.log');
  const config = join(folder, 'generator.yml');
  const server = await startNats(join(folder, 'server'));
  writeLines(input, LINES);
  writeFiles(folder, {
    'generator.yml': `input: [static: {count: ${events}}]
event: {replay: {path: input.log, repeat: true}}
output: [nats: {servers: ["127.0.0.1:${server.port}"], subject: events, jetstream: true}]
`,
  });
  const withStreams = async (work) => {
    const client = await connect({ servers: `127.0.0.1:${server.port}` });
    try {
      const { streams } = await jetstreamManager(client);
      return await work(streams);
    } finally {
      await client.close();
    }
  };
  const side = (command) => ({
    events,
    run: async (env) => {
      await withStreams(async (streams) => {
        await streams.delete('EVENTS').catch(() => {});
        await streams.add({ name: 'EVENTS', subjects: ['events'] });
      });
      const measured = await runCommand(command, { env });
      const { state } = await withStreams((streams) => streams.info('EVENTS'));
      const problems =
        state.messages === events ? [] : [`${state.messages} messages in the stream, not ${events}`];
      return { ...measured, problems };
    },
  });
  return {
    folder,
    config,
    sides: {
      spate: side(generateCommand(config)),
      client: side(nodeCommand(join(PEERS, 'natsPublish.mjs'), [server.port, 'events', input, events])),
    },
    bars: { client: 0.6 },
    close: () => server.kill(),
  };
};
