import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasPrograms, hasPython, needs, spawn } from '../programs.js';

/** Whether systemd-notify and python3 are installed. */
export const hasNotify = hasPrograms('systemd-notify') && hasPython('import socket');
export const NEEDS_NOTIFY = needs('systemd-notify', 'python3');

/** The receiver: prints one datagram per line as JSON, and closes received descriptors as systemd does. */
const PEER = `
import json, socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(sys.argv[1])
print('bound', flush=True)
while True:
    print(json.dumps(s.recv(65536).decode()), flush=True)
`;

/** Variables of one datagram, e.g. `{READY: '1', STATUS: '...'}`. */
export type Datagram = Readonly<Record<string, string>>;

const parse = (line: string): Datagram => {
  const rows = (JSON.parse(line) as string).split('\n').filter((row) => row !== '');
  return Object.fromEntries(
    rows.map((row) => [row.slice(0, row.indexOf('=')), row.slice(row.indexOf('=') + 1)]),
  );
};

export interface NotifySocket {
  readonly path: string;
  /** Received so far, without the barriers of systemd-notify. */
  readonly datagrams: () => readonly Datagram[];
  /** Resolves with the first matching datagram from a position on. */
  readonly saw: (passes: (datagram: Datagram) => boolean, from?: number) => Promise<Datagram>;
  readonly close: () => Promise<void>;
}

/** A Unix datagram socket with a receiver, instead of systemd. */
export const notifySocket = async (): Promise<NotifySocket> => {
  const folder = await mkdtemp(join(tmpdir(), 'spate-notify-'));
  const path = join(folder, 'notify');
  const peer = spawn('python3', ['-c', PEER, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  const got: Datagram[] = [];
  const watchers = new Set<() => void>();
  let buffered = '';
  let isBound = false;
  peer.stdout.on('data', (chunk: Buffer) => {
    buffered += chunk.toString();
    const lines = buffered.split('\n');
    buffered = lines.pop() ?? '';
    for (const line of lines) {
      if (line === 'bound') isBound = true;
      else if (!line.includes('BARRIER=1')) got.push(parse(line));
    }
    for (const look of watchers) look();
  });
  const until = <A>(find: () => A | null): Promise<A> =>
    new Promise((resolve) => {
      const look = (): void => {
        const found = find();
        if (found === null) return;
        watchers.delete(look);
        resolve(found);
      };
      watchers.add(look);
      look();
    });
  await until(() => (isBound ? true : null));
  return {
    path,
    datagrams: () => got,
    saw: (passes, from = 0) => until(() => got.slice(from).find(passes) ?? null),
    close: async () => {
      const gone = new Promise((resolve) => peer.once('close', resolve));
      peer.kill('SIGKILL');
      await gone;
      await rm(folder, { recursive: true, force: true });
    },
  };
};
