import type { Agent, ClientRequestArgs } from 'node:http';
import type { Socket } from 'node:net';
import * as E from 'fp-ts/lib/Either.js';
import type { OutputPlugin } from '../../kit.js';
import { generatorName } from '../../shared/text/routing.js';
import { addressIn, networkError, type RequestError } from '../shared/errors.js';
import { openHttp, secretsIn } from '../shared/http/open.js';
import { httpOutput, urlMaker } from './output.js';
import { httpSpec, type outputHttpFields } from './spec.js';

export const httpOutputPlugin: OutputPlugin<typeof outputHttpFields> = {
  spec: httpSpec,
  open: async (params, context) => {
    const generator = generatorName(context);
    const url = urlMaker(params.url, { generator, zone: context.zone })(context.clock.now());
    // A query may hold a key.
    const name = params.url.replace(/[?#].*/s, '');
    const connection = await openHttp(
      'http',
      params,
      {
        url,
        name,
        field: 'url',
        max_connections: params.concurrency,
        secrets: secretsIn(url),
      },
      context,
    );
    if (E.isLeft(connection)) return connection;
    const { client, agent, report } = connection.right;
    const reached = await probe(agent, url, context.signal);
    if (E.isRight(reached)) return E.right(httpOutput({ client, params, report, name, generator, context }));
    client.close();
    return E.left(report('cannot open', reached.left));
  },
};

type Connect = (
  options: ClientRequestArgs,
  done: (error?: Error | null, socket?: Socket) => void,
) => Socket | undefined;

/**
 * Opens one connection as requests do, TLS included, and closes it: for servers without a harmless request.
 * The agent bounds the time.
 */
const probe = async (agent: Agent, url: URL, signal: AbortSignal): Promise<E.Either<RequestError, void>> => {
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
    return E.left(networkError(thrown, addressIn('url')));
  }
};
