import * as net from 'node:net';
import { type ChildProcess, spawn } from '../programs.js';

/** A server that a test can kill, freeze and start again on the same port. */
export interface BrokerProcess {
  /** Resolves when it accepts connections. */
  readonly start: () => Promise<void>;
  /** SIGKILL; its files stay. */
  readonly kill: () => Promise<void>;
  /** SIGTERM, after which the server saves what it has in memory. */
  readonly stop: () => Promise<void>;
  /** SIGSTOP: connections are accepted, nothing is read. */
  readonly freeze: () => void;
  readonly thaw: () => void;
  /** SIGHUP: reads its config again. */
  readonly reload: () => void;
}

const POLL_MS = 10;
const START_LIMIT_MS = 20_000;

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = net.connect({ host: '127.0.0.1', port });
    const done = (is: boolean): void => {
      socket.destroy();
      resolve(is);
    };
    socket.once('connect', () => done(true)).once('error', () => done(false));
  });

export const brokerProcess = (program: string, args: readonly string[], port: number): BrokerProcess => {
  let child: ChildProcess | null = null;
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const running = child;
    child = null;
    if (running === null || running.exitCode !== null || running.signalCode !== null) return;
    const ended = new Promise((resolve) => running.once('exit', resolve));
    running.kill(signal);
    await ended;
  };
  return {
    start: async () => {
      const started = spawn(program, args, { stdio: 'ignore' });
      child = started;
      const until = Date.now() + START_LIMIT_MS;
      while (!(await accepts(port))) {
        if (started.exitCode !== null || Date.now() > until) throw new Error(`${program} did not start`);
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      }
    },
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
    reload: () => void child?.kill('SIGHUP'),
  };
};
