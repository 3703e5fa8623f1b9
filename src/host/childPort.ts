import { printed } from '../domain/errors.js';
import type { StartIsolated } from '../ports/processes.js';
import {
  type ChildOptions,
  type CountersMark,
  type CountersOwner,
  decodeFromChild,
  encodeToChild,
  type FromChild,
  isOver,
  type MarkedMessage,
  unpackMessage,
} from './childMessages.js';
import { makeHeartbeat, makeMemoryReport, type ToWorker } from './protocol.js';
import { exitReason, type PortEvents, type WorkerPort } from './workerPort.js';

const MB = 1024 * 1024;

export interface ChildPortOptions extends Omit<ChildOptions, 'name'> {
  readonly start: StartIsolated;
}

/** Counters of the runs of a child, by the number of their mark. */
const sharedCounters = () => {
  const counters = new Map<number, CountersOwner & { readonly shared: SharedArrayBuffer }>();
  let made = 0;
  const mark = (run: number, request: number | null, shared: SharedArrayBuffer): CountersMark => {
    counters.set(++made, { run, request, shared });
    return { number: made, bytes: shared.byteLength };
  };
  return {
    mark: (message: ToWorker): MarkedMessage => {
      if (message.type === 'patch')
        return { ...message, stats: mark(message.run, message.request, message.stats) };
      if (message.type !== 'start') return message;
      const { job } = message;
      return { ...message, job: { ...job, stats: mark(job.run, null, job.stats) } };
    },
    /** False: the copy fits none. A copy for a run that has ended is ignored. */
    fill: (number: number, text: string): boolean => {
      const found = counters.get(number);
      if (found === undefined) return number <= made;
      const bytes = Buffer.from(text, 'base64');
      if (bytes.length !== found.shared.byteLength) return false;
      new Uint8Array(found.shared).set(bytes);
      return true;
    },
    forgetAfter: (message: unknown): void => {
      for (const [number, owner] of counters) if (isOver(owner, message)) counters.delete(number);
    },
  };
};

const endOf = ({ code, signal }: { readonly code: number | null; readonly signal: string | null }): string =>
  signal === null ? `its process ended with code ${code ?? 'unknown'}` : `${signal} ended its process`;

/** A pipeline thread in an isolated process. */
export const childPort = (options: ChildPortOptions, name: string, events: PortEvents): WorkerPort => {
  const { heap_mb, memory_mb, stepsBack, allow_subprocess, plugins } = options;
  const heartbeat = makeHeartbeat();
  const counters = sharedCounters();
  const limit_bytes = (heap_mb + memory_mb) * MB;

  const fail = (reason: string): void => {
    events.onError(reason);
    child.kill();
  };
  const broken = (what: string): void =>
    fail(`its process sent malformed data: ${what}. A script must not write to files that it did not open`);

  const pulse = (told: Extract<FromChild, { readonly type: 'pulse' }>): void => {
    told.heartbeat.slice(0, heartbeat.length).forEach((value, slot) => {
      Atomics.store(heartbeat, slot, value);
    });
    if (!told.counters.every(([number, bytes]) => counters.fill(number, bytes)))
      return broken('counters of no run');
    if (told.resident_bytes <= limit_bytes) return;
    const limits = `${heap_mb} MB of generation.thread_heap_mb and ${memory_mb} MB of generation.thread_memory_mb`;
    fail(`it used more memory than its process may have (${limits})`);
  };

  const child = options.start({
    onFrame: (frame) => {
      const told = decodeFromChild(frame);
      if (told === null) return broken('a frame that cannot be read');
      switch (told.type) {
        case 'pulse':
          return pulse(told);
        case 'message':
          events.onMessage(unpackMessage(told.message));
          return counters.forgetAfter(told.message);
        case 'error':
          return fail(printed(told.reason));
        case 'exit':
          return fail(exitReason(told.code));
      }
    },
    onBroken: (reason) => fail(reason),
    onExit: (end) => events.onExit(endOf(end)),
  });
  child.send(
    encodeToChild({
      type: 'open',
      options: { name, heap_mb, memory_mb, stepsBack, allow_subprocess, plugins },
    }),
  );

  return {
    heartbeat,
    memory: makeMemoryReport(),
    post: (message) => child.send(encodeToChild({ type: 'message', message: counters.mark(message) })),
    terminate: child.kill,
  };
};
