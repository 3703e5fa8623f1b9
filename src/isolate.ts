/**
 * Composition root of an isolated process: starts one pipeline thread and relays between it and the daemon. This main
 * thread runs no user code, so it reports even while a script keeps the pipeline thread busy.
 */

import { Socket } from 'node:net';
import { readFrames, writeFrame } from './adapters/processes/frames.js';
import { CHANNEL } from './adapters/processes/isolatedProcess.js';
import { residentBytes } from './adapters/threadMemory.js';
import {
  type ChildOptions,
  type CountersMark,
  type CountersOwner,
  decodeToChild,
  encodeFromChild,
  type FromChild,
  isOver,
  type MarkedMessage,
  packMessage,
} from './host/childMessages.js';
import type { ToWorker } from './host/protocol.js';
import { type StartedWorker, startWorker } from './host/startWorker.js';
import { workerErrorReason } from './host/workerPort.js';

/** Interval at which beats, memory and counters are sent. */
const PULSE_EVERY_MS = 100;

const WORKER_FILE = new URL('./worker.js', import.meta.url);

/** The daemon decides when this process ends: signals of Ctrl-C and systemd reach both, and the daemon drains. */
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

/** Ends at once when the daemon is gone: a script may hang. */
const end = (): void => void process.kill(process.pid, 'SIGKILL');

const channel = new Socket({ fd: CHANNEL, readable: true, writable: true });
channel.on('close', end);
channel.on('error', end);
const send = (message: FromChild): void => writeFrame(channel, encodeFromChild(message));

interface Counters extends CountersOwner {
  readonly shared: SharedArrayBuffer;
  /** Base64 text that was sent last. */
  sent: string;
}
const counters = new Map<number, Counters>();

const shared = ({ number, bytes }: CountersMark, run: number, request: number | null): SharedArrayBuffer => {
  const memory = new SharedArrayBuffer(bytes);
  counters.set(number, { run, request, shared: memory, sent: '' });
  return memory;
};

const withCounters = (message: MarkedMessage): ToWorker => {
  if (message.type === 'start') {
    const { job } = message;
    return { type: 'start', job: { ...job, stats: shared(job.stats, job.run, null) } };
  }
  if (message.type !== 'patch') return message;
  return { ...message, stats: shared(message.stats, message.run, message.request) };
};

const changedCounters = (): [number, string][] => {
  const changed: [number, string][] = [];
  for (const [number, own] of counters) {
    const text = Buffer.from(own.shared).toString('base64');
    if (text === own.sent) continue;
    own.sent = text;
    changed.push([number, text]);
  }
  return changed;
};

const open = (options: ChildOptions): StartedWorker => {
  const { name, ...more } = options;
  const started = startWorker({ ...more, file: WORKER_FILE, isIsolated: true }, name);
  const { worker, heartbeat } = started;
  const pulse = (): void =>
    send({
      type: 'pulse',
      heartbeat: [...heartbeat],
      resident_bytes: residentBytes(),
      counters: changedCounters(),
    });
  setInterval(pulse, PULSE_EVERY_MS);
  worker.on('message', (message: unknown) => {
    // Counters are never behind a message.
    pulse();
    send({ type: 'message', message: packMessage(message) });
    for (const [number, own] of counters) if (isOver(own, message)) counters.delete(number);
  });
  worker.on('error', (thrown: NodeJS.ErrnoException) =>
    send({ type: 'error', reason: workerErrorReason(thrown, options.heap_mb) }),
  );
  worker.on('exit', (code) => {
    pulse();
    send({ type: 'exit', code });
  });
  return started;
};

let thread: StartedWorker | null = null;
readFrames(channel, {
  onFrame: (frame) => {
    const order = decodeToChild(frame);
    if (order.type === 'open') thread = open(order.options);
    else thread?.worker.postMessage(withCounters(order.message));
  },
  onBroken: end,
});
