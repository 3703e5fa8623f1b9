import type { Agent, ClientRequestArgs } from 'node:http';
import type { Socket } from 'node:net';
import * as E from 'fp-ts/lib/Either.js';
import { networkError, type RequestError } from '../requestErrors.js';

type Connect = (
  options: ClientRequestArgs,
  done: (error?: Error | null, socket?: Socket) => void,
) => Socket | undefined;

/**
 * Opens one connection as requests do, TLS included, and closes it: for servers without a harmless request.
 * The agent bounds the time.
 */
export const probe = async (
  agent: Agent,
  url: URL,
  signal: AbortSignal,
): Promise<E.Either<RequestError, void>> => {
  const connect = agent.createConnection.bind(agent) as Connect;
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const isTls = url.protocol === 'https:';
  const port = url.port === '' ? (isTls ? 443 : 80) : Number(url.port);
  // The server name of the agent's options wins over this one.
  const names = /^[\d.]+$|:/.test(host) ? {} : { servername: host };
  try {
    await new Promise<void>((resolve, reject) => {
      const onSocket = (socket: Socket): void => {
        const cut = (): void => void socket.destroy(new Error('the generator is stopping'));
        signal.addEventListener('abort', cut, { once: true });
        socket.on('error', reject);
        socket.once('close', () => signal.removeEventListener('abort', cut));
        socket.once('encrypted' in socket ? 'secureConnect' : 'connect', () => {
          socket.destroy();
          resolve();
        });
        if (signal.aborted) cut();
      };
      const own = Reflect.get(agent, 'options') as object;
      const socket = connect({ ...names, ...own, host, port }, (error, ready) => {
        // Without a proxy, Node calls this as a listener, without arguments.
        if (error instanceof Error) reject(error);
        else if (ready !== undefined) onSocket(ready);
      });
      if (socket !== undefined) onSocket(socket);
    });
    return E.right(undefined);
  } catch (thrown) {
    return E.left(networkError(thrown));
  }
};
