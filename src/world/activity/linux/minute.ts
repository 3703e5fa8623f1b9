import { MICROS_PER_MINUTE, MICROS_PER_SECOND, type Micros } from '../../../domain/time/micros.js';
import { weighted } from '../../draw.js';
import type { HostRole, Person, WorldHost } from '../../population/entities.js';
import { scannerNumber } from '../../population/population.js';
import type { ActivityFacts } from '../kinds.js';
import type { Scribe, Surroundings } from '../scribe.js';
import { linuxDoing } from './doings.js';
import { GUESSED_ACCOUNTS, TOOL_ACCOUNTS } from './programs.js';
import { inSession, visit } from './sessions.js';
import type { LinuxStep } from './steps.js';

/** Purposes of draws of Linux servers. */
const WHY = { doing: 350, session: 351, typo: 352, outside: 353, scan: 354, stale: 355, visit: 356 } as const;

/** Things that happen on a server in a minute, by role: databases and web servers have most to do. */
const DOINGS_PER_MINUTE: Readonly<Partial<Record<HostRole, number>>> = {
  database_server: 7,
  web_server: 4.2,
};
const OF_OTHERS = 3.2;

/** Share of the programs of people on a server after which they do something else there. */
const MORE_SHARE = 0.6;
const TYPO_SHARE = 0.3;
/** Share of the hours in which a client of an engineer, or of a server, uses a password that was changed. */
const STALE_SHARE = { person: 0.2, server: 0.6 } as const;
/** Passwords that strangers try on each server that is reached from outside, a minute. */
export const TRIES_FROM_OUTSIDE = 3.5;
/** Share of the hours in which the scanner of the organization tries whether servers have weak passwords. */
const SCAN_SHARE = 0.8;
const MINUTES_PER_HOUR = 60;

const reasonAt = weighted([
  [76, 'bad_password'],
  [17, 'unknown_user'],
  [7, 'locked'],
] as const);

/** Servers with Linux that people and tools sign in on. */
export const linuxServers = ({ population }: Pick<Surroundings, 'population'>): readonly WorldHost[] =>
  population.servers.filter(({ os }) => os.family === 'linux');

/** Facts of a wrong password over SSH. */
export const wrongSshPassword = (
  server: WorldHost,
  account: string,
  reason: string,
  from_ip: string | null = null,
): ActivityFacts => ({ server, account, reason, from_ip });

/** All that is done on servers. */
export const ON_SERVERS = [
  'administer',
  'finish_work',
  'run_program',
  'run_job',
  'finish_job',
  'report_state',
  'use_sudo',
  'change_local_account',
  'change_unit',
  'open_file',
  'reach_server',
  'set_up_host',
  'try_port',
  'update_package',
] as const;

/** Writes what happens on Linux servers in a minute, beside what people do there. */
export const linuxMinute = (scribe: Scribe, world: Surroundings, from: Micros): void => {
  const servers = linuxServers(world);
  if (servers.length === 0 || !scribe.isMade('try_ssh', ...ON_SERVERS)) return;
  for (const host of servers) {
    scribe.from('servers');
    const own = world.draws.of(host.number, from, WHY.doing);
    const scene = { own, world, host };
    for (let count = own.poisson(DOINGS_PER_MINUTE[host.role] ?? OF_OTHERS); count > 0; count--)
      write(scribe, linuxDoing(scene), own.next(), from);
    staleMinute(scribe, world, { person: null, host }, from);
  }
  scribe.from('servers');
  strangersMinute(scribe, world, from);
  scanMinute(scribe, world, servers, from);
};

/** All of it within the minute: effects must come before the end of the next one. */
const write = (scribe: Scribe, steps: readonly LinuxStep[], share: number, from: Micros): void => {
  const length = (steps.at(-1)?.after ?? 0) + 1;
  const begin = from + Math.floor(share * Math.max(0, MICROS_PER_MINUTE - length));
  for (const { after, act } of steps) {
    const { kind, person, host, session, facts } = act;
    const at = Math.min(begin + after, from + MICROS_PER_MINUTE - 1);
    scribe.act({ kind, at, person, host, session, facts, truth: null });
  }
};

/** What a person is at on a server over SSH. */
interface OverSsh {
  readonly person: Person;
  readonly server: WorldHost;
  readonly at: Micros;
}

/** People rarely start one program alone. */
export const moreInSession = (
  scribe: Scribe,
  world: Surroundings,
  { person, server, at }: OverSsh,
  shell: { readonly session: string; readonly parent_pid: number },
): void => {
  const own = world.draws.of(person.number, at, WHY.session);
  if (!own.chance(MORE_SHARE)) return;
  const { act } = inSession({ own, world, host: server }, { ...shell, account: person.user, person }, 0);
  scribe.act({ ...act, at: at + Math.round(own.lognormal(350, 0.5) * 1_000), truth: null });
};

/** Some mistype before they are in. */
export const typosBefore = (
  scribe: Scribe,
  world: Surroundings,
  { person, server, at }: OverSsh,
  from: Micros,
): void => {
  const own = world.draws.of(person.number, at, WHY.typo);
  if (!own.chance(TYPO_SHARE)) return;
  let when = at;
  for (let count = own.integer(1, 3); count > 0; count--) {
    when -= Math.round(own.lognormal(4, 0.5) * MICROS_PER_SECOND);
    if (when < from) return;
    const facts = wrongSshPassword(server, person.user, 'bad_password');
    const base = { person, host: person.workstation, session: null, truth: null };
    scribe.act({ ...base, kind: 'try_ssh', at: when, facts });
  }
};

/** In some hours, a client that has a password which was changed tries it for some minutes; then it gets the new one. */
export const staleMinute = (
  scribe: Scribe,
  world: Surroundings,
  { person, host }: { readonly person: Person | null; readonly host: WorldHost },
  from: Micros,
): void => {
  if (!scribe.isWanted('try_ssh', ...ON_SERVERS)) return;
  const minute = from / MICROS_PER_MINUTE;
  const hour = Math.floor(minute / MINUTES_PER_HOUR);
  const own = world.draws.of(host.number, hour, WHY.stale);
  if (!own.chance(person === null ? STALE_SHARE.server : STALE_SHARE.person)) return;
  const first = own.integer(0, 54);
  const minutes = own.integer(1, 3);
  const within = minute - hour * MINUTES_PER_HOUR - first;
  if (within < 0 || within > minutes) return;
  const servers = linuxServers(world);
  if (servers.length === 0) return;
  scribe.from('stale');
  const server = own.pick(servers);
  const account = person?.user ?? own.pick(Object.values(TOOL_ACCOUNTS));
  const each = world.draws.of(host.number, minute, WHY.stale);
  const isOnNetwork = (at: Micros): boolean => person === null || world.addressOf(person, at) !== null;
  if (within === minutes) {
    const visitor = { from: host, account, method: 'password', person } as const;
    if (isOnNetwork(from) && isOnNetwork(from + MICROS_PER_MINUTE))
      write(scribe, visit({ own: each, world, host: server }, visitor), each.next(), from);
    return;
  }
  for (let count = each.poisson(6); count > 0; count--) {
    const at = from + Math.floor(each.next() * MICROS_PER_MINUTE);
    const facts = wrongSshPassword(server, account, reasonAt(each.next()));
    if (isOnNetwork(at)) scribe.act({ person, host, session: null, kind: 'try_ssh', at, facts, truth: null });
  }
};

/** Strangers try passwords on what can be reached from outside. */
const strangersMinute = (scribe: Scribe, world: Surroundings, from: Micros): void => {
  const { population } = world;
  for (const server of population.serversOf('jump_host')) {
    const own = world.draws.of(server.number, from, WHY.outside);
    for (let count = own.poisson(TRIES_FROM_OUTSIDE); count > 0; count--) {
      const at = from + Math.floor(own.next() * MICROS_PER_MINUTE);
      const { ip } = population.outsider(scannerNumber(own));
      const isKnown = own.chance(0.3);
      const account = isKnown
        ? population.person(own.integer(0, population.size - 1)).user
        : own.pick(GUESSED_ACCOUNTS);
      const facts = wrongSshPassword(server, account, isKnown ? 'bad_password' : 'unknown_user', ip);
      scribe.act({ person: null, host: null, session: null, kind: 'try_ssh', at, facts, truth: null });
    }
  }
};

/** The scanner of the organization goes from server to server. */
const scanMinute = (
  scribe: Scribe,
  world: Surroundings,
  servers: readonly WorldHost[],
  from: Micros,
): void => {
  const minute = from / MICROS_PER_MINUTE;
  const hour = Math.floor(minute / MINUTES_PER_HOUR);
  const [host] = world.population.serversOf('jump_host');
  const own = world.draws.of(0, hour, WHY.scan);
  if (host === undefined || !own.chance(SCAN_SHARE)) return;
  const within = minute - hour * MINUTES_PER_HOUR - own.integer(0, 45);
  if (within < 0 || within >= 10) return;
  const each = world.draws.of(0, minute, WHY.scan);
  for (let count = each.poisson(14); count > 0; count--) {
    const at = from + Math.floor(each.next() * MICROS_PER_MINUTE);
    const isTool = each.chance(0.4);
    const account = isTool ? each.pick(Object.values(TOOL_ACCOUNTS)) : each.pick(GUESSED_ACCOUNTS);
    const facts = wrongSshPassword(each.pick(servers), account, isTool ? 'bad_password' : 'unknown_user');
    scribe.act({ person: null, host, session: null, kind: 'try_ssh', at, facts, truth: null });
  }
};
