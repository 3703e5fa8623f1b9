import * as E from 'fp-ts/lib/Either.js';
import type { Output } from '../../../../src/plugins/kit.js';
import { kafkaPlugin } from '../../../../src/plugins/outputs/kafka/plugin.js';
import type { StartDestination } from '../../../conformance/support.js';
import { fakeKafka } from '../../../support/servers/kafka/fakeKafka.js';

export const destination: StartDestination = async () => {
  const kafka = await fakeKafka();
  let isDown = false;
  const takeAway = async (): Promise<void> => {
    if (!isDown) await kafka.kill();
    isDown = true;
  };
  return {
    params: { bootstrap_servers: kafka.servers, topic: 'events', acks: -1, enable_idempotence: true },
    open: async (params, context) =>
      E.map((output: Output) => ({
        ...output,
        // The broker is in this process: its side of the connections closes too.
        close: async () => {
          const closed = await output.close();
          await kafka.isQuiet();
          return closed;
        },
      }))(await kafkaPlugin.open(params, context)),
    arrived: () => kafka.messages.map(({ value }) => `${value}\n`).join(''),
    takeAway,
    end: takeAway,
  };
};
