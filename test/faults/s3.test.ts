import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import type { JsonObject } from '../../src/domain/json.js';
import { openWith } from '../plugins/outputs/s3/support.js';
import { numberedEvent, type Rig, type RigOptions, startRig } from '../support/faults/faultRig.js';
import { type FaultyWire, faultyWire } from '../support/faults/faultyWire.js';
import { type FakeS3, startFakeS3 } from '../support/servers/s3/fakeS3.js';
import { expectAccounted, faultRows, report } from './rows.js';

/*
 * The server is a fake in a process of its own (test/support/servers/s3): S3 and MinIO cannot run here. Objects stay
 * when it is killed. The queue of the rig holds four collections, so objects have up to three writes of 500 events.
 */

const LOSS_EVENTS = 50_000;

let server: FakeS3;
let wire: FaultyWire;
let folder = '';
let runs = 0;
const rigs: Rig[] = [];

beforeAll(async () => {
  server = await startFakeS3();
  wire = await faultyWire(server.port);
  folder = mkdtempSync(join(tmpdir(), 'spate-faults-'));
});
afterEach(async () => {
  for (const rig of rigs.splice(0)) {
    rig.abort();
    await rig.drain();
  }
  await wire.set({ kind: 'none' });
  server.empty();
});
afterAll(async () => {
  await wire.close();
  await server.remove();
  rmSync(folder, { recursive: true, force: true });
});

/** A running generator that has stored some events. */
const writing = async (more: Partial<RigOptions> = {}, params: JsonObject = {}): Promise<Rig> => {
  const own = String(++runs);
  const endpoint = `http://127.0.0.1:${wire.port}`;
  const rig = startRig({
    folder: join(folder, own),
    outputs: [(context) => openWith({ endpoint, key: `${own}/{id}`, ...params }, context)],
    ...more,
  });
  rigs.push(rig);
  await rig.writesOn();
  return rig;
};

/** Objects of the last run: a frozen server may still store those of the run before. */
const objects = () => server.objects().filter(({ key }) => key.startsWith(`${runs}/`));
const versions = () => server.versions().filter(({ key }) => key.startsWith(`${runs}/`));

const deadLetters = (rig: Rig): Promise<void> =>
  rig.until('dead letters', () => rig.count('dead_lettered') > 0);

const reasonIn = (rig: Rig): string =>
  String(rig.lines.filter(({ message }) => message.startsWith('a write failed')).at(-1)?.context['reason']);

/** Ends the run: every event is in an object or in the dead letters, and whole. */
const finish = async (row: string, rig: Rig) => {
  expect(await rig.drain()).toEqual({ _tag: 'Right', right: 'drained' });
  report(`s3 x ${row}`, rig);
  expectAccounted(rig);
  const lines = objects().flatMap(({ text }) => text().split('\n').slice(0, -1));
  const numbers = lines.map((line) => Number.parseInt(line, 10));
  const letters = rig.letters();
  expect(lines.filter((line, at) => line !== numberedEvent(numbers[at] as number))).toEqual([]);
  expect(letters).toHaveLength(rig.count('dead_lettered'));
  expect(new Set([...numbers, ...letters]).size).toBe(rig.produced());
  expect(rig.count('write_failed')).toBe(0);
  expect(server.uploads()).toBe(0);
  return { doubles: lines.length - new Set(numbers).size, letters: letters.length };
};

/** Dead letters while the server refuses, then delivery again. No object is stored twice. */
const refused = async (
  row: string,
  control: JsonObject,
  reason: RegExp,
  { retries }: { readonly retries: boolean },
): Promise<void> => {
  const rig = await writing();
  server.control(control);
  await deadLetters(rig);
  expect(reasonIn(rig)).toMatch(reason);
  expect(rig.count('retries')).toBeGreaterThanOrEqual(retries ? 4 : 0);
  server.control({});
  await rig.writesOn();
  expect((await finish(row, rig)).doubles).toBe(0);
  if (!retries) expect(rig.count('retries')).toBe(0);
};

faultRows('s3', {
  refused: {
    'a server that is killed and started again': async () => {
      const rig = await writing();
      await server.kill();
      await deadLetters(rig);
      expect(reasonIn(rig)).toContain('ECONN');
      expect(rig.count('retries')).toBeGreaterThanOrEqual(4);
      await server.start();
      await rig.writesOn();
      await finish('refused', rig);
    },
    'a server that is killed and started twice in the middle loses nothing, and no event is there twice':
      async () => {
        const rig = await writing({ attempts: 50 });
        for (const round of [1, 2]) {
          await rig.until(
            `a third of the events ${round}`,
            () => rig.count('written') > (round * LOSS_EVENTS) / 3,
          );
          await server.kill();
          const retries = rig.count('retries');
          await rig.until('retries', () => rig.count('retries') > retries + 3);
          await server.start();
        }
        await rig.until('all events', () => rig.count('written') > LOSS_EVENTS);
        expect(await finish('killed twice', rig)).toEqual({ doubles: 0, letters: 0 });
        expect(rig.count('written')).toBe(rig.produced());
      },
  },
  'reset mid-batch': {
    'connections that break in the middle of each object tear none': async () => {
      const rig = await writing();
      await wire.set({ kind: 'reset', after_bytes: 10_000 });
      await deadLetters(rig);
      await wire.set({ kind: 'none' });
      await rig.writesOn();
      expect((await finish('reset mid-batch', rig)).doubles).toBe(0);
    },
  },
  slow: {
    'a slow wire slows the producer down; nothing fails or is retried': async () => {
      const rig = await writing({}, { request_timeout: 300 });
      await wire.set({ kind: 'slow', bytes_per_second: 400_000 });
      await rig.isHeldBack();
      await rig.writesOn(4_000);
      await wire.set({ kind: 'none' });
      await rig.writesOn();
      expect(await finish('slow', rig)).toEqual({ doubles: 0, letters: 0 });
      expect(rig.count('retries')).toBe(0);
    },
  },
  hung: {
    'a frozen server holds the producer back, attempts end by request_timeout, the thawed one gets the rest':
      async () => {
        const rig = await writing({ attempts: 2 }, { request_timeout: 10 });
        server.freeze();
        try {
          await rig.isHeldBack();
          await deadLetters(rig);
          expect(reasonIn(rig)).toContain('no reply within request_timeout (10 s)');
        } finally {
          server.thaw();
        }
        await rig.writesOn();
        await finish('hung (frozen)', rig);
      },
    'a stop while the server is frozen accounts for everything': async () => {
      const rig = await writing();
      server.freeze();
      try {
        await rig.isHeldBack();
        const ended = rig.drain();
        rig.abort();
        expect(await ended).toEqual({ _tag: 'Right', right: 'drained' });
      } finally {
        server.thaw();
      }
      report('s3 x hung (stopped)', rig);
      expectAccounted(rig);
    },
    'replies that are lost: a retry replaces the object, so nothing is there twice': async () => {
      const rig = await writing({ attempts: 20 }, { request_timeout: 5 });
      await wire.set({ kind: 'mute' });
      await rig.until('an object that is stored again', () => versions().length > objects().length);
      await wire.set({ kind: 'none' });
      await rig.writesOn();
      expect(await finish('hung (mute)', rig)).toEqual({ doubles: 0, letters: 0 });
      expect(rig.count('retries')).toBeGreaterThan(0);
    },
  },
  'server error': {
    'a server that asks to slow down': () =>
      refused(
        'server error (SlowDown)',
        { isBusy: true },
        /reduce your request rate \(SlowDown, HTTP status 503\)/,
        {
          retries: true,
        },
      ),
    'a bucket that is gone, and comes back': () =>
      refused(
        'server error (no bucket)',
        { bucket: 'another' },
        /does not exist \(NoSuchBucket.*Create the bucket/,
        {
          retries: false,
        },
      ),
    'a balancer without a server': async () => {
      const rig = await writing();
      await wire.set({ kind: 'answer', status: 503, body: 'no server is available' });
      await deadLetters(rig);
      expect(reasonIn(rig)).toMatch(/no server is available \(HTTP status 503\)/);
      await wire.set({ kind: 'none' });
      await rig.writesOn();
      expect((await finish('server error (503)', rig)).doubles).toBe(0);
    },
  },
  'auth error': {
    'a secret that is changed on the server, and changed back': () =>
      refused('auth error', { secret: 'another' }, /SignatureDoesNotMatch.*Check `secret_access_key`/, {
        retries: false,
      }),
    'credentials that expire': () =>
      refused('auth error (expired)', { isExpired: true }, /ExpiredToken.*Renew `session_token`/, {
        retries: false,
      }),
  },
  'disk full': {
    'a server whose disks are full takes nothing, and goes on when there is space': () =>
      refused('disk full', { isFull: true }, /free drive threshold.*XMinioStorageFull, HTTP status 507/, {
        retries: true,
      }),
  },
  permission: {
    'a user who may only read': () =>
      refused('permission', { isReadOnly: true }, /Access Denied \(AccessDenied.*s3:PutObject/, {
        retries: false,
      }),
  },
});
