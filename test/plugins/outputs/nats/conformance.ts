import type { StartDestination } from '../../../conformance/support.js';
import { startNats } from '../../../support/servers/natsServer.js';

/** A stream of a real server. */
export const destination: StartDestination = async () => {
  const server = await startNats();
  await server.addStream('EVENTS', { subjects: ['events'] });
  return {
    params: { servers: [`127.0.0.1:${server.port}`], subject: 'events', jetstream: true },
    arrived: async () => (await server.messagesOf('EVENTS')).map(({ text }) => `${text}\n`).join(''),
    takeAway: server.kill,
    end: server.remove,
  };
};
