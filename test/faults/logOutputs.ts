import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import type { Result } from '../../src/domain/errors.js';
import type { JsonObject } from '../../src/domain/json.js';
import type { Output, PluginContext } from '../../src/plugins/kit.js';
import { numberedEvent, type Rig, type RigOptions, startRig } from '../support/faults/faultRig.js';
import { type FaultyWire, faultyWire } from '../support/faults/faultyWire.js';
import { type LogPeer, type PeerKind, startLogPeer } from '../support/servers/logPeers/logPeer.js';
import { expectAccounted, type Row, report } from './rows.js';

/** What a test of one output of logs needs; the server is a fake that follows the format of its vendor. */
export interface LogFaults {
  readonly peer: LogPeer;
  readonly wire: FaultyWire;
  /** A running generator that has written some events; the peer forgets those of former ones. */
  readonly writing: (more?: Partial<RigOptions>) => Promise<Rig>;
  /** Ends the run: every event has arrived or is a dead letter, and whole. */
  readonly finish: (row: string, rig: Rig, delivery: 'once' | 'at least once') => Promise<void>;
  readonly stopRigs: () => Promise<void>;
  readonly remove: () => Promise<void>;
}

type Open = (url: string, context: PluginContext) => Promise<Result<Output>>;

export const startLogFaults = async (
  kind: PeerKind,
  open: Open,
  state: JsonObject = {},
): Promise<LogFaults> => {
  const folder = fs.mkdtempSync(join(tmpdir(), 'spate-faults-'));
  const peer = await startLogPeer(kind, folder, state);
  const wire = await faultyWire(peer.port);
  const rigs: Rig[] = [];
  let from = 0;
  let started = 0;
  return {
    peer,
    wire,
    writing: async (more = {}) => {
      from = peer.arrived().length;
      const rig = startRig({
        folder: join(folder, String(++started)),
        outputs: [(context) => open(`http://127.0.0.1:${wire.port}`, context as PluginContext)],
        ...more,
      });
      rigs.push(rig);
      await rig.writesOn();
      return rig;
    },
    finish: async (row, rig, delivery) => {
      expect(await rig.drain()).toEqual({ _tag: 'Right', right: 'drained' });
      report(`${kind} x ${row}`, rig);
      expectAccounted(rig);
      const lines = peer.arrived().slice(from);
      const numbers = lines.map((line) => Number.parseInt(line, 10));
      const letters = rig.letters();
      expect(lines.filter((line, at) => line !== numberedEvent(numbers[at] as number))).toEqual([]);
      expect(letters).toHaveLength(rig.count('dead_lettered'));
      expect(new Set([...numbers, ...letters]).size).toBe(rig.produced());
      expect(rig.count('write_failed')).toBe(0);
      if (delivery === 'at least once') return;
      expect(lines).toHaveLength(rig.count('written'));
      expect(new Set(numbers).size + new Set(letters).size).toBe(rig.produced());
    },
    stopRigs: async () => {
      await wire.set({ kind: 'none' });
      for (const rig of rigs.splice(0)) {
        rig.abort();
        await rig.drain();
      }
    },
    remove: async () => {
      await wire.close();
      await peer.kill();
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
};

export const deadLetters = (rig: Rig): Promise<void> =>
  rig.until('dead letters', () => rig.count('dead_lettered') > 0);

/** Reason of the last failed write in the log. */
export const reasonIn = (rig: Rig): string =>
  String(rig.lines.filter(({ message }) => message.startsWith('a write failed')).at(-1)?.context['reason']);

/** The server asks the generator for something else for a while: dead letters, then written again. */
export const controlled =
  (
    faults: () => LogFaults,
    row: string,
    state: JsonObject,
    reason: RegExp,
    { retries, usual = {} }: { readonly retries: boolean; readonly usual?: JsonObject },
  ) =>
  async (): Promise<void> => {
    const { peer, writing, finish } = faults();
    const rig = await writing();
    await peer.control({ ...usual, ...state });
    await deadLetters(rig);
    expect(reasonIn(rig)).toMatch(reason);
    if (retries) expect(rig.count('retries')).toBeGreaterThanOrEqual(4);
    await peer.control(usual);
    await rig.writesOn();
    await finish(row, rig, 'at least once');
    if (!retries) expect(rig.count('retries')).toBe(0);
  };

const LOSS_EVENTS = 50_000;

/** Faults that every output of logs meets the same way. */
export const logRows = (
  faults: () => LogFaults,
): Readonly<Record<'refused' | 'reset mid-batch' | 'slow' | 'hung', Row>> => ({
  refused: {
    'a server that is killed gets what comes after it is back; what could not wait is in the dead letters':
      async () => {
        const { peer, writing, finish } = faults();
        const rig = await writing();
        await peer.kill();
        await deadLetters(rig);
        expect(reasonIn(rig)).toContain('ECONN');
        expect(rig.count('retries')).toBeGreaterThanOrEqual(4);
        await peer.start();
        await rig.writesOn();
        await finish('refused', rig, 'at least once');
      },
    'a server that is killed and started twice in the middle loses nothing; doubles are counted':
      async () => {
        const { peer, writing, finish } = faults();
        const before = peer.arrived().length;
        const rig = await writing({ attempts: 50 });
        for (const round of [1, 2]) {
          await rig.until(
            `a third of the events ${round}`,
            () => rig.count('written') > (round * LOSS_EVENTS) / 3,
          );
          await peer.kill();
          const retries = rig.count('retries');
          await rig.until('retries', () => rig.count('retries') > retries + 3);
          await peer.start();
        }
        await rig.until('all events', () => rig.count('written') > LOSS_EVENTS);
        await finish('killed twice', rig, 'at least once');
        expect(rig.count('dead_lettered')).toBe(0);
        const numbers = peer.arrived().slice(before);
        const doubles = numbers.length - new Set(numbers).size;
        process.stderr.write(`${rig.produced()} events, none lost, ${doubles} twice\n`);
        expect(rig.count('written')).toBe(rig.produced());
      },
  },
  'reset mid-batch': {
    'connections that break in the middle of each batch tear no event': async () => {
      const { wire, writing, finish } = faults();
      const rig = await writing();
      await wire.set({ kind: 'reset', after_bytes: 10_000 });
      await rig.until('a retry', () => rig.count('retries') > 0);
      // Parts of a batch would pass.
      await wire.set({ kind: 'reset', after_bytes: 100 });
      await deadLetters(rig);
      await wire.set({ kind: 'none' });
      await rig.writesOn();
      await finish('reset mid-batch', rig, 'at least once');
    },
  },
  slow: {
    'a slow wire slows the producer down; nothing fails or is retried': async () => {
      const { wire, writing, finish } = faults();
      const rig = await writing();
      await wire.set({ kind: 'slow', bytes_per_second: 400_000 });
      const { allowed } = rig.account();
      await rig.until('a full queue', () => rig.account().mostInFlight[0] === allowed[0]);
      await rig.writesOn(4_000);
      await wire.set({ kind: 'none' });
      await rig.writesOn();
      await finish('slow', rig, 'once');
      expect([rig.count('retries'), rig.count('dead_lettered')]).toEqual([0, 0]);
    },
  },
  hung: {
    'a frozen server holds the producer back; attempts end by write_timeout, and the thawed one gets the rest':
      async () => {
        const { peer, writing, finish } = faults();
        const rig = await writing({ write_timeout_ms: 10_000 });
        peer.freeze();
        try {
          await rig.isHeldBack();
          await deadLetters(rig);
        } finally {
          peer.thaw();
        }
        await rig.writesOn();
        await finish('hung (frozen)', rig, 'at least once');
      },
    'answers that are lost: events may arrive twice, none is missing': async () => {
      const { wire, writing, finish } = faults();
      const rig = await writing({ write_timeout_ms: 10_000, attempts: 2 });
      await wire.set({ kind: 'mute' });
      await rig.isHeldBack();
      await deadLetters(rig);
      await wire.set({ kind: 'none' });
      await rig.writesOn();
      await finish('hung (mute)', rig, 'at least once');
    },
  },
});
