import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { nkeys } from '@nats-io/transport-node';
import { type ClusterOptions, connectCluster } from '../../../src/adapters/nats/link.js';
import { systemClock } from '../../../src/adapters/systemClock.js';
import type { Result } from '../../../src/domain/errors.js';
import type { ClusterLink } from '../../../src/ports/cluster.js';
import { bytes, linkTo, natsAt, text, watchArchives, watchBucket } from '../../support/cluster/link.js';
import { left, right } from '../../support/either.js';
import { freePort } from '../../support/instance.js';
import { memoryLog } from '../../support/logs.js';
import { hasPrograms, needs } from '../../support/programs.js';
import {
  AUTHORITY,
  type CertificateFolder,
  certificateFolder,
  SERVER,
} from '../../support/servers/certificates.js';
import {
  hasClusterNats,
  type NatsServer,
  NEEDS_CLUSTER_NATS,
  startNats,
} from '../../support/servers/natsServer.js';

const describeNats = hasClusterNats && hasPrograms('openssl') ? describe : describe.skip;

const connectTo = (
  server: string,
  nats: Partial<ClusterOptions['nats']> = {},
  more: Partial<ClusterOptions> = {},
): Promise<Result<ClusterLink>> =>
  connectCluster({
    name: 'lab',
    nats: natsAt([server], nats),
    replicas: 1,
    connect_timeout_ms: 300,
    clock: systemClock,
    log: memoryLog().log,
    ...more,
  });

const NO_TLS = { enabled: false, ca_cert: null, cert: null, cert_key: null };

test('an unreachable server is unavailable: the error says which, why and what to do', async () => {
  const address = `127.0.0.1:${await freePort()}`;
  const error = left(await connectTo(address));
  expect(error.code).toBe('unavailable');
  expect(error.message).toMatch(/cannot connect to NATS at 127.0.0.1:\d+: .*refused.*Check `servers`/);
});

test.each(['', 'a b', 'é', 'a.b', '>'])('the cluster name %j is refused', async (name) => {
  expect(left(await connectTo('127.0.0.1:1', {}, { name })).code).toBe('invalid');
});

test('a missing file of credentials or certificates is named', async () => {
  for (const [option, message] of [
    [{ credentials_file: '/none.creds' }, /nats\.credentials_file: cannot read \/none\.creds/],
    [{ nkey_file: '/none.nk' }, /nats\.nkey_file: cannot read/],
    [{ username: 'spate', password_file: '/none.pw' }, /nats\.password_file: cannot read/],
    [{ token_file: '/none.token' }, /nats\.token_file: cannot read/],
    [{ tls: { ...NO_TLS, ca_cert: '/none.pem' } }, /nats\.tls\.ca_cert: cannot read/],
  ] as const) {
    const error = left(await connectTo('127.0.0.1:1', option));
    expect(error.code).toBe('unreadable');
    expect(error.message).toMatch(message);
  }
});

describeNats(`connections to NATS ${NEEDS_CLUSTER_NATS} ${needs('openssl')}`, () => {
  let folder: CertificateFolder;
  let server: NatsServer | null = null;
  /** Path of a new file with a text. */
  const fileWith = (content: string): string => {
    const path = folder.path(`secret-${secrets++}`);
    writeFileSync(path, `${content}\n`);
    return path;
  };
  let secrets = 0;
  const login = (password = 'secret') => ({ username: 'spate', password_file: fileWith(password) });
  const start = async (config: string): Promise<string> => {
    server = await startNats(config);
    return `127.0.0.1:${server.port}`;
  };

  beforeAll(() => {
    folder = certificateFolder();
    for (const name of ['ca', 'other']) folder.make(name, { by: null, extensions: AUTHORITY });
    folder.make('server', { extensions: SERVER });
  });
  afterEach(async () => {
    await server?.remove();
    server = null;
  });
  afterAll(() => folder.remove());

  test('user, password and token are checked', async () => {
    const address = await start('authorization {user: "spate", password: "secret"}');
    for (const wrong of [{}, login('wrong'), { token_file: fileWith('x') }]) {
      const error = left(await connectTo(address, wrong));
      expect(error.code).toBe('unavailable');
      expect(error.message).toMatch(/Authorization Violation.*Check `credentials_file`/i);
      expect(error.message).not.toContain('secret');
    }
    await right(await connectTo(address, login())).close();
  });

  test('permissions that the user lacks are named until it connects again', async () => {
    const address = await start(
      'authorization {users: [{user: "spate", password: "secret", permissions: {publish: {deny: "$KV.spate-lab-globals.>"}}}]}',
    );
    const link = right(await connectTo(address, login()));
    right(await link.leases.write('g.web', bytes('x'), 0));
    expect(link.denied()).toEqual([]);
    const refused = left(await link.globals.write('s.shop', bytes('x'), 0));
    expect(refused.message).toContain('Publish to "$KV.spate-lab-globals.s.shop"');
    expect(refused.message).toContain('Correct the permissions of the NATS user.');
    expect(link.denied()).toEqual(['publish to "$KV.spate-lab-globals.s.shop"']);
    await link.close();
  });

  test('the permissions of docs/cluster-nats.md are enough', async () => {
    const block = /```text\n(authorization \{[\s\S]*?)```/.exec(
      readFileSync('docs/cluster-nats.md', 'utf8'),
    )?.[1];
    const address = await start(block ?? '');
    const [one, two] = [right(await connectTo(address, login())), right(await connectTo(address, login()))];
    const watches = await Promise.all([two.nodes, two.startup, two.leases].map(watchBucket));
    const archives = await watchArchives(two.configs);
    for (const name of ['nodes', 'startup', 'leases', 'globals', 'checkpoints'] as const) {
      right(await one[name].write('k', bytes('x'), 0));
      expect(text(right(await two[name].read('k'))?.value)).toBe('x');
      right(await one[name].remove('k', null));
    }
    const first = right(await one.configs.write('shop', bytes('1'), 'd1', 0));
    const second = right(await one.configs.write('shop', bytes('2'), 'd2', first.revision));
    expect(text(right(await two.configs.read('shop'))?.content)).toBe('2');
    right(await one.configs.remove('shop', second.revision));
    await Promise.all(watches.map((watch) => watch.until((changes) => changes.length > 1)));
    await archives.until((changes) => changes.at(-1)?.info === null);
    two.calls.serve(
      'two',
      async (request) => ({ head: request, stream: null }),
      new AbortController().signal,
    );
    // The server takes requests of a connection in turn: after this answer it knows the subscription.
    right(await two.nodes.read('k'));
    expect(text(right(await one.calls.call('two', bytes('hello'), 10_000)).head)).toBe('hello');
    expect([...one.denied(), ...two.denied()]).toEqual([]);
    await Promise.all([one.close(), two.close()]);
  });

  test('a token connects', async () => {
    const address = await start('authorization {token: "t0ken"}');
    expect(left(await connectTo(address, { token_file: fileWith('wrong') })).code).toBe('unavailable');
    await right(await connectTo(address, { token_file: fileWith('t0ken') })).close();
  });

  test('the seed of an NKey connects, a file of another kind is refused', async () => {
    const pair = nkeys.createUser();
    const address = await start(`authorization {users: [{nkey: "${pair.getPublicKey()}"}]}`);
    const path = fileWith(Buffer.from(pair.getSeed()).toString('latin1'));
    await right(await connectTo(address, { nkey_file: path })).close();
    expect(left(await connectTo(address, { nkey_file: folder.path('ca.pem') })).code).toBe('invalid');
    expect(left(await connectTo(address, { credentials_file: folder.path('ca.pem') })).code).toBe('invalid');
  });

  test('the certificate of the server is verified', async () => {
    const address = await start(
      `tls {cert_file: "${folder.path('server.pem')}", key_file: "${folder.path('server.key')}"}`,
    );
    const error = left(await connectTo(address, { tls: { ...NO_TLS, ca_cert: folder.path('other.pem') } }));
    expect(error.code).toBe('unavailable');
    expect(error.message).toMatch(/Check `tls`/);
    const link = right(await connectTo(address, { tls: { ...NO_TLS, ca_cert: folder.path('ca.pem') } }));
    right(await link.nodes.write('a', bytes('1'), 0));
    right(await link.nodes.remove('a', null));
    await link.close();
  });

  test('a server without JetStream is unavailable at the first use', async () => {
    const plain = await startNats();
    writeFileSync(join(plain.folder, 'nats.conf'), `listen: "127.0.0.1:${plain.port}"\n`);
    await plain.kill();
    await plain.start();
    const link = right(await connectTo(`127.0.0.1:${plain.port}`));
    const error = left(await link.nodes.read('a'));
    expect(error.code).toBe('unavailable');
    expect(error.message).toMatch(/JetStream does not answer\. Check that it is enabled/);
    await link.close();
    await plain.remove();
  });

  test('a link goes on when its server was down, and logs both', async () => {
    const address = await start('');
    const { log, lines } = memoryLog();
    const link = await linkTo([address], { log });
    right(await link.nodes.write('a', bytes('1'), 0));
    await server?.kill();
    while (link.isConnected()) await link.nodes.read('a');
    expect(left(await link.nodes.read('a')).message).toMatch(/there is no connection to NATS/);
    await server?.start();
    while (!link.isConnected()) await link.nodes.read('a');
    expect(right(await link.nodes.read('a'))?.revision).toBe(1);
    expect(lines.map(({ message }) => message)).toEqual([
      'the connection to NATS is lost',
      expect.stringMatching(/^connected to NATS again/),
    ]);
    await link.close();
  });

  test('buckets with another number of replicas stay, with a warning', async () => {
    const address = await start('');
    const first = await linkTo([address]);
    right(await first.nodes.write('a', bytes('1'), 0));
    await first.close();
    const { log, lines } = memoryLog();
    const second = await linkTo([address], { replicas: 3, log });
    expect(right(await second.nodes.read('a'))?.revision).toBe(1);
    right(await second.nodes.read('a'));
    expect(lines.map(({ level, message }) => `${level}: ${message}`)).toEqual([
      expect.stringMatching(/^warning: bucket spate-lab-nodes has 1 replicas, not 3/),
    ]);
    expect(left(await second.leases.read('a')).message).toMatch(/replicas > 1 not supported/);
    await second.close();
  });
});
