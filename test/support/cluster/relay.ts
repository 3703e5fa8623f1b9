import * as net from 'node:net';

/** A TCP relay in front of a local port, whose path a test cuts, delays and heals. */
export interface Relay {
  readonly port: number;
  /**
   * `reset`: connections are reset and refused. `silent`: nothing moves in either direction, new connections hang, as
   * when a cable is cut.
   */
  readonly cut: (how: 'reset' | 'silent') => void;
  /** Delays every byte, in each direction. */
  readonly delay: (ms: number) => void;
  /** Ends a cut and a delay. Connections that a silent cut has held are reset: their bytes are lost. */
  readonly heal: () => void;
  readonly close: () => Promise<void>;
}

type State = 'open' | 'reset' | 'silent';

/** Starts a relay on a free port. */
export const startRelay = async (target: number): Promise<Relay> => {
  const sockets = new Set<net.Socket>();
  let state: State = 'open';
  let delay_ms = 0;

  const pipe = (from: net.Socket, to: net.Socket): void => {
    // Timers of the same length fire in order; a part waits for those before it.
    let before: Promise<void> = Promise.resolve();
    from.on('data', (part: Buffer) => {
      if (state !== 'open') return;
      if (delay_ms === 0) {
        void before.then(() => to.write(part));
        return;
      }
      const due = new Promise<void>((resolve) => setTimeout(resolve, delay_ms));
      before = before.then(() => due).then(() => void to.write(part));
    });
  };
  const resetAll = (): void => {
    for (const socket of [...sockets]) socket.destroy();
  };
  const server = net.createServer((client) => {
    if (state === 'reset') return void client.destroy();
    sockets.add(client);
    const upstream = state === 'silent' ? null : net.connect({ host: '127.0.0.1', port: target });
    const end = (): void => {
      for (const socket of [client, upstream]) {
        if (socket === null) continue;
        sockets.delete(socket);
        socket.destroy();
      }
    };
    client.on('error', end).on('close', end).setNoDelay(true);
    if (upstream === null) return;
    sockets.add(upstream);
    upstream.on('error', end).on('close', end).setNoDelay(true);
    pipe(client, upstream);
    pipe(upstream, client);
  });
  const port = await new Promise<number>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve((server.address() as net.AddressInfo).port));
  });
  return {
    port,
    cut: (how) => {
      state = how;
      if (how === 'reset') resetAll();
    },
    delay: (ms) => {
      delay_ms = ms;
    },
    heal: () => {
      if (state === 'silent') resetAll();
      state = 'open';
      delay_ms = 0;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        resetAll();
      }),
  };
};
