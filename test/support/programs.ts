import * as node from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

export type { ChildProcess, ChildProcessByStdio } from 'node:child_process';

/** Programs that tests run beside Node and those that every system has, each with the Debian package that brings it. */
const PACKAGES = {
  avrocat: 'avro-bin',
  bash: 'bash',
  chroot: 'coreutils',
  'clickhouse-server': 'clickhouse-server',
  debootstrap: 'debootstrap',
  'dpkg-deb': 'dpkg',
  curl: 'curl',
  fish: 'fish',
  groff: 'groff-base',
  haproxy: 'haproxy',
  kcat: 'kcat',
  mosquitto: 'mosquitto',
  mosquitto_passwd: 'mosquitto',
  mosquitto_pub: 'mosquitto-clients',
  mosquitto_sub: 'mosquitto-clients',
  mount: 'mount',
  'nats-server': 'nats-server',
  nginx: 'nginx-light',
  npm: 'npm',
  openssl: 'openssl',
  prlimit: 'util-linux',
  promtool: 'prometheus',
  python3: 'python3',
  'redis-cli': 'redis-tools',
  'redis-server': 'redis-server',
  rsyslogd: 'rsyslog',
  script: 'bsdutils',
  'systemd-analyze': 'systemd',
  'systemd-notify': 'systemd',
  umount: 'mount',
  zsh: 'zsh',
} as const;

export type TestProgram = keyof typeof PACKAGES;

/** Every system has them. */
const BASE: ReadonlySet<string> = new Set(['cat', 'id', 'mkfifo', 'sh', 'apt-get', 'dpkg']);

const isThere = (name: string): boolean =>
  (process.env['PATH'] ?? '').split(':').some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return folder !== '';
    } catch {
      return false;
    }
  });

/** Programs that this test file has asked for. */
const declared = new Set<string>();

/**
 * Whether the machine has all of these programs. A test asks for every program that it runs, is skipped without one of
 * them, and has `needs` in its name; the end of the run lists it. Running any other program is an error.
 */
export const hasPrograms = (...names: readonly TestProgram[]): boolean => {
  for (const name of names) declared.add(name);
  return names.every(isThere);
};

/** For the name of a test: what it runs, with the packages that bring it. */
export const needs = (...names: readonly TestProgram[]): string => {
  const packages = [...new Set(names.map((name) => PACKAGES[name]))];
  return `(needs ${names.join(', ')}: apt-get install ${packages.join(' ')})`;
};

/** Whether Python is there and runs this program, for example an import. */
export const hasPython = (program = ''): boolean =>
  hasPrograms('python3') && node.spawnSync('python3', ['-c', program], { stdio: 'ignore' }).status === 0;

const check = (program: string): void => {
  if (process.env['SPATE_TEST_FAST'] !== undefined)
    throw new Error(
      `${program} is run in the fast tier: name the test file in STARTS of test/support/fastTier.js`,
    );
  if (program.startsWith('/') || BASE.has(program) || declared.has(program)) return;
  throw new Error(
    `${program} is run without being asked for: hasPrograms('${program}') says whether the machine has it`,
  );
};

/** Started and not ended. */
const running = new Set<node.ChildProcess>();

const checked = <F extends (program: string, ...rest: never[]) => unknown>(call: F): F =>
  ((program: string, ...rest: never[]) => {
    check(program);
    return call(program, ...rest);
  }) as F;

/** As those of Node, for programs that were asked for. What `spawn` starts ends with the test file at the latest. */
export const spawnSync: typeof node.spawnSync = checked(node.spawnSync);
export const execFileSync: typeof node.execFileSync = checked(node.execFileSync);
export const runFile = checked(promisify(node.execFile));
export const spawn = ((program: string, args: readonly string[], options: node.SpawnOptions = {}) => {
  check(program);
  const child = node.spawn(program, args, options);
  running.add(child);
  child.once('exit', () => running.delete(child));
  child.once('error', () => running.delete(child));
  if (options.detached === true) leaders.add(child);
  return child;
}) as typeof node.spawn;

/** Children that lead a process group, which ends with them. */
const leaders = new WeakSet<node.ChildProcess>();

const end = async (child: node.ChildProcess): Promise<void> => {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  try {
    process.kill(leaders.has(child) ? -child.pid : child.pid, 'SIGKILL');
  } catch {
    return;
  }
  await ended;
};

const endAll = async (): Promise<void> => {
  await Promise.all([...running].map(end));
};

// `environment.js` calls it after the last hook, also when a set-up threw.
Object.assign(globalThis, { endPrograms: endAll });
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});
