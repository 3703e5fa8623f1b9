/**
 * What `npm start`, `npm test` and `npm run check` do before and around their work: install packages when
 * the lock file has changed, build when a source has, then run. Plain Node, so that it runs in a fresh
 * clone where nothing is installed yet.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, root } from './build.mjs';
import { isClusterNats, unpackPackages } from './debianPackages.mjs';

const bin = (name) => join(root, 'node_modules', '.bin', name);

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Runs a program to its end and passes signals on to it. Resolves to its exit code. */
const run = (command, args, env = {}) =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } });
    const passOn = (signal) => child.kill(signal);
    for (const signal of SIGNALS) process.on(signal, passOn);
    const release = () => {
      for (const signal of SIGNALS) process.off(signal, passOn);
    };
    child.once('error', (error) => {
      release();
      reject(error);
    });
    child.once('exit', (status) => {
      release();
      resolve(status ?? 1);
    });
  });

/** `npm ci` when the installed packages are not those of the lock file. */
const install = async () => {
  const stamp = join(root, 'node_modules', '.spate-lock');
  const digest = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return 0;
  process.stderr.write('spate: installing packages (first start or changed lock file)\n');
  const status = await run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel', 'error']);
  if (status === 0) writeFileSync(stamp, digest);
  return status;
};

/** What some tests use where it is there, and the Debian packages that bring it. */
const TEST_PEERS = [
  {
    probe: ['python3', '-c', "import zoneinfo; zoneinfo.ZoneInfo('Asia/Kathmandu')"],
    packages: ['python3', 'tzdata'],
  },
  { probe: ['python3', '-c', 'import jinja2'], packages: ['python3-jinja2'] },
  { probe: ['openssl', 'version'], packages: ['openssl'] },
  { probe: ['curl', '--version'], packages: ['curl'] },
  { probe: ['sh', '-c', 'command -v clickhouse-server'], packages: ['clickhouse-server'] },
  { probe: ['nginx', '-v'], packages: ['nginx-light'] },
  { probe: ['rsyslogd', '-v'], packages: ['rsyslog'] },
  { probe: ['sh', '-c', 'ls /usr/lib/*/rsyslog/lmnsd_ossl.so'], packages: ['rsyslog-openssl'] },
  { probe: ['kcat', '-V'], packages: ['kcat'] },
  // Of any version; see also installClusterNats.
  { probe: ['nats-server', '--version'], packages: ['nats-server'] },
  { probe: ['sh', '-c', 'command -v mosquitto'], packages: ['mosquitto'] },
  { probe: ['sh', '-c', 'command -v mosquitto_sub'], packages: ['mosquitto-clients'] },
  // Its programs only; Debian keeps them outside of PATH.
  { probe: ['sh', '-c', 'ls /usr/lib/postgresql/*/bin/initdb'], packages: ['postgresql'] },
  { probe: ['redis-server', '--version'], packages: ['redis-server'] },
  // It reads Avro files.
  { probe: ['sh', '-c', 'command -v avrocat'], packages: ['avro-bin'] },
  // The client of AWS, against the fake of S3.
  { probe: ['python3', '-c', 'import boto3'], packages: ['python3-boto3'] },
  // TLS in front of servers that speak HTTP.
  { probe: ['haproxy', '-v'], packages: ['haproxy'] },
  // It brings promtool; nothing of it runs.
  { probe: ['promtool', '--version'], packages: ['prometheus'] },
  // They complete command lines of spate, and print its manual page.
  { probe: ['zsh', '--version'], packages: ['zsh'] },
  { probe: ['fish', '--version'], packages: ['fish'] },
  { probe: ['groff', '--version'], packages: ['groff-base'] },
  // Its programs only: nothing of it runs. Units name /bin/kill, which procps brings.
  { probe: ['systemd-analyze', '--version'], packages: ['systemd'] },
  { probe: ['/bin/kill', '-l'], packages: ['procps'] },
  // The browser of the tests of the web UI, without its windows.
  { probe: ['sh', '-c', 'command -v chromium-headless-shell'], packages: ['chromium-headless-shell'] },
];

const NATS_PROGRAM = '/usr/local/bin/nats-server';

/** Debian 12 has a nats-server that is too old for clusters. That of Debian 13 is one file that runs there too. */
const installClusterNats = () => {
  process.stderr.write(`spate: installing ${NATS_PROGRAM} of Debian 13 for the tests\n`);
  const work = mkdtempSync(join(tmpdir(), 'spate-nats-server-'));
  try {
    unpackPackages(join(work, 'root'), ['nats-server'], 'trixie');
    // The former file may run.
    copyFileSync(join(work, 'root', 'usr', 'sbin', 'nats-server'), `${NATS_PROGRAM}.new`);
    renameSync(`${NATS_PROGRAM}.new`, NATS_PROGRAM);
    return 0;
  } catch (error) {
    process.stderr.write(`spate: ${NATS_PROGRAM}: ${error.stderr || error.message}\n`);
    return 1;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
};

/**
 * With SPATE_TEST_INSTALL=1 installs what tests would otherwise skip for. Nothing that is installed is
 * started: tests start their own servers in temporary folders.
 */
const installTestPeers = async () => {
  if (process.env.SPATE_TEST_INSTALL !== '1') return 0;
  const isThere = ([command, ...args]) => spawnSync(command, args, { stdio: 'ignore' }).status === 0;
  const packages = TEST_PEERS.filter(({ probe }) => !isThere(probe)).flatMap((peer) => peer.packages);
  if (packages.length > 0) {
    process.stderr.write(`spate: installing ${packages.join(', ')} for the tests\n`);
    const quiet = { DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
    const status =
      (await run('apt-get', ['update', '-qq'], quiet)) ||
      (await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], quiet));
    if (status !== 0) return status;
  }
  return isClusterNats('nats-server') ? 0 : installClusterNats();
};

/** Most of what tests run ends before optimized code of it pays. Later versions of V8 have no such flag. */
const LATE = process.versions.v8.startsWith('11.') ? ['--interrupt-budget=1000000'] : [];

const jest = (args, env = {}) =>
  run(
    process.execPath,
    [
      ...LATE,
      '--experimental-vm-modules',
      '--no-warnings',
      join(root, 'node_modules', 'jest', 'bin', 'jest.js'),
      ...args,
    ],
    env,
  );

const spate = (args) => run(process.execPath, [join(root, 'dist', 'src', 'cli', 'main.js'), ...args]);

/** Runs steps until one fails. */
const steps = async (list) => {
  for (const [name, step] of list) {
    const status = await step();
    if (status === 0) continue;
    if (name !== null) process.stderr.write(`spate: ${name} failed\n`);
    return status;
  }
  return 0;
};

/** The typed lint takes as long as all others together, on one core. */
const CHECKS = [
  [
    ['types', () => run(bin('tsc'), ['--noEmit', '-p', 'tsconfig.json'])],
    ['types of the web UI', () => run(bin('tsc'), ['--noEmit', '-p', 'src/ui/tsconfig.json'])],
    ['format and lint', () => run(bin('biome'), ['check', '.'])],
    [
      'generated files (npm run docs brings them up to date)',
      () => run(process.execPath, ['.ci/docs.mjs', '--check']),
    ],
    ['size of the web UI', () => run(process.execPath, ['.ci/uiSize.mjs'])],
    ['examples', () => spate(['validate', 'generators', 'incidents', 'settings', 'worlds'])],
    ['architecture', () => jest(['test/architecture.test.ts'])],
  ],
  [['typed lint', () => run(bin('eslint'), ['src', 'actors', 'test'])]],
];

/** Runs lists of steps side by side, each to its end or first failure. */
const sideBySide = async (lists) => {
  const statuses = await Promise.all(lists.map(steps));
  return statuses.find((status) => status !== 0) ?? 0;
};

const COMMANDS = {
  // `npm start` becomes the program itself afterwards, so that signals reach it.
  ready: () => 0,
  test: () =>
    steps([
      ['installing what tests need', installTestPeers],
      [null, () => jest(process.argv.slice(3))],
    ]),
  // Every core has work: no test waits for a program.
  'test:fast': () => jest(['--maxWorkers=100%', ...process.argv.slice(3)], { SPATE_TEST_FAST: '1' }),
  check: () => sideBySide(CHECKS),
  dev: () => run(process.execPath, ['.ci/dev.mjs', ...process.argv.slice(3)]),
  shots: () => run(process.execPath, ['test/ui/shots.mjs', ...process.argv.slice(3)]),
  docs: () => run(process.execPath, ['.ci/docs.mjs']),
  site: () => run(process.execPath, ['.ci/site.mjs', ...process.argv.slice(3)]),
  bench: () => run(process.execPath, ['test/bench/run.mjs', ...process.argv.slice(3)]),
  loss: () => run(process.execPath, ['test/loss/run.mjs', ...process.argv.slice(3)]),
  'cluster-demo': () => run(process.execPath, ['test/clusterDemo/run.mjs', ...process.argv.slice(3)]),
};

/** Commands that run from the sources: they need no build. */
const UNBUILT = ['test:fast', 'site'];

const command = COMMANDS[process.argv[2]];
if (command === undefined) {
  process.stderr.write(
    'usage: node .ci/setup.mjs ready|dev|test|test:fast|check|docs|site|shots|bench|loss|cluster-demo\n',
  );
  process.exit(2);
}
process.exit(
  await steps([
    ['npm ci', install],
    ['the build', UNBUILT.includes(process.argv[2]) ? () => 0 : build],
    [null, command],
  ]),
);
