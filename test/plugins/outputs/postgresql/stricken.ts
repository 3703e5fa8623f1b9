import * as net from 'node:net';
import { postgresqlPlugin } from '../../../../src/plugins/outputs/postgresql/plugin.js';
import type { PeerFault } from '../../../faults/table.js';
import type { RigOptions } from '../../../support/faults/faultRig.js';
import { paramsOf } from './support.js';

/** What the server does with a COPY: commit it, report a SQLSTATE, close the connection, or nothing at all. */
type Behavior = 'commit' | 'reset' | 'hang' | { readonly code: string };

const message = (type: string, body: Buffer): Buffer => {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeUInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
};
const READY = message('Z', Buffer.from('I'));
const errorOf = (code: string): Buffer =>
  message('E', Buffer.from(`SERROR\0VERROR\0C${code}\0Mas the test wants it\0\0`));

/** Speaks as much of the protocol as a COPY needs. */
const serve = (socket: net.Socket, behavior: () => Behavior): void => {
  let bytes = Buffer.alloc(0);
  let isGreeted = false;
  let rows = 0;
  const onMessage = (type: string, body: Buffer): void => {
    const now = behavior();
    if (now === 'hang') return;
    if (now === 'reset') return void socket.destroy();
    if (type === 'startup') {
      isGreeted = true;
      socket.write(Buffer.concat([message('R', Buffer.alloc(4)), READY]));
    } else if (type === 'Q') {
      rows = 0;
      const isRefused = typeof now === 'object';
      socket.write(
        isRefused ? Buffer.concat([errorOf(now.code), READY]) : message('G', Buffer.from([0, 0, 1, 0, 0])),
      );
    } else if (type === 'd') rows += body.toString('latin1').split('\n').length - 1;
    else if (type === 'c') socket.write(Buffer.concat([message('C', Buffer.from(`COPY ${rows}\0`)), READY]));
  };
  socket.on('error', () => {});
  socket.on('data', (part) => {
    bytes = Buffer.concat([bytes, part]);
    for (;;) {
      const head = isGreeted ? 1 : 0;
      if (bytes.length < head + 4) return;
      const length = head + bytes.readUInt32BE(head);
      if (bytes.length < length) return;
      const type = isGreeted ? String.fromCharCode(bytes[0] as number) : 'startup';
      const body = bytes.subarray(head + 4, length);
      bytes = bytes.subarray(length);
      onMessage(type, body);
    }
  });
};

interface Stricken {
  readonly open: RigOptions['outputs'][number];
  readonly strike: () => void;
}

/** Each fault of the table in its simplest form, by a server of its own. `onEnd` closes it. */
export const strickenPostgres = (
  onEnd: (close: () => void) => void,
): Readonly<Partial<Record<PeerFault, () => Stricken>>> => {
  const that = (struck: Behavior) => (): Stricken => {
    let behavior: Behavior = 'commit';
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
        const params = paramsOf({ host: '127.0.0.1', port, table: 'events' });
        return postgresqlPlugin.open(params, { ...context } as never);
      },
      strike: () => {
        behavior = struck;
      },
    };
  };
  return {
    refused: that({ code: '57P03' }),
    'reset mid-batch': that('reset'),
    slow: that('hang'),
    hung: that('hang'),
    'server error': that({ code: '53300' }),
    'auth error': that({ code: '28P01' }),
    'disk full': that({ code: '53100' }),
    permission: that({ code: '42501' }),
  };
};
