import * as net from 'node:net';
import { natsPlugin } from '../../../../src/plugins/outputs/nats/plugin.js';
import type { PeerFault } from '../../../faults/table.js';
import type { RigOptions } from '../../../support/faults/faultRig.js';
import { paramsOf } from './support.js';

/** What the scripted server does with a message; a text is the acknowledgement. */
type Answer = { readonly reply: string } | { readonly error: string } | 'nothing' | 'reset' | 'away' | 'auth';

interface Stricken {
  readonly open: RigOptions['outputs'][number];
  readonly strike: () => void;
}

const STORED: Answer = { reply: '{"stream":"S","seq":1}' };
const refusal = (code: number, err_code: number): Answer => ({
  reply: JSON.stringify({
    error: { code, err_code, description: 'as the test wants it' },
    stream: 'S',
    seq: 0,
  }),
});

const HEAD = /^(H?)PUB (\S+) (\S+) (?:\d+ )?(\d+)$/;

/** A server that speaks enough of the NATS client protocol for JetStream publishes. */
const serve = (socket: net.Socket, answer: () => Answer): void => {
  let rest = Buffer.alloc(0);
  let sid = '1';
  socket.on('error', () => {});
  socket.write('INFO {"server_id":"S","version":"2.9.0","proto":1,"headers":true,"max_payload":1048576}\r\n');
  const onCommand = (line: string): void => {
    const published = HEAD.exec(line);
    if (published === null) {
      if (line.startsWith('SUB ')) sid = line.split(' ').at(-1) ?? sid;
      if (line === 'PING' && answer() === 'auth') socket.end("-ERR 'Authorization Violation'\r\n");
      else if (line === 'PING') socket.write('PONG\r\n');
      return;
    }
    const now = answer();
    if (now === 'reset') socket.destroy();
    else if (typeof now === 'object' && 'error' in now) socket.write(`-ERR '${now.error}'\r\n`);
    else if (typeof now === 'object') {
      socket.write(`MSG ${published[3]} ${sid} ${now.reply.length}\r\n${now.reply}\r\n`);
    }
  };
  socket.on('data', (part: Buffer) => {
    rest = Buffer.concat([rest, part]);
    let at = 0;
    for (let end = rest.indexOf('\r\n'); end >= 0; end = rest.indexOf('\r\n', at)) {
      const line = rest.toString('latin1', at, end);
      const length = Number(HEAD.exec(line)?.[4] ?? -2) + 2;
      if (rest.length < end + 2 + length) break;
      onCommand(line);
      at = end + 2 + length;
    }
    rest = rest.subarray(at);
  });
};

const FAULT: Readonly<Record<PeerFault, Answer>> = {
  refused: 'away',
  'reset mid-batch': 'reset',
  slow: 'nothing',
  hung: 'nothing',
  'server error': refusal(503, 10_008),
  'auth error': 'auth',
  'disk full': refusal(500, 10_047),
  permission: { error: 'Permissions Violation for Publish to "events"' },
};

/** The simplest form of each fault, by a server in this process. */
export const strickenNats = (
  onClose: (close: () => void) => void,
): Readonly<Record<PeerFault, () => Stricken>> => {
  const make = (fault: PeerFault) => (): Stricken => {
    let answer: Answer = STORED;
    const sockets = new Set<net.Socket>();
    const server = net.createServer((socket) => {
      sockets.add(socket);
      serve(socket, () => answer);
    });
    const end = (): void => {
      server.close();
      for (const socket of sockets) socket.destroy();
    };
    onClose(end);
    return {
      open: async (context) => {
        await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
        const { port } = server.address() as net.AddressInfo;
        const params = { servers: [`127.0.0.1:${port}`], subject: 'events', jetstream: true };
        return natsPlugin.open(paramsOf(params), { ...context } as never);
      },
      strike: () => {
        answer = FAULT[fault];
        if (answer === 'away') end();
        if (answer === 'auth') for (const socket of sockets) socket.destroy();
      },
    };
  };
  return Object.fromEntries(Object.keys(FAULT).map((fault) => [fault, make(fault as PeerFault)])) as Readonly<
    Record<PeerFault, () => Stricken>
  >;
};
