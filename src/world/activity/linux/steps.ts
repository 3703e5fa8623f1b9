import { MICROS_PER_SECOND, type Micros } from '../../../domain/time/micros.js';
import { type KeyedDraws, weighted } from '../../draw.js';
import type { WorldHost } from '../../population/entities.js';
import { processId } from '../../schedule/day.js';
import type { ActivityFacts } from '../kinds.js';
import { addressOfName } from '../nameAddress.js';
import type { Act, Surroundings } from '../scribe.js';
import { CLOSED_PORTS, type DaemonProgram, FILE_TOOLS, LOG_FILES, SYSTEMD } from './programs.js';

const fileToolAt = weighted(FILE_TOOLS);
const portAt = weighted(CLOSED_PORTS);

/** Where something happens on a Linux server, and whose draws decide about it. */
export interface LinuxScene {
  readonly own: KeyedDraws;
  readonly world: Surroundings;
  readonly host: WorldHost;
}

/** One act of something that takes a while. */
export interface LinuxStep {
  /** Time from the beginning. */
  readonly after: Micros;
  readonly act: Omit<Act, 'truth' | 'at'>;
}

/** A time that is lognormal around so many seconds. */
export const seconds = (own: KeyedDraws, median: number, sigma: number): Micros =>
  Math.round(own.lognormal(median, sigma) * MICROS_PER_SECOND);
export const linuxPid = (own: KeyedDraws): number => own.integer(1_000, 4_000_000);

/** Accounts that are made on servers themselves, for guests and for tools. */
export const newAccount = (own: KeyedDraws): string =>
  `svc-${own.pick(['deploy', 'guest', 'report', 'sync', 'probe', 'batch'])}${own.integer(10, 99)}`;

const filled = (own: KeyedDraws, args: string): string =>
  args.includes('{')
    ? args.replace('{account}', newAccount(own)).replace('{log}', own.pick(LOG_FILES))
    : args;

/** Facts of a program that runs, with nothing that Windows has. */
export const programOnLinux = (
  own: KeyedDraws,
  image: string,
  args: string,
  life: number,
  parent: { readonly parent_image: string; readonly parent_pid: number },
  account: string,
): ActivityFacts => {
  const given = filled(own, args);
  const command_line = given === '' ? image : `${image} ${given}`;
  const pid = linuxPid(own);
  // A literal without a spread, here and in the rules of `run_program`: most activities of a world are made by them.
  return {
    image,
    command_line,
    seconds: life,
    libraries: [],
    writes: null,
    key: null,
    pid,
    account,
    parent_image: parent.parent_image,
    parent_pid: parent.parent_pid,
  };
};

export const one = (act: LinuxStep['act'], after: Micros = 0): LinuxStep => ({ after, act });
export const atHost = (host: WorldHost): Pick<Act, 'person' | 'host' | 'session'> => ({
  ...{ person: null, host, session: null },
});

export const runDaemon = (
  { own, host }: LinuxScene,
  { account, parent_image, image, args, seconds: life }: DaemonProgram,
  after: Micros = 0,
): LinuxStep => {
  const parent_pid = parent_image === SYSTEMD ? 1 : processId(own);
  const facts = programOnLinux(own, image, args, life, { parent_image, parent_pid }, account);
  return one({ ...atHost(host), kind: 'run_program', facts }, after);
};

export const openFile = (
  { own, host }: LinuxScene,
  path: string,
  account: string,
  session: string | null = null,
  login: string | null = null,
  after: Micros = 0,
): LinuxStep => {
  const [image, writes] = fileToolAt(own.next());
  const is_refused = own.chance(account === 'root' ? 0.02 : 0.45);
  const ids = { pid: linuxPid(own), parent_pid: processId(own) };
  const facts = { path, writes, is_refused, image, ...ids, account, login };
  return one({ ...atHost(host), session, kind: 'open_file', facts }, after);
};

/** A program connects to a server of the organization, or to a name outside. */
export const reach = (
  { own, world, host }: LinuxScene,
  image: string,
  account: string,
  to: WorldHost | string,
  port: number,
  application: string,
  bytes_out: number,
  after: Micros = 0,
): LinuxStep => {
  const isName = typeof to === 'string';
  const facts = {
    ...{ image, pid: linuxPid(own), account, to: isName ? null : to, to_name: isName ? to : to.fqdn },
    ...{ to_ip: isName ? addressOfName(world, to) : to.ip, port, application, bytes_out },
    is_refused: own.chance(0.04),
  };
  return one({ ...atHost(host), kind: 'reach_server', facts }, after);
};

/** An archive of a part of a database is packed and sent: every few minutes the log of changes, by night everything. */
export const archive = (scene: LinuxScene, account: string, to: WorldHost | string): readonly LinuxStep[] => {
  const { own, host } = scene;
  const parent = { parent_image: '/usr/bin/dash', parent_pid: processId(own) };
  const file = `/var/backups/base-${own.integer(16_384, 16_484)}.tgz`;
  const base = atHost(host);
  const pack = programOnLinux(
    own,
    '/usr/bin/tar',
    `-czf ${file} /var/lib/postgresql/15/main/base`,
    3,
    parent,
    account,
  );
  const target = typeof to === 'string' ? `https://${to}/` : `https://${to.fqdn}/`;
  const send = programOnLinux(own, '/usr/bin/curl', `-sT ${file} ${target}`, 4, parent, account);
  const packed = seconds(own, 4, 0.5);
  return [
    one({ ...base, kind: 'run_program', facts: pack }),
    one({ ...base, kind: 'run_program', facts: send }, packed),
    reach(scene, '/usr/bin/curl', account, to, 443, 'ssl', own.lognormal(30_000_000, 1.2), packed + 90_000),
  ];
};

/** Changes an account of the server itself, as the tools for it do. */
export const changeLocally = (
  { own, host }: LinuxScene,
  action: string,
  target: string,
  account: string,
  session: string | null = null,
  after: Micros = 0,
): LinuxStep => {
  const facts = { action, target, account, pid: linuxPid(own), is_refused: own.chance(0.02) };
  return one({ ...atHost(host), session, kind: 'change_local_account', facts }, after);
};

/** A port of the server that nobody serves is tried: by strangers where they can, else by what looks for something. */
export const tryPort = ({ own, host }: LinuxScene, from_ip: string, after: Micros = 0): LinuxStep => {
  const [to_port, protocol] = portAt(own.next());
  const facts = { ip: from_ip, port: own.integer(1_024, 65_535), to_port, protocol };
  return one({ ...atHost(host), kind: 'try_port', facts }, after);
};
