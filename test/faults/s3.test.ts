import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import type { JsonObject } from '../../src/domain/json.js';
import { openWith } from '../plugins/outputs/s3/support.js';
import { type FaultyWire, faultyWire } from '../support/faults/faultyWire.js';
import { type FakeS3, startFakeS3 } from '../support/servers/s3/fakeS3.js';
import { finish, type Peer, type Run, startedRigs } from './peer.js';
import {
  balancerRow,
  frozenRow,
  killedRow,
  killedTwiceRow,
  type Refusal,
  refusalRow,
  resetRow,
  slowRow,
} from './peerRows.js';
import { faultRows, type Row } from './rows.js';

/*
 * The server is a fake in a process of its own (test/support/servers/s3): S3 and MinIO cannot run here. Objects stay
 * when it is killed. The queue of the rig holds four collections, so objects have up to three writes of 500 events.
 */

/** A frozen server may still store objects of the run before. */
interface ObjectRun extends Run {
  readonly isOwn: (object: { readonly key: string }) => boolean;
}

let server: FakeS3;
let wire: FaultyWire;
let runs = 0;
const start = startedRigs();

beforeAll(async () => {
  server = await startFakeS3();
  wire = await faultyWire(server.port);
});
afterEach(async () => {
  await wire.set({ kind: 'none' });
  server.empty();
});
afterAll(async () => {
  await wire.close();
  await server.remove();
});

const peer: Peer<ObjectRun> = {
  output: 's3',
  wire: () => wire,
  server: () => server,
  writing: async (more, params = {}) => {
    const folder = `${++runs}/`;
    const given = { endpoint: `http://127.0.0.1:${wire.port}`, key: `${folder}{id}`, ...params };
    const rig = await start((context) => openWith(given, context), more);
    return { rig, isOwn: ({ key }) => key.startsWith(folder) };
  },
  arrived: ({ isOwn }) => {
    expect(server.uploads()).toBe(0);
    return server
      .objects()
      .filter(isOwn)
      .flatMap(({ text }) => text().split('\n').slice(0, -1));
  },
  traits: {
    refusesDoubles: true,
    // Nothing but a whole object passes.
    breaks: { after_bytes: [10_000], retries: 0 },
    slow: {
      bytes_per_second: 400_000,
      params: { request_timeout: 300 },
      isFelt: (rig) => rig.isHeldBack(),
    },
    timeout: {
      more: { attempts: 2 },
      params: { request_timeout: 10 },
      reason: /no reply within request_timeout \(10 s\)[^\n]*$/,
    },
  },
};

/** The server refuses for a while. */
const controlledRow = (
  title: string,
  control: JsonObject,
  refusal: Pick<Refusal<ObjectRun>, 'row' | 'reason' | 'retries'>,
): Row =>
  refusalRow(peer, title, {
    refuse: () => server.control(control),
    accept: () => server.control({}),
    delivery: 'no doubles',
    ...refusal,
  });

faultRows('s3', {
  refused: { ...killedRow(peer), ...killedTwiceRow(peer) },
  'reset mid-batch': resetRow(peer),
  slow: slowRow(peer),
  hung: {
    ...frozenRow(peer),
    'replies that are lost: a retry replaces the object, so nothing is there twice': async () => {
      const run = await peer.writing({ attempts: 20 }, { request_timeout: 5 });
      const { rig, isOwn } = run;
      await wire.set({ kind: 'mute' });
      const stored = (of: 'versions' | 'objects'): number => server[of]().filter(isOwn).length;
      await rig.until('an object that is stored again', () => stored('versions') > stored('objects'));
      await wire.set({ kind: 'none' });
      await rig.writesOn();
      await finish(peer, 'hung (mute)', run, 'once');
      expect(rig.count('dead_lettered')).toBe(0);
      expect(rig.count('retries')).toBeGreaterThan(0);
    },
  },
  'server error': {
    ...controlledRow(
      'a server that asks to slow down',
      { isBusy: true },
      {
        row: 'server error (SlowDown)',
        reason: /reduce your request rate \(SlowDown, HTTP status 503\)/,
        retries: 'some',
      },
    ),
    ...controlledRow(
      'a bucket that is gone, and comes back',
      { bucket: 'another' },
      {
        row: 'server error (no bucket)',
        reason: /does not exist \(NoSuchBucket.*Create the bucket/,
        retries: 'none',
      },
    ),
    ...balancerRow(peer),
  },
  'auth error': {
    ...controlledRow(
      'a secret that is changed on the server, and changed back',
      { secret: 'another' },
      {
        row: 'auth error',
        reason: /SignatureDoesNotMatch.*Check `secret_access_key`/,
        retries: 'none',
      },
    ),
    ...controlledRow(
      'credentials that expire',
      { isExpired: true },
      { row: 'auth error (expired)', reason: /ExpiredToken.*Renew `session_token`/, retries: 'none' },
    ),
  },
  'disk full': controlledRow(
    'a server whose disks are full takes nothing, and goes on when there is space',
    { isFull: true },
    {
      row: 'disk full',
      reason: /free drive threshold.*XMinioStorageFull, HTTP status 507/,
      retries: 'some',
    },
  ),
  permission: controlledRow(
    'a user who may only read',
    { isReadOnly: true },
    { row: 'permission', reason: /Access Denied \(AccessDenied.*s3:PutObject/, retries: 'none' },
  ),
});
