import { expect } from '@jest/globals';
import type { Rig, RigOptions } from '../support/faults/faultRig.js';
import type { FaultyWire } from '../support/faults/faultyWire.js';
import { expectAccounted, type Row, report } from './rows.js';
import type { OutputName } from './table.js';

/** A peer behind a wire, for the rows that are the same whatever it speaks. It is there when a row runs. */
export interface Peer<R extends { readonly rig: Rig }> {
  readonly output: OutputName;
  readonly wire: () => FaultyWire;
  readonly server: () => {
    readonly kill: () => Promise<unknown>;
    readonly start: () => Promise<unknown>;
    readonly freeze: () => void;
    readonly thaw: () => void;
  };
  /** A running generator that has delivered some events. */
  readonly writing: (more?: Partial<RigOptions>) => Promise<R>;
  /** Ends the run: every event is at the peer or in the dead letters, whole, and with `once` not twice. */
  readonly finish: (row: string, run: R, delivery: 'once' | 'at least once') => Promise<unknown>;
  /** Resolves once nothing of a run that was stopped arrives any more; for peers where all runs write to one place. */
  readonly settled?: () => Promise<unknown>;
}

export const deadLetters = (rig: Rig): Promise<void> =>
  rig.until('dead letters', () => rig.count('dead_lettered') > 0);

/** Reason of the last failed write in the log. */
export const reasonIn = (rig: Rig): string =>
  String(rig.lines.filter(({ message }) => message.startsWith('a write failed')).at(-1)?.context['reason']);

export const killedRow = <R extends { readonly rig: Rig }>(peer: Peer<R>): Row => ({
  'a server that is killed gets what comes after it is back; what could not wait is in the dead letters':
    async () => {
      const run = await peer.writing();
      await peer.server().kill();
      await deadLetters(run.rig);
      expect(reasonIn(run.rig)).toContain('ECONN');
      expect(run.rig.count('retries')).toBeGreaterThanOrEqual(4);
      await peer.server().start();
      await run.rig.writesOn();
      await peer.finish('refused', run, 'at least once');
    },
});

export const resetRow = <R extends { readonly rig: Rig }>(peer: Peer<R>): Row => ({
  'connections that break in the middle of each batch tear no event': async () => {
    const run = await peer.writing();
    await peer.wire().set({ kind: 'reset', after_bytes: 10_000 });
    await run.rig.until('a retry', () => run.rig.count('retries') > 0);
    // Parts of a batch would pass.
    await peer.wire().set({ kind: 'reset', after_bytes: 100 });
    await deadLetters(run.rig);
    await peer.wire().set({ kind: 'none' });
    await run.rig.writesOn();
    await peer.finish('reset mid-batch', run, 'at least once');
  },
});

export const slowRow = <R extends { readonly rig: Rig }>(peer: Peer<R>): Row => ({
  'a slow wire slows the producer down; nothing fails or is retried': async () => {
    const run = await peer.writing();
    const { rig } = run;
    await peer.wire().set({ kind: 'slow', bytes_per_second: 100_000 });
    const { allowed } = rig.account();
    await rig.until('a full queue', () => rig.account().mostInFlight[0] === allowed[0]);
    await rig.writesOn(4_000);
    await peer.wire().set({ kind: 'none' });
    await rig.writesOn();
    await peer.finish('slow', run, 'once');
    expect([rig.count('retries'), rig.count('dead_lettered')]).toEqual([0, 0]);
  },
});

export const frozenRow = <R extends { readonly rig: Rig }>(peer: Peer<R>): Row => ({
  'a frozen server holds the producer back; attempts end by write_timeout, and the thawed one gets the rest':
    async () => {
      const run = await peer.writing({ write_timeout_ms: 10_000 });
      peer.server().freeze();
      try {
        await run.rig.isHeldBack();
        await deadLetters(run.rig);
      } finally {
        peer.server().thaw();
      }
      await run.rig.writesOn();
      await peer.finish('hung (frozen)', run, 'at least once');
    },
  'a stop while the server is frozen accounts for everything': async () => {
    const { rig } = await peer.writing();
    peer.server().freeze();
    try {
      await rig.isHeldBack();
      const ended = rig.drain();
      rig.abort();
      expect(await ended).toEqual({ _tag: 'Right', right: 'drained' });
    } finally {
      peer.server().thaw();
    }
    report(`${peer.output} x hung (stopped)`, rig);
    expectAccounted(rig);
    await peer.settled?.();
  },
});

export const muteRow = <R extends { readonly rig: Rig }>(peer: Peer<R>): Row => ({
  'replies that are lost: events may be there twice, none is missing': async () => {
    const run = await peer.writing({ write_timeout_ms: 10_000, attempts: 2 });
    await peer.wire().set({ kind: 'mute' });
    await run.rig.isHeldBack();
    await deadLetters(run.rig);
    await peer.wire().set({ kind: 'none' });
    await run.rig.writesOn();
    await peer.finish('hung (mute)', run, 'at least once');
  },
});
