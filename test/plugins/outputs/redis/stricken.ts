import * as net from 'node:net';
import { redisPlugin } from '../../../../src/plugins/outputs/redis/plugin.js';
import type { PeerFault } from '../../../faults/table.js';
import type { RigOptions } from '../../../support/faults/faultRig.js';
import { paramsOf } from './support.js';

/** What the server does with a command: accept it, reply with an error, close the connection, or nothing at all. */
type Behavior = 'accept' | 'reset' | 'hang' | { readonly error: string };

/** Counts the whole commands of RESP in `text`; returns them and the rest. */
const commandsIn = (text: string): { readonly names: readonly string[]; readonly rest: string } => {
  const names: string[] = [];
  let rest = text;
  for (;;) {
    const head = /^\*(\d+)\r\n/.exec(rest);
    if (head === null) return { names, rest };
    let at = head[0].length;
    let name = '';
    for (let i = 0; i < Number(head[1]); i++) {
      const length = /^\$(\d+)\r\n/.exec(rest.slice(at, at + 20));
      if (length === null) return { names, rest };
      const start = at + length[0].length;
      at = start + Number(length[1]) + 2;
      if (rest.length < at) return { names, rest };
      if (i === 0) name = rest.slice(start, at - 2);
    }
    names.push(name);
    rest = rest.slice(at);
  }
};

const serve = (socket: net.Socket, behavior: () => Behavior): void => {
  let text = '';
  socket.on('error', () => {});
  socket.on('data', (part) => {
    const now = behavior();
    if (now === 'hang') return;
    if (now === 'reset') return void socket.destroy();
    const { names, rest } = commandsIn(text + part.toString('latin1'));
    text = rest;
    const reply = typeof now === 'object' ? `-${now.error}\r\n` : '+OK\r\n';
    socket.write(names.map((name) => (name === 'TYPE' ? '+none\r\n' : reply)).join(''));
  });
};

interface Stricken {
  readonly open: RigOptions['outputs'][number];
  readonly strike: () => void;
}

/** Each fault of the table in its simplest form, by a server of its own. `onEnd` closes it. */
export const strickenRedis = (
  onEnd: (close: () => void) => void,
): Readonly<Partial<Record<PeerFault, () => Stricken>>> => {
  const that = (struck: Behavior) => (): Stricken => {
    let behavior: Behavior = 'accept';
    return {
      open: async (context) => {
        const sockets = new Set<net.Socket>();
        const server = net.createServer((socket) => {
          sockets.add(socket);
          serve(socket, () => behavior);
        });
        const port = await new Promise<number>((resolve) => {
          server.listen(0, '127.0.0.1', () => resolve((server.address() as net.AddressInfo).port));
        });
        onEnd(() => {
          server.close();
          for (const socket of sockets) socket.destroy();
        });
        const params = paramsOf({ host: '127.0.0.1', port, key: 'events' });
        return redisPlugin.open(params, { ...context } as never);
      },
      strike: () => {
        behavior = struck;
      },
    };
  };
  return {
    refused: that({ error: 'LOADING as the test wants it' }),
    'reset mid-batch': that('reset'),
    slow: that('hang'),
    hung: that('hang'),
    'server error': that({ error: 'OOM as the test wants it' }),
    'auth error': that({ error: 'NOAUTH as the test wants it' }),
    'disk full': that({ error: 'MISCONF as the test wants it' }),
    permission: that({ error: 'NOPERM as the test wants it' }),
  };
};
