import type { StartDestination } from '../../../conformance/support.js';
import { startMosquitto } from '../../../support/servers/mosquittoServer.js';

/** A real broker, read by mosquitto_sub. */
export const destination: StartDestination = async () => {
  const server = await startMosquitto();
  server.subscribe('events');
  const login = { username: 'writer', password: 'right' };
  return {
    params: { url: `mqtt://127.0.0.1:${server.port}`, topic: 'events', ...login },
    arrived: async () => (await server.read()).map(({ text }) => `${text}\n`).join(''),
    takeAway: server.kill,
    end: server.remove,
  };
};
