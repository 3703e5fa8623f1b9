import { describe, expect, test } from '@jest/globals';
import { makeHeartbeat, makeMemoryReport } from '../../src/host/protocol.js';
import { makeSlots, type Slot } from '../../src/host/slots.js';
import type { Threads } from '../../src/host/thread.js';
import { right } from '../support/either.js';
import { definitionOf } from '../support/pipelines/scriptedHost.js';

/** Threads that do nothing. */
const threads: Threads = () => ({
  heap_mb: 1,
  memory: null,
  hasUserCode: true,
  open: () => ({
    heartbeat: makeHeartbeat(),
    memory: makeMemoryReport(),
    post: () => {},
    terminate: () => {},
  }),
});

const IDS = Array.from({ length: 20 }, (_, index) => `g${index}`);

describe('a generator that ends the process it shares', () => {
  test('gets one alone after two losses, and so do few others', () => {
    const slots = makeSlots(
      { threads, poolSize: 1, maxGroupThreads: 4, runsApart: () => true },
      { onMessage: () => {}, onDeath: () => {} },
    );
    let number = 0;
    const start = (id: string): Slot => {
      const definition = definitionOf(id);
      const isolated = { ...definition, params: { ...definition.params, isolation: 'process' as const } };
      const slot = right(slots.assign(isolated));
      slot.runs.set(++number, { id } as never);
      return slot;
    };
    const idsOf = (slot: Slot): readonly string[] => [...slot.runs.values()].map(({ id }) => id);
    for (const id of IDS) start(id);
    const slotOf = (id: string): Slot => [...slots.all()].find((slot) => idsOf(slot).includes(id)) as Slot;
    expect([...slots.all()]).toHaveLength(4);
    for (let loss = 0; loss < 2; loss++) {
      const lost = slotOf('g0');
      expect(idsOf(lost).length).toBeGreaterThan(1);
      slots.forget(lost, true);
      // The one at fault is not the first to start again.
      for (const id of [...idsOf(lost)].reverse()) start(id);
    }
    expect(idsOf(slotOf('g0'))).toEqual(['g0']);
    const before = idsOf(slotOf('g1'));
    start('new');
    expect(idsOf(slotOf('g0'))).toEqual(['g0']);
    expect(before).not.toContain('g0');
  });
});
