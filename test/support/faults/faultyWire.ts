import * as net from 'node:net';

/** Fault of a connection. */
export type WireFault =
  | { readonly kind: 'none' }
  /** New connections are refused, open ones reset. */
  | { readonly kind: 'refused' }
  /** Connections are reset after this many bytes from the client. */
  | { readonly kind: 'reset'; readonly after_bytes: number }
  /** Connections are reset when the client sends this text; none of the part with it arrives. */
  | { readonly kind: 'poison'; readonly text: string }
  /** Bytes from the client are throttled. */
  | { readonly kind: 'slow'; readonly bytes_per_second: number }
  /** Connections are accepted, then nothing moves in either direction. */
  | { readonly kind: 'hung' }
  /** Responses are lost. */
  | { readonly kind: 'mute' }
  /** Each HTTP request gets this response and does not reach the server. */
  | { readonly kind: 'answer'; readonly status: number; readonly body: string };

/** A TCP relay in front of a server, with a fault that can change while it runs. */
export interface FaultyWire {
  readonly port: number;
  /** Resolves when the fault applies to open and new connections. */
  readonly set: (fault: WireFault) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Interval of a slow wire. */
const TICK_MS = 10;

/** `resetAndDestroy` of Node waits for pending writes. */
const reset = (socket: net.Socket & { resetAndClosing?: boolean }): void => {
  if (!socket.connecting) socket.resetAndClosing = true;
  socket.destroy();
};

interface Pair {
  readonly client: net.Socket;
  readonly upstream: net.Socket;
  /** Bytes from the client since the fault was set. */
  bytes: number;
  /** Bytes that wait on a slow wire. */
  held: Buffer[];
}

const handOver = (pair: Pair, bytes: number): void => {
  const whole = Buffer.concat(pair.held);
  pair.held = whole.length > bytes ? [whole.subarray(bytes)] : [];
  if (whole.length > 0) pair.upstream.write(whole.subarray(0, bytes));
  if (pair.held.length === 0) pair.client.resume();
};

/** Length of the first request in `bytes`; `null`: incomplete. */
const requestLength = (bytes: Buffer): number | null => {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const announced = /\r\ncontent-length: *(\d+)/i.exec(bytes.toString('latin1', 0, end));
  const length = end + 4 + Number(announced?.[1] ?? 0);
  return bytes.length < length ? null : length;
};

/** Answers each complete request. */
const answerAll = (pair: Pair, status: number, body: string): void => {
  let bytes = Buffer.concat(pair.held);
  for (let length = requestLength(bytes); length !== null; length = requestLength(bytes)) {
    bytes = bytes.subarray(length);
    pair.client.write(
      `HTTP/1.1 ${status} Fault\r\nContent-Type: text/plain\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
  }
  pair.held = [bytes];
};

/** Starts a relay on a free port in front of the local port `target`. */
export const faultyWire = async (target: number): Promise<FaultyWire> => {
  const pairs = new Set<Pair>();
  let fault: WireFault = { kind: 'none' };

  const onClient = (pair: Pair, part: Buffer): void => {
    const before = pair.bytes;
    pair.bytes += part.length;
    switch (fault.kind) {
      case 'none':
      case 'mute':
        return void pair.upstream.write(part);
      case 'reset':
        pair.upstream.write(part.subarray(0, Math.max(0, fault.after_bytes - before)));
        if (pair.bytes >= fault.after_bytes) resetPair(pair);
        return;
      case 'poison':
        if (part.includes(fault.text)) resetPair(pair);
        else pair.upstream.write(part);
        return;
      case 'slow':
      case 'hung':
        pair.held.push(part);
        // Unread bytes stay in the system's buffers, as with a server that does not read.
        pair.client.pause();
        return;
      case 'answer':
        pair.held.push(part);
        return answerAll(pair, fault.status, fault.body);
      case 'refused':
        return;
    }
  };
  const onUpstream = (pair: Pair, part: Buffer): void => {
    if (fault.kind !== 'hung' && fault.kind !== 'mute') pair.client.write(part);
  };
  const resetPair = (pair: Pair): void => {
    reset(pair.client);
    reset(pair.upstream);
  };

  const server = net.createServer((client) => {
    const pair: Pair = {
      client,
      upstream: net.connect({ host: '127.0.0.1', port: target }),
      bytes: 0,
      held: [],
    };
    pairs.add(pair);
    const end = (): void => {
      pairs.delete(pair);
      resetPair(pair);
    };
    for (const socket of [client, pair.upstream]) socket.on('error', end).on('close', end);
    client.on('data', (part: Buffer) => onClient(pair, part));
    pair.upstream.on('data', (part: Buffer) => onUpstream(pair, part));
  });
  const listen = (port: number): Promise<number> =>
    new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', () => resolve((server.address() as net.AddressInfo).port));
    });
  const unlisten = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      for (const pair of pairs) resetPair(pair);
    });

  const port = await listen(0);
  const ticking = setInterval(() => {
    if (fault.kind !== 'slow') return;
    for (const pair of pairs) handOver(pair, Math.ceil((fault.bytes_per_second * TICK_MS) / 1_000));
  }, TICK_MS);

  return {
    port,
    set: async (next) => {
      const former = fault;
      fault = next;
      for (const pair of pairs) {
        pair.bytes = 0;
        if (next.kind === 'none') handOver(pair, Number.POSITIVE_INFINITY);
      }
      if (next.kind === 'refused' && former.kind !== 'refused') await unlisten();
      if (next.kind !== 'refused' && former.kind === 'refused') await listen(port);
    },
    close: async () => {
      clearInterval(ticking);
      if (fault.kind !== 'refused') await unlisten();
    },
  };
};
