import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import type { JsonObject } from '../../src/domain/json.js';
import { numberedEvent, type Rig, type RigOptions, startRig } from '../support/faults/faultRig.js';
import type { FaultyWire } from '../support/faults/faultyWire.js';
import { expectAccounted, report } from './rows.js';
import type { OutputName } from './table.js';

export interface Run {
  readonly rig: Rig;
}

/** A peer behind a wire, for the rows that are the same whatever it speaks. It is there when a row runs. */
export interface Peer<R extends Run = Run> {
  readonly output: OutputName;
  readonly wire: () => FaultyWire;
  readonly server: () => {
    readonly kill: () => Promise<unknown>;
    readonly start: () => Promise<unknown>;
    readonly freeze: () => void;
    readonly thaw: () => void;
  };
  /** A running generator that has delivered some events. */
  readonly writing: (more?: Partial<RigOptions>, params?: JsonObject) => Promise<R>;
  /** Events of a run that has ended, as the peer has them. */
  readonly arrived: (run: R) => readonly string[] | Promise<readonly string[]>;
  /** Resolves once nothing of a run that was stopped arrives any more; for peers where all runs write to one place. */
  readonly settled?: () => Promise<unknown>;
  /** What the rows must know of this peer, where it differs from most. */
  readonly traits?: Partial<Omit<Traits, 'slow'>> & { readonly slow?: Partial<Traits['slow']> };
}

interface Traits {
  /** A retry takes the place of what it repeats: no event is ever there twice. */
  readonly refusesDoubles: boolean;
  /** The server still has what it took before it was killed. */
  readonly outlivesKills: boolean;
  readonly kills: number;
  /** Reason of writes that find no server. */
  readonly gone: RegExp;
  /** Parameters that let every event wait for a server which goes twice, and how it goes. */
  readonly twice: { readonly params: JsonObject; readonly end: (() => Promise<unknown>) | null };
  /** Connections break after the first number of bytes until there are more retries than this, then after the next. */
  readonly breaks: { readonly after_bytes: readonly number[]; readonly retries: number };
  readonly slow: {
    readonly bytes_per_second: number;
    readonly params: JsonObject;
    readonly isFelt: (rig: Rig) => Promise<void>;
  };
  /** Makes attempts without a reply end after ten seconds; the reason is that of one of them. */
  readonly timeout: {
    readonly more: Partial<RigOptions>;
    readonly params: JsonObject;
    readonly reason: RegExp | null;
  };
}

const MOST: Traits = {
  refusesDoubles: false,
  outlivesKills: true,
  kills: 1,
  gone: /ECONN/,
  twice: { params: {}, end: null },
  // After 100 bytes no part of a batch passes.
  breaks: { after_bytes: [10_000, 100], retries: 0 },
  slow: {
    bytes_per_second: 100_000,
    params: {},
    isFelt: (rig) => {
      const { allowed } = rig.account();
      return rig.until('a full queue', () => rig.account().mostInFlight[0] === allowed[0]);
    },
  },
  timeout: { more: { write_timeout_ms: 10_000 }, params: {}, reason: null },
};

export const traitsOf = <R extends Run>({ traits }: Peer<R>): Traits => ({
  ...MOST,
  ...traits,
  slow: { ...MOST.slow, ...traits?.slow },
});

/** For the rigs of a file: each has written some events when it is returned, and ends with its test. */
export const startedRigs = () => {
  const rigs: Rig[] = [];
  let folder = '';
  let runs = 0;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'spate-faults-'));
  });
  afterEach(async () => {
    for (const rig of rigs.splice(0)) {
      rig.abort();
      await rig.drain();
    }
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return async (open: RigOptions['outputs'][number], more: Partial<RigOptions> = {}): Promise<Rig> => {
    const rig = startRig({ folder: join(folder, String(++runs)), outputs: [open], ...more });
    rigs.push(rig);
    await rig.writesOn();
    return rig;
  };
};

/** Resolves once there are more dead letters than this. */
export const deadLetters = (rig: Rig, than = 0): Promise<void> =>
  rig.until('dead letters', () => rig.count('dead_lettered') > than);

/** Reasons of the failed writes in the log. */
export const reasonsIn = (rig: Rig): readonly string[] =>
  rig.lines
    .filter(({ message }) => message.startsWith('a write failed'))
    .map(({ context }) => String(context['reason']));

/** Reason of the last one. */
export const reasonIn = (rig: Rig): string => reasonsIn(rig).at(-1) ?? '';

/** Ends a run: every event is counted once, and those that are not written are in the dead letters. */
export const drained = async (output: OutputName, row: string, rig: Rig): Promise<void> => {
  expect(await rig.drain()).toEqual({ _tag: 'Right', right: 'drained' });
  report(`${output} x ${row}`, rig);
  expectAccounted(rig);
  expect(rig.letters()).toHaveLength(rig.count('dead_lettered'));
  expect(rig.count('write_failed')).toBe(0);
};

/** With `once`, an event is either at the peer or in the dead letters; else it may be in both. */
export type Delivery = 'once' | 'no doubles' | 'at least once';

/** Ends a run: every event is at the peer or in the dead letters, and whole. Returns how many are at the peer twice. */
export const finish = async <R extends Run>(
  peer: Peer<R>,
  row: string,
  run: R,
  delivery: Delivery,
): Promise<number> => {
  const { rig } = run;
  await drained(peer.output, row, rig);
  const texts = await peer.arrived(run);
  const numbers = texts.map((text) => Number.parseInt(text, 10));
  expect(texts.filter((text, at) => text !== numberedEvent(numbers[at] ?? -1))).toEqual([]);
  const letters = rig.letters();
  expect(new Set([...numbers, ...letters]).size).toBe(rig.produced());
  const stored = new Set(numbers).size;
  const doubles = numbers.length - stored;
  process.stderr.write(`${peer.output} x ${row}: ${doubles} of ${numbers.length} twice\n`);
  if (delivery !== 'at least once' || traitsOf(peer).refusesDoubles) expect(doubles).toBe(0);
  if (delivery === 'once') {
    expect(stored).toBe(rig.count('written'));
    expect(stored + new Set(letters).size).toBe(rig.produced());
  }
  return doubles;
};
