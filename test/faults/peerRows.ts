import { expect } from '@jest/globals';
import type { JsonObject } from '../../src/domain/json.js';
import {
  type Delivery,
  deadLetters,
  drained,
  finish,
  type Peer,
  type Run,
  reasonIn,
  reasonsIn,
  traitsOf,
} from './peer.js';
import { expectAccounted, type Row, report } from './rows.js';
import { SHARED_ROWS } from './sharedRows.js';

export const killedRow = <R extends Run>(peer: Peer<R>): Row => ({
  [SHARED_ROWS.killed.title]: async () => {
    const { kills, gone, outlivesKills } = traitsOf(peer);
    const run = await peer.writing();
    for (let kill = 0; kill < kills; kill++) {
      const before = run.rig.count('dead_lettered');
      await peer.server().kill();
      await deadLetters(run.rig, before);
      expect(reasonIn(run.rig)).toMatch(gone);
      await peer.server().start();
      await run.rig.writesOn();
    }
    expect(run.rig.count('retries')).toBeGreaterThanOrEqual(4);
    if (outlivesKills) await finish(peer, 'refused', run, 'at least once');
    else await drained(peer.output, 'refused', run.rig);
  },
});

const MANY = 50_000;

/** With `most_doubles`, at most so many events may be there twice. */
export const killedTwiceRow = <R extends Run>(peer: Peer<R>, most_doubles = MANY): Row => ({
  [SHARED_ROWS['killed twice'].title]: async () => {
    const { params, end } = traitsOf(peer).twice;
    const run = await peer.writing({ attempts: 1_000 }, params);
    const { rig } = run;
    for (const third of [1, 2]) {
      await rig.until(`${third} of three thirds`, () => rig.count('written') > (third * MANY) / 3);
      const retries = rig.count('retries');
      await (end ?? peer.server().kill)();
      await rig.until('retries', () => rig.count('retries') > retries + 4);
      await peer.server().start();
    }
    await rig.until('all events', () => rig.count('written') >= MANY);
    expect(await finish(peer, 'refused (twice)', run, 'at least once')).toBeLessThanOrEqual(most_doubles);
    expect(rig.count('dead_lettered')).toBe(0);
    expect(rig.count('written')).toBe(rig.produced());
  },
});

export const resetRow = <R extends Run>(peer: Peer<R>): Row => ({
  [SHARED_ROWS.reset.title]: async () => {
    const { after_bytes, retries } = traitsOf(peer).breaks;
    const run = await peer.writing();
    for (const [at, bytes] of after_bytes.entries()) {
      if (at > 0) await run.rig.until('retries', () => run.rig.count('retries') > retries);
      await peer.wire().set({ kind: 'reset', after_bytes: bytes });
    }
    await deadLetters(run.rig);
    await peer.wire().set({ kind: 'none' });
    await run.rig.writesOn();
    await finish(peer, 'reset mid-batch', run, 'at least once');
  },
});

export const slowRow = <R extends Run>(peer: Peer<R>): Row => ({
  [SHARED_ROWS.slow.title]: async () => {
    const { bytes_per_second, params, isFelt } = traitsOf(peer).slow;
    const run = await peer.writing({}, params);
    const { rig } = run;
    await peer.wire().set({ kind: 'slow', bytes_per_second });
    await isFelt(rig);
    await rig.writesOn(4_000);
    await peer.wire().set({ kind: 'none' });
    await rig.writesOn();
    await finish(peer, 'slow', run, 'once');
    expect([rig.count('retries'), rig.count('dead_lettered')]).toEqual([0, 0]);
  },
});

export const frozenRow = <R extends Run>(peer: Peer<R>): Row => ({
  [SHARED_ROWS.frozen.title]: async () => {
    const { more, params, reason } = traitsOf(peer).timeout;
    const run = await peer.writing(more, params);
    peer.server().freeze();
    try {
      await run.rig.isHeldBack();
      await deadLetters(run.rig);
      if (reason !== null) expect(reasonsIn(run.rig).join('\n')).toMatch(reason);
    } finally {
      peer.server().thaw();
    }
    await run.rig.writesOn();
    await finish(peer, 'hung (frozen)', run, 'at least once');
  },
  [SHARED_ROWS.stopped.title]: async () => {
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

export const muteRow = <R extends Run>(peer: Peer<R>): Row => ({
  [SHARED_ROWS.mute.title]: async () => {
    const { more, params } = traitsOf(peer).timeout;
    const run = await peer.writing({ ...more, attempts: 2 }, params);
    await peer.wire().set({ kind: 'mute' });
    await run.rig.isHeldBack();
    await deadLetters(run.rig);
    await peer.wire().set({ kind: 'none' });
    await run.rig.writesOn();
    await finish(peer, 'hung (mute)', run, 'at least once');
  },
});

/** A peer that takes no events for a while. */
export interface Refusal<R extends Run> {
  readonly row: string;
  readonly refuse: (run: R) => unknown;
  readonly accept: (run: R) => unknown;
  /** Of the last failed write; `isOneOfMany` waits for it where writes fail for other reasons too. */
  readonly reason: RegExp;
  readonly isOneOfMany?: boolean;
  /** `none`: events are refused at once. Without it, both may be. */
  readonly retries?: 'some' | 'none';
  readonly delivery: Delivery;
  /** There are more dead letters than this before the peer takes events again. */
  readonly letters?: number;
}

/** Events that a peer refuses are dead letters, for the reason that it gives; then it takes events again. */
export const refusalRow = <R extends Run>(peer: Peer<R>, title: string, refusal: Refusal<R>): Row => ({
  [title]: async () => {
    const { row, refuse, accept, reason, isOneOfMany, retries, delivery, letters } = refusal;
    const run = await peer.writing();
    const { rig } = run;
    await refuse(run);
    try {
      await deadLetters(rig, letters);
      if (isOneOfMany) await rig.until(`${reason}`, () => reasonsIn(rig).some((each) => reason.test(each)));
      else expect(reasonIn(rig)).toMatch(reason);
      if (retries === 'some') expect(rig.count('retries')).toBeGreaterThanOrEqual(4);
    } finally {
      await accept(run);
    }
    await rig.writesOn();
    await finish(peer, row, run, delivery);
    if (retries === 'none') expect(rig.count('retries')).toBe(0);
  },
});

/** A balancer in front of the peer has no server to pass requests on to. */
export const balancerRow = <R extends Run>(peer: Peer<R>): Row =>
  refusalRow(peer, 'a balancer without a server: retried, then dead letters, then written', {
    row: 'server error (503)',
    refuse: () => peer.wire().set({ kind: 'answer', status: 503, body: 'no server is available' }),
    accept: () => peer.wire().set({ kind: 'none' }),
    reason: /no server is available \(HTTP status 503\)/,
    retries: 'some',
    delivery: 'at least once',
  });

/** A server that is killed under an output whose writes it does not confirm. */
export const unconfirmedRow = <R extends Run>(peer: Peer<R>, title: string, params: JsonObject): Row => ({
  [title]: async () => {
    const { rig } = await peer.writing({}, params);
    await peer.server().kill();
    await deadLetters(rig);
    await peer.server().start();
    await rig.writesOn();
    await drained(peer.output, 'server error (unconfirmed)', rig);
  },
});
