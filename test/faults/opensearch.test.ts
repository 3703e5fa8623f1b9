import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect } from '@jest/globals';
import { systemClock } from '../../src/adapters/systemClock.js';
import type { JsonObject } from '../../src/domain/json.js';
import { opensearchPlugin } from '../../src/plugins/outputs/opensearch/plugin.js';
import { paramsOf } from '../plugins/outputs/opensearch/support.js';
import { type Rig, type RigOptions, startRig } from '../support/faults/faultRig.js';
import { type FaultyWire, faultyWire } from '../support/faults/faultyWire.js';
import { startFakeOpensearch } from '../support/servers/fakeOpensearch.js';
import type { ProgramServer } from '../support/servers/programServer.js';
import { closingRow, unroutableRow } from './oneBadEvent.js';
import {
  deadLetters,
  frozenRow,
  killedRow,
  muteRow,
  type Peer,
  reasonIn,
  resetRow,
  slowRow,
} from './peerRows.js';
import { expectAccounted, faultRows, report } from './rows.js';

/** An event as `numberedEvent` makes it. */
const WHOLE = /^(\d+)\t\.*\1;$/;
/** Events of the rig are no JSON. */
const FINE = { lines: true };

describe('OpenSearch (a server that speaks its protocol) under faults', () => {
  let server: ProgramServer;
  let wire: FaultyWire;
  let folder = '';
  let runs = 0;
  const rigs: Rig[] = [];

  beforeAll(async () => {
    server = await startFakeOpensearch();
    server.control(FINE);
    wire = await faultyWire(server.port);
    folder = mkdtempSync(join(tmpdir(), 'spate-faults-'));
  });
  afterEach(async () => {
    for (const rig of rigs.splice(0)) {
      rig.abort();
      await rig.drain();
    }
    server.control(FINE);
  });
  afterAll(async () => {
    await wire.close();
    await server.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  /** A running generator that has delivered some events, and a function that reads its own. */
  const writing = async (more: Partial<RigOptions> = {}, params: JsonObject = {}) => {
    const before = server.arrived().length;
    const all: JsonObject = {
      ...{ hosts: [`http://127.0.0.1:${wire.port}`], index: 'events', username: 'writer', password: 'right' },
      ...params,
    };
    const rig = startRig({
      folder: join(folder, String(++runs)),
      outputs: [(context) => opensearchPlugin.open(paramsOf(all), { ...context } as never)],
      ...more,
    });
    rigs.push(rig);
    await rig.writesOn();
    return { rig, arrived: () => server.arrived().slice(before) };
  };

  /** Ends the run: every event has arrived whole or is in the dead letters. */
  const finish = async (row: string, { rig, arrived }: Awaited<ReturnType<typeof writing>>) => {
    expect(await rig.drain()).toEqual({ _tag: 'Right', right: 'drained' });
    report(`opensearch x ${row}`, rig);
    expectAccounted(rig);
    const lines = arrived().trimEnd().split('\n');
    expect(lines.filter((line) => !WHOLE.test(line))).toEqual([]);
    const numbers = new Set(lines.map((line) => Number.parseInt(line, 10)));
    const letters = rig.letters();
    expect(letters).toHaveLength(rig.count('dead_lettered'));
    expect(new Set([...numbers, ...letters]).size).toBe(rig.produced());
    expect(rig.count('write_failed')).toBe(0);
    return { doubles: lines.length - numbers.size, letters: letters.length };
  };

  /** Dead letters while the server refuses, then delivery again. */
  const refused = async (row: string, control: JsonObject, reason: RegExp): Promise<Rig> => {
    const run = await writing();
    server.control({ ...FINE, ...control });
    await deadLetters(run.rig);
    expect(reasonIn(run.rig)).toMatch(reason);
    server.control(FINE);
    await run.rig.writesOn();
    expect((await finish(row, run)).doubles).toBe(0);
    return run.rig;
  };

  const peer: Peer<Awaited<ReturnType<typeof writing>>> = {
    output: 'opensearch',
    wire: () => wire,
    server: () => server,
    writing,
    finish: async (row, run, delivery) => {
      const { doubles } = await finish(row, run);
      if (delivery === 'once') expect(doubles).toBe(0);
    },
    settled: async () => {
      for (let seen = -1; seen !== server.arrived().length; ) {
        seen = server.arrived().length;
        await systemClock.sleepMs(200, new AbortController().signal);
      }
    },
  };

  faultRows('opensearch', {
    'unroutable event': unroutableRow('opensearch', { document_id: '{/v}' }, (n, isBad) =>
      JSON.stringify({ v: isBad ? 'x'.repeat(600) : `id ${n}` }),
    ),
    'closed on one event': closingRow('opensearch'),

    refused: {
      ...killedRow(peer),
      'a server that is killed and started again twice loses nothing of 50,000 events': async () => {
        const run = await writing({ attempts: 12 });
        for (let kill = 0; kill < 2; kill++) {
          await run.rig.writesOn(10_000);
          await server.kill();
          await run.rig.until('a retry', () => run.rig.count('retries') > kill);
          await server.start();
        }
        await run.rig.until('50,000 events', () => run.rig.produced() >= 50_000);
        const { doubles, letters } = await finish('refused (two kills)', run);
        expect(letters).toBe(0);
        // At most the requests in flight at each kill.
        expect(doubles).toBeLessThanOrEqual(2 * 4_000);
      },
    },
    'reset mid-batch': resetRow(peer),
    slow: slowRow(peer),
    hung: { ...frozenRow(peer), ...muteRow(peer) },
    'server error': {
      'a balancer without a server: retried, then dead letters, then written': async () => {
        const run = await writing();
        await wire.set({ kind: 'answer', status: 503, body: 'no server is available' });
        await deadLetters(run.rig);
        expect(reasonIn(run.rig)).toMatch(/no server is available \(HTTP status 503\)/);
        expect(run.rig.count('retries')).toBeGreaterThanOrEqual(4);
        await wire.set({ kind: 'none' });
        await run.rig.writesOn();
        await finish('server error (503)', run);
      },
      'a server that is short of memory: retried, then dead letters, then written': async () => {
        const rig = await refused(
          'server error (429)',
          { isBusy: true },
          /circuit_breaking_exception: .*429.*overloaded/,
        );
        expect(rig.count('retries')).toBeGreaterThanOrEqual(4);
      },
    },
    'auth error': {
      'a password that is changed on the server, and changed back': async () => {
        const rig = await refused(
          'auth error',
          { password: 'another' },
          /Unauthorized.*401.*Check the credentials/,
        );
        expect(rig.count('retries')).toBe(0);
      },
    },
    'disk full': {
      'a server without space takes nothing, and goes on when there is some': async () => {
        const rig = await refused(
          'disk full',
          { isFull: true },
          /cluster_block_exception: .*flood-stage.*status 429/,
        );
        expect(rig.count('retries')).toBeGreaterThanOrEqual(4);
      },
    },
    permission: {
      'a user who may only read any more': async () => {
        const rig = await refused(
          'permission',
          { isReadOnly: true },
          /security_exception: no permissions.*403.*rights of the user/,
        );
        expect(rig.count('retries')).toBe(0);
      },
    },
  });
});
