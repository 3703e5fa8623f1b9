import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { jetstream } from '@nats-io/jetstream';
import { Objm } from '@nats-io/obj';
import type { ClusterLink } from '../../../src/ports/cluster.js';
import { bytes, linkTo, text, watchArchives } from '../../support/cluster/link.js';
import { left, right } from '../../support/either.js';
import {
  hasClusterNats,
  type NatsServer,
  NEEDS_CLUSTER_NATS,
  startNats,
} from '../../support/servers/natsServer.js';

const describeNats = hasClusterNats ? describe : describe.skip;
const STREAM = 'OBJ_spate-lab-configs';

const hash = (content: Uint8Array | undefined): string =>
  createHash('sha256')
    .update(content ?? '')
    .digest('hex');

describeNats(`archives on one NATS server ${NEEDS_CLUSTER_NATS}`, () => {
  let server: NatsServer;
  let one: ClusterLink;
  let two: ClusterLink;

  beforeAll(async () => {
    server = await startNats();
    const servers = [`127.0.0.1:${server.port}`];
    [one, two] = await Promise.all([linkTo(servers), linkTo(servers)]);
  });
  afterAll(async () => {
    await Promise.all([one.close(), two.close()]);
    await server.remove();
  });

  test('an archive of any size and name comes back as it was written', async () => {
    for (const [name, size] of [
      ['empty', 0],
      ['small', 1],
      ['web shop/é.*>\n', 131_072],
      ['large', 10_000_000],
    ] as const) {
      const content = randomBytes(size);
      const info = right(await one.configs.write(name, content, 'd1', 0));
      expect(info).toEqual({ name, digest: 'd1', revision: expect.any(Number) });
      const read = right(await two.configs.read(name));
      expect(read?.info).toEqual(info);
      expect(hash(read?.content)).toBe(hash(content));
    }
    expect(right(await one.configs.list()).map(({ name }) => name)).toEqual([
      'empty',
      'small',
      'web shop/é.*>\n',
      'large',
    ]);
    expect(right(await one.configs.read('missing'))).toBeNull();
  });

  test('a write replaces only the revision that it names, and the former content goes', async () => {
    const first = right(await one.configs.write('cas', bytes('1'), 'd1', 0));
    expect(left(await two.configs.write('cas', bytes('2'), 'd2', 0)).code).toBe('precondition_failed');
    const second = right(await two.configs.write('cas', bytes('2'), 'd2', first.revision));
    expect(left(await one.configs.write('cas', bytes('3'), 'd3', first.revision)).code).toBe(
      'precondition_failed',
    );
    expect(left(await one.configs.remove('cas', first.revision)).code).toBe('precondition_failed');
    expect(text(right(await one.configs.read('cas'))?.content)).toBe('2');
    const before = await server.stateOf(STREAM);
    right(await one.configs.write('cas', bytes('4'), 'd4', second.revision));
    expect((await server.stateOf(STREAM)).messages).toBe(before.messages);
  });

  test('of many that write at once, one wins, and no content is left behind', async () => {
    const start = right(await one.configs.write('race', bytes('0'), 'd', 0));
    const before = await server.stateOf(STREAM);
    const tries = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        (index % 2 === 0 ? one : two).configs.write('race', bytes(`${index}`), 'd', start.revision),
      ),
    );
    const won = tries.flatMap((result, index) => (result._tag === 'Right' ? [index] : []));
    expect(won).toHaveLength(1);
    expect(text(right(await two.configs.read('race'))?.content)).toBe(String(won[0]));
    expect((await server.stateOf(STREAM)).messages).toBe(before.messages);
  });

  test('a reader gets a whole archive while writers replace it', async () => {
    const contentOf = (version: number): Buffer => Buffer.alloc(400_000, version);
    let { revision } = right(await one.configs.write('busy', contentOf(0), 'v0', 0));
    const progress = { isDone: false };
    const writing = (async () => {
      for (let version = 1; version <= 20; version += 1) {
        ({ revision } = right(await one.configs.write('busy', contentOf(version), `v${version}`, revision)));
      }
      progress.isDone = true;
    })();
    while (!progress.isDone) {
      const read = right(await two.configs.read('busy'));
      expect(hash(read?.content)).toBe(hash(contentOf(Number(read?.info.digest.slice(1)))));
    }
    await writing;
  });

  test('a removed archive is gone, with its content, and can be written again', async () => {
    const before = await server.stateOf(STREAM);
    const { revision } = right(await one.configs.write('gone', randomBytes(300_000), 'd', 0));
    right(await two.configs.remove('gone', revision));
    expect(left(await two.configs.remove('gone', revision)).code).toBe('precondition_failed');
    expect(right(await one.configs.read('gone'))).toBeNull();
    // The marker.
    expect((await server.stateOf(STREAM)).messages).toBe(before.messages + 1);
    right(await one.configs.write('gone', bytes('x'), 'd', 0));
    expect(right(await one.configs.list()).map(({ name }) => name)).toContain('gone');
  });

  test('a watch tells archives, then changes and removals', async () => {
    const first = right(await one.configs.write('w1', bytes('x'), 'd1', 0));
    const watch = await watchArchives(two.configs);
    await watch.until((_, currents) => currents === 1);
    expect(watch.changes.find(({ name }) => name === 'w1')?.info).toMatchObject({ digest: 'd1' });
    const known = watch.changes.length;
    const { revision } = right(await one.configs.write('w1', bytes('y'), 'd2', first.revision));
    right(await one.configs.remove('w1', revision));
    await watch.until((changes) => changes.length === known + 2);
    expect(watch.changes.slice(known)).toEqual([
      { name: 'w1', info: { name: 'w1', digest: 'd2', revision } },
      { name: 'w1', info: null },
    ]);
    watch.stop();
  });

  test('a watch tells apart what the servers lost and what was removed', async () => {
    const { digest } = right(await one.configs.write('lost', bytes('x'), 'd1', 0));
    const watch = await watchArchives(two.configs);
    await watch.until((_, currents) => currents === 1);
    const known = watch.changes.length;
    await server.withClient(async (client) => {
      await (await jetstream(client).jetstreamManager()).streams.delete(STREAM);
    });
    await watch.until((changes) => changes.slice(known).some(({ name }) => name === 'lost'));
    expect(watch.changes.slice(known)).toContainEqual({ name: 'lost', info: 'wiped' });
    // Whatever its revision in the new stream is.
    const again = right(await one.configs.write('lost', bytes('x'), digest, 0));
    await watch.until((changes) => changes.at(-1)?.info !== 'wiped');
    expect(watch.changes.at(-1)).toEqual({ name: 'lost', info: again });
    watch.stop();
  });

  test('damaged content is unreadable, not handed over', async () => {
    right(await one.configs.write('damaged', randomBytes(300_000), 'd', 0));
    await server.withClient(async (client) => {
      const store = await new Objm(jetstream(client)).open('spate-lab-configs');
      const info = await store.info('damaged');
      const manager = await jetstream(client).jetstreamManager();
      const chunk = await manager.streams.getMessage(STREAM, {
        last_by_subj: `$O.spate-lab-configs.C.${info?.nuid}`,
      });
      await manager.streams.deleteMessage(STREAM, chunk?.seq ?? 0);
    });
    const error = left(await two.configs.read('damaged'));
    expect(error.code).toBe('unreadable');
    expect(error.message).toMatch(/archive damaged: part 3 of 3 is missing/);
  });

  test("NATS' own object store client reads the archives", async () => {
    const content = randomBytes(300_000);
    right(await one.configs.write('plain name', content, 'd', 0));
    const read = await server.withClient(async (client) =>
      (await new Objm(jetstream(client)).open('spate-lab-configs')).getBlob('plain name'),
    );
    expect(hash(read ?? undefined)).toBe(hash(content));
  });
});
