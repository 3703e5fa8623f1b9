import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { reasonOf } from '../../domain/errors.js';
import type { IsolatedEvents, IsolatedProcess, StartIsolated } from '../../ports/processes.js';
import { readFrames, writeFrame } from './frames.js';
import { environment, killWithGroup, watchGroup } from './programs.js';

/** File descriptor of the channel. */
export const CHANNEL = 3;

/** Time to read the rest of the channel after exit. */
const LAST_WORDS_MS = 1_000;

/**
 * Starts a program with a channel of frames: with the channel of `fork` the daemon would deserialize what a
 * script writes there. Inherits standard output and error, as outputs may write there.
 */
export const isolatedProcess =
  (file: URL): StartIsolated =>
  (events, { isExpendable } = { isExpendable: false }) => {
    const refused = (thrown: unknown): void => {
      events.onBroken(`it could not be started: ${reasonOf(thrown)}`);
      events.onExit({ code: null, signal: null });
    };
    try {
      const child = start(file);
      if (isExpendable) offer(child);
      return supervise(child, events, refused);
    } catch (thrown) {
      // Out of processes or memory. Asynchronous, as the caller still waits for the return value.
      queueMicrotask(() => refused(thrown));
      return { send: () => {}, kill: () => {} };
    }
  };

const start = (file: URL): ChildProcess =>
  spawn(process.execPath, [fileURLToPath(file)], {
    env: environment(),
    stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
    // It leads a process group, which holds the programs that its scripts start.
    detached: true,
  });

/** Makes a process the first that the kernel ends when memory runs out. A system without the file has other rules. */
const offer = ({ pid }: ChildProcess): void => {
  try {
    if (pid !== undefined) writeFileSync(`/proc/${pid}/oom_score_adj`, '1000');
  } catch {
    // The process may have ended.
  }
};

const supervise = (
  child: ChildProcess,
  events: IsolatedEvents,
  refused: (thrown: unknown) => void,
): IsolatedProcess => {
  // Missing if the start failed; `error` reports that.
  const channel = (child.stdio as readonly unknown[] | undefined)?.[CHANNEL] as Duplex | null | undefined;
  let isOver = false;
  let lastWords: NodeJS.Timeout | undefined;
  void watchGroup(child);
  const once = (tell: () => void): void => {
    if (isOver) return;
    isOver = true;
    clearTimeout(lastWords);
    channel?.destroy();
    tell();
  };
  child.once('error', (thrown) => once(() => refused(thrown)));
  child.once('exit', (code, signal) => {
    const give = (): void => once(() => events.onExit({ code, signal }));
    // What came while this thread was held up is read before an immediate, not before a timer.
    lastWords = setTimeout(() => setImmediate(give), LAST_WORDS_MS);
  });
  // `close` follows once the channel is read to its end.
  child.once('close', (code, signal) => once(() => events.onExit({ code, signal })));
  if (channel) readFrames(channel, events);
  // Writing to a process that just ended; `exit` reports that.
  channel?.on('error', () => {});
  return {
    send: (frame) => {
      if (channel && !channel.destroyed) writeFrame(channel, frame);
    },
    kill: () => killWithGroup(child),
  };
};
