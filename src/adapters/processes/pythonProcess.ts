import { type ChildProcess, spawn } from 'node:child_process';
import type { Duplex, Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { reasonOf } from '../../domain/errors.js';
import type { Python, PythonEnd, PythonEvents, PythonOptions, PythonProcess } from '../../ports/processes.js';
import { errnoOf } from '../files/ioError.js';
import { readFrames, readLines, writeFrame } from './frames.js';
import { environment, killWithGroup, watchGroup } from './programs.js';

/** File descriptor of the channel. */
const CHANNEL = 3;

/** Time to end after the channel has closed, and to read the rest of the output after the end. */
const GRACE_MS = 1_000;

/** Python processes that run the program `file`. */
export const pythonProcesses = (file: URL, memory_mb: number): Python => ({
  memory_mb,
  pid: process.pid,
  start: (options, events) => {
    try {
      return supervise(start(file, options), events);
    } catch (thrown) {
      // Out of processes or memory. Asynchronous, as the caller still waits for the return value.
      queueMicrotask(() => events.onEnd(refused(thrown)));
      return { send: () => {}, end: () => {}, kill: () => {} };
    }
  },
});

const refused = (thrown: unknown): PythonEnd => ({
  code: null,
  signal: null,
  problem: { isMissing: errnoOf(thrown) === 'ENOENT', reason: reasonOf(thrown) },
});

const start = (file: URL, { interpreter, directory, env }: PythonOptions): ChildProcess =>
  spawn(interpreter, [fileURLToPath(file)], {
    cwd: directory,
    env: { ...environment(), ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    // A session of its own: Ctrl-C reaches the daemon only, which drains first.
    detached: true,
  });

const supervise = (child: ChildProcess, events: PythonEvents): PythonProcess => {
  // Missing if the start failed; `error` reports that.
  const channel = child.stdio[CHANNEL] as Duplex | null | undefined;
  const printed = [child.stdout, child.stderr];
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  const watched = watchGroup(child);
  const once = (end: PythonEnd): void => {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    for (const stream of [channel, ...printed]) stream?.destroy();
    // The thread may end right after, and then nothing would collect the watcher.
    void watched.then(() => events.onEnd(end));
  };
  child.once('error', (thrown) => once(refused(thrown)));
  child.once('exit', (code, signal) => {
    clearTimeout(timer);
    // A program that left its process group may hold its output open.
    timer = setTimeout(() => once({ code, signal, problem: null }), GRACE_MS);
  });
  // `close` follows once all output is read.
  child.once('close', (code, signal) => once({ code, signal, problem: null }));
  const read = (stream: Readable | null, name: 'stdout' | 'stderr'): void => {
    if (stream) readLines(stream, (line) => events.onLine(name, line));
  };
  read(child.stdout, 'stdout');
  read(child.stderr, 'stderr');
  if (channel) readFrames(channel, events);
  // Writing to a process that just ended; `exit` reports that.
  channel?.on('error', () => {});
  return {
    send: (frame) => {
      if (channel && !channel.destroyed && !channel.writableEnded) writeFrame(channel, frame);
    },
    end: () => {
      channel?.end();
      timer ??= setTimeout(() => killWithGroup(child), GRACE_MS);
    },
    kill: () => killWithGroup(child),
  };
};
