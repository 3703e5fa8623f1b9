import { type AddressInfo, createServer, type Server } from 'node:net';
import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result, reasonOf, type SpateError } from '../../domain/errors.js';

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** Texts for system errors. */
const ADVICE: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program uses the port. Stop it or change server.port',
  EADDRNOTAVAIL: 'this machine does not have this address. Change server.host',
  ENOTFOUND: 'the name does not resolve. Change server.host',
  EACCES: 'the service is not allowed to use this port. Set server.port above 1023, or grant the right',
};

const cannotListen = ({ host, port }: ListenAddress, thrown: NodeJS.ErrnoException): SpateError => {
  const advice = ADVICE[thrown.code ?? ''];
  const reason = advice === undefined ? reasonOf(thrown) : `${advice} (${thrown.code})`;
  return failure('unavailable', `Cannot listen on ${host}:${port}: ${reason}.`);
};

/** Makes a server listen; `reserved` holds the address and releases it. After an error the caller may try again. */
export const listen = (
  server: Server,
  address: ListenAddress,
  reserved?: Server,
): Promise<Result<AddressInfo>> =>
  new Promise((resolve) => {
    const onError = (thrown: Error): void => {
      server.off('listening', onListening);
      resolve(E.left(cannotListen(address, thrown)));
    };
    const onListening = (): void => {
      server.off('error', onError);
      resolve(E.right(server.address() as AddressInfo));
    };
    server.once('error', onError).once('listening', onListening);
    if (reserved === undefined) server.listen(address.port, address.host);
    else server.listen(reserved);
  });

/** Holds an address for a later server; rejects connections until then. */
export const reserve = async (address: ListenAddress): Promise<Result<Server>> => {
  const holder = createServer((socket) => socket.destroy());
  return E.map(() => holder)(await listen(holder, address));
};
