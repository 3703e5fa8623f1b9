import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result, type SpateError } from '../../domain/errors.js';
import type { GeneratorDefinition } from '../../domain/generator.js';
import type { FromWorker } from '../protocol.js';
import { spawnThread, type ThreadDeath } from '../thread.js';
import type { Threads } from '../threads.js';
import { groupOf, isPool, isProcess, slotKeyOf } from './placement.js';
import type { Slot } from './slot.js';

/** A group that lost so many shared processes gets one alone, beyond the maximum: so the one at fault is found. */
export const MAX_SHARED_LOSSES = 2;

export interface SlotsOptions {
  readonly threads: Threads;
  readonly poolSize: number;
  readonly maxGroupThreads: number;
  /** Whether a generator can keep its thread busy without end. */
  readonly runsApart: (definition: GeneratorDefinition) => boolean;
}

export interface SlotListener {
  readonly onMessage: (slot: Slot, message: FromWorker) => void;
  readonly onDeath: (slot: Slot, death: ThreadDeath) => void;
}

export interface Slots {
  readonly all: () => Iterable<Slot>;
  /** The slot for a new run; opens a thread where needed. */
  readonly assign: (definition: GeneratorDefinition) => Result<Slot>;
  /** Removes a slot: the next run of its groups gets a new thread. `isLost`: it died. */
  readonly forget: (slot: Slot, isLost: boolean) => void;
}

export const makeSlots = (options: SlotsOptions, listener: SlotListener): Slots => {
  const slots = new Map<string, Slot>();
  const groups = new Map<string, string>();
  /** Lost processes by group. */
  const losses = new Map<string, number>();
  const isAlone = (group: string): boolean => (losses.get(group) ?? 0) >= MAX_SHARED_LOSSES;

  const open = (key: string): Slot => {
    const slot: Slot = {
      key,
      thread: spawnThread({
        ...options.threads(isProcess(key) ? 'process' : 'thread', { hasUserCode: !isPool(key) }),
        name: key,
        onMessage: (message) => listener.onMessage(slot, message),
        onDeath: (death) => listener.onDeath(slot, death),
      }),
      groups: new Set(),
      runs: new Map(),
      hosted: new Map(),
      copies: new Map(),
      onReturned: new Map(),
      silent_ms: 0,
    };
    slots.set(key, slot);
    return slot;
  };

  return {
    all: () => slots.values(),
    assign: (definition) => {
      const group = groupOf(definition, options.runsApart(definition));
      const shared = [...slots.values()].filter((slot) => ![...slot.groups].some(isAlone));
      const loads = shared.map(({ key, runs }) => ({ key, runCount: runs.size }));
      const { isolation } = definition.params;
      const isLimited = isolation === 'thread' || group === null || !isAlone(group);
      const limits = isLimited ? options : { ...options, maxGroupThreads: Number.POSITIVE_INFINITY };
      const key = slotKeyOf(group, groups, loads, limits, isolation);
      if (isolation === 'process' && !isProcess(key)) return E.left(notIsolated(definition));
      const slot = slots.get(key) ?? open(key);
      if (group !== null) {
        groups.set(group, key);
        slot.groups.add(group);
      }
      return E.right(slot);
    },
    forget: (slot, isLost) => {
      if (slots.get(slot.key) === slot) slots.delete(slot.key);
      for (const group of slot.groups) if (groups.get(group) === slot.key) groups.delete(group);
      if (!isLost || !isProcess(slot.key)) return;
      for (const group of slot.groups) losses.set(group, (losses.get(group) ?? 0) + 1);
    },
  };
};

/** Members of a scenario share the slot of the member that started first. */
const notIsolated = ({ scenarios: [home = ''] }: GeneratorDefinition): SpateError =>
  failure(
    'wrong_state',
    `\`isolation: process\` is not possible while other members of scenario "${home}" run on a thread of the daemon. Give all members of the scenario the same isolation, and stop them all before the next start`,
  );
