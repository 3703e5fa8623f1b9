import { type ChildProcess, spawn } from 'node:child_process';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { reasonOf } from '../../domain/errors.js';
import type { IsolatedEvents, IsolatedProcess, StartIsolated } from '../../ports/isolated.js';
import { NEW_PASSWORD_VARIABLE, PASSWORD_VARIABLE } from '../keyring/password.js';
import { readFrames, writeFrame } from './frames.js';

/** File descriptor of the channel in the child. */
export const CHANNEL = 3;

/** How long the last words of a process that has ended may take. */
const LAST_WORDS_MS = 1_000;

/** Variables that are meant for this process only: passwords, and the ways to speak to systemd in its name. */
const OWN_VARIABLES = [
  PASSWORD_VARIABLE,
  NEW_PASSWORD_VARIABLE,
  'NOTIFY_SOCKET',
  'WATCHDOG_PID',
  'WATCHDOG_USEC',
  'LISTEN_FDS',
  'LISTEN_PID',
];

const environment = (): NodeJS.ProcessEnv => {
  const env = { ...process.env };
  for (const name of OWN_VARIABLES) delete env[name];
  return env;
};

/**
 * Starts a program of ours as a process with a channel of frames. Not the channel of `fork`: what a script writes to
 * that one is parsed in the daemon without protection. Standard output and error are those of the daemon, as events of
 * an output may go there.
 */
export const isolatedProcess =
  (file: URL): StartIsolated =>
  (events) => {
    const refused = (thrown: unknown): void => {
      events.onBroken(`it could not be started: ${reasonOf(thrown)}`);
      events.onExit({ code: null, signal: null });
    };
    try {
      return supervise(start(file), events, refused);
    } catch (thrown) {
      // Where the machine has no more processes or memory. The caller has not got what it waits for yet.
      queueMicrotask(() => refused(thrown));
      return { send: () => {}, kill: () => {} };
    }
  };

const start = (file: URL): ChildProcess =>
  spawn(process.execPath, [fileURLToPath(file)], {
    env: environment(),
    stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
  });

const supervise = (
  child: ChildProcess,
  events: IsolatedEvents,
  refused: (thrown: unknown) => void,
): IsolatedProcess => {
  // None where it could not be started, which `error` tells.
  const channel = (child.stdio as readonly unknown[] | undefined)?.[CHANNEL] as Duplex | null | undefined;
  let isOver = false;
  let lastWords: NodeJS.Timeout | undefined;
  const once = (tell: () => void): void => {
    if (isOver) return;
    isOver = true;
    clearTimeout(lastWords);
    channel?.destroy();
    tell();
  };
  child.once('error', (thrown) => once(() => refused(thrown)));
  child.once('exit', (code, signal) => {
    lastWords = setTimeout(() => once(() => events.onExit({ code, signal })), LAST_WORDS_MS);
  });
  // All that it wrote has been read.
  child.once('close', (code, signal) => once(() => events.onExit({ code, signal })));
  if (channel) readFrames(channel, events);
  // A write to a process that has just ended: its end is told anyway.
  channel?.on('error', () => {});
  return {
    send: (frame) => {
      if (channel && !channel.destroyed) writeFrame(channel, frame);
    },
    kill: () => void child.kill('SIGKILL'),
  };
};
