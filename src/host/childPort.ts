import { printed } from '../domain/errors.js';
import type { StartIsolated } from '../ports/processes.js';
import {
  type CellMark,
  type CellOwner,
  type ChildOptions,
  decodeFromChild,
  encodeToChild,
  type FromChild,
  isOver,
  type MarkedMessage,
  unpackMessage,
} from './childMessages.js';
import { makeHeartbeat, makeMemoryCell, type ToWorker } from './protocol.js';
import { exitReason, type PortEvents, type WorkerPort } from './workerPort.js';

const MB = 1024 * 1024;

export interface ChildPortOptions extends Omit<ChildOptions, 'name'> {
  readonly start: StartIsolated;
}

/** Counters of the runs of a child, by the number of their mark. */
const sharedCells = () => {
  const cells = new Map<number, CellOwner & { readonly shared: SharedArrayBuffer }>();
  let made = 0;
  const mark = (run: number, request: number | null, shared: SharedArrayBuffer): CellMark => {
    cells.set(++made, { run, request, shared });
    return { cell: made, bytes: shared.byteLength };
  };
  return {
    mark: (message: ToWorker): MarkedMessage => {
      if (message.type === 'patch')
        return { ...message, stats: mark(message.run, message.request, message.stats) };
      if (message.type !== 'start') return message;
      const { job } = message;
      return { ...message, job: { ...job, stats: mark(job.run, null, job.stats) } };
    },
    /** False: the copy fits no cell. A copy for a run that has ended is ignored. */
    fill: (cell: number, text: string): boolean => {
      const found = cells.get(cell);
      if (found === undefined) return cell <= made;
      const bytes = Buffer.from(text, 'base64');
      if (bytes.length !== found.shared.byteLength) return false;
      new Uint8Array(found.shared).set(bytes);
      return true;
    },
    forgetAfter: (message: unknown): void => {
      for (const [cell, owner] of cells) if (isOver(owner, message)) cells.delete(cell);
    },
  };
};

const endOf = ({ code, signal }: { readonly code: number | null; readonly signal: string | null }): string =>
  signal === null ? `its process ended with code ${code ?? 'unknown'}` : `${signal} ended its process`;

/** A pipeline thread in an isolated process. */
export const childPort = (options: ChildPortOptions, name: string, events: PortEvents): WorkerPort => {
  const { heap_mb, memory_mb, stepsBack, allow_subprocess, plugins } = options;
  const heartbeat = makeHeartbeat();
  const cells = sharedCells();
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
    if (!told.cells.every(([cell, bytes]) => cells.fill(cell, bytes))) return broken('counters of no run');
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
          return cells.forgetAfter(told.message);
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
    memory: makeMemoryCell(),
    post: (message) => child.send(encodeToChild({ type: 'message', message: cells.mark(message) })),
    terminate: child.kill,
  };
};
