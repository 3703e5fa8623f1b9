import { MICROS_PER_MINUTE, MICROS_PER_MS, type Micros } from '../../domain/time/micros.js';
import { type KeyedDraws, weighted } from '../draw.js';
import type { Person, WorldHost } from '../population/entities.js';
import { scannerNumber } from '../population/population.js';
import { type DayPlan, isAtScreen, logonId, processId } from '../schedule/day.js';
import { administrators, changeFacts, IDENTITY_SYNC } from './accounts.js';
import type { ActivityFacts } from './kinds.js';
import { ADMIN_TOOLS, WMI_PROVIDER } from './programs.js';
import type { Act, Scribe, Surroundings } from './scribe.js';

/** Purposes of draws. */
const WHY = { machine: 300, unlock: 301, desk: 302, outside: 303, remote: 304 } as const;

/** Times a minute that a machine which is on does something by itself. */
const OF_SERVERS = { service: 1, ticket: 0.5, monitoring: 1.2, credentials: 0.35, password: 0.35 } as const;
const OF_WORKSTATIONS = {
  ...{ service: 0.06, ticket: 0.12, monitoring: 0, credentials: 0.015, password: 0.035 },
} as const;

/** Changes of accounts and groups a minute: those of the personnel system, and those of a help desk, an administrator. */
const SYNCED_PER_MINUTE = 1.6;
const HELP_DESK_PER_MINUTE = 0.18;
/** Own passwords that a person changes, a minute. */
const NEW_PASSWORDS_PER_MINUTE = 0.003;

const MISTYPED_SHARE = 0.14;

const serviceAt = weighted([
  [60, ['SYSTEM', 'wuauserv']],
  [24, ['SYSTEM', 'TrustedInstaller']],
  [9, ['NETWORK SERVICE', 'DoSvc']],
  [7, ['LOCAL SERVICE', 'WdiServiceHost']],
] as const);

const ticketAt = weighted([
  [30, 'krbtgt'],
  [26, 'ldap'],
  [22, 'host'],
  [12, 'HTTP'],
  [10, 'cifs'],
] as const);
/** A ticket that is too old, an unknown account, one that may not sign in now; most are answered. */
const ticketStatusAt = weighted([
  [960, '0x0'],
  [24, '0x20'],
  [9, '0x6'],
  [7, '0x12'],
] as const);

const runnerAt = weighted([
  [30, 'svchost.exe'],
  [22, 'consent.exe'],
  [18, 'runas.exe'],
  [16, 'wbem\\WMIC.exe'],
  [14, 'taskhostw.exe'],
] as const);

const refusalAt = weighted([
  [66, 'bad_password'],
  [16, 'unknown_user'],
  [8, 'expired'],
  [6, 'disabled'],
  [4, 'locked'],
] as const);

const toolAt = weighted(ADMIN_TOOLS);

/** Names that exist on no domain, but once did or often do. */
const STRAY_ACCOUNTS = ['scanner', 'kiosk', 'svc-old', 'test', 'admin', 'backup'] as const;

/** Facts of a program that uses another account: an administrator's for a moment, or that of a scheduled task. */
export const credentialFacts = (
  own: KeyedDraws,
  { population }: Surroundings,
  host: WorldHost,
): ActivityFacts => ({
  server: own.chance(0.5) ? host : own.pick(windowsServers(population.servers)),
  program: `C:\\Windows\\System32\\${runnerAt(own.next())}`,
  account: own.chance(0.6)
    ? own.pick(administrators(population))
    : own.pick(['svc-backup', 'svc-deploy', 'svc-scan']),
  logon_id: logonId(own),
});

const windowsServers = (servers: readonly WorldHost[]): readonly WorldHost[] =>
  servers.filter(({ os }) => os.family === 'windows');

/** Facts of a service that starts. */
export const serviceFacts = (own: KeyedDraws): ActivityFacts => {
  const [account, service] = serviceAt(own.next());
  return { account, service };
};

/** Facts of a ticket that a program asks for. */
export const ticketFacts = (own: KeyedDraws, { population }: Surroundings): ActivityFacts => {
  const service = ticketAt(own.next());
  const status = ticketStatusAt(own.next());
  const is_first = service === 'krbtgt';
  const server = own.pick(windowsServers(population.servers));
  return { service: is_first ? service : `${service}/${server.fqdn}`, server, status, is_first };
};

/** Facts of a tool that a monitoring system starts on a host by WMI. */
export const monitoringFacts = (own: KeyedDraws): ActivityFacts => ({
  ...toolAt(own.next()),
  ...{ pid: processId(own), parent_image: WMI_PROVIDER, parent_pid: own.integer(150, 1_600) * 4 },
});

/** Facts of a password that is wrong: what a program kept, or what somebody types into a window. */
const wrongPassword = (own: KeyedDraws, { population }: Surroundings, user: string | null): ActivityFacts => {
  const reason = refusalAt(own.next());
  const known = user ?? population.person(own.integer(0, population.size - 1)).user;
  const stray = own.pick(STRAY_ACCOUNTS);
  const target = own.pick(windowsServers(population.servers));
  return { account: reason === 'unknown_user' ? stray : known, target, reason, type: 3, locks: false };
};

/** What is done there. */
const WINDOWS_KINDS = [
  ...(['start_service', 'request_ticket', 'run_program', 'use_credentials', 'try_password'] as const),
  ...(['mistype_password', 'change_account', 'work_remotely', 'finish_remotely'] as const),
] as const;

/** Writes what a Windows machine of a domain does in a minute, and what its person does there with accounts. */
export const windowsMinute = (
  scribe: Scribe,
  world: Surroundings,
  host: WorldHost,
  person: Person | null,
  plan: DayPlan | null,
  from: Micros,
): void => {
  if (host.os.family !== 'windows' || !scribe.isWanted(...WINDOWS_KINDS)) return;
  scribe.from('windows');
  const own = world.draws.of(host.number, from, WHY.machine);
  const rates = person === null ? OF_SERVERS : OF_WORKSTATIONS;
  const machine: Pick<Act, 'person' | 'host' | 'session' | 'truth'> = {
    ...{ person: null, host, session: '0x3e7', truth: null },
  };
  const isOnNetwork = (at: Micros): boolean => person === null || world.addressOf(person, at) !== null;
  const often = (mean: number, write: (at: Micros) => void): void => {
    for (let count = own.poisson(mean); count > 0; count--)
      write(from + Math.floor(own.next() * MICROS_PER_MINUTE));
  };
  often(rates.service, (at) => {
    scribe.act({ ...machine, kind: 'start_service', at, facts: serviceFacts(own) });
  });
  often(rates.ticket, (at) => {
    const facts = ticketFacts(own, world);
    if (isOnNetwork(at)) scribe.act({ ...machine, kind: 'request_ticket', at, facts });
  });
  often(rates.monitoring, (at) => {
    scribe.act({ ...machine, kind: 'run_program', at, facts: monitoringFacts(own) });
  });
  often(rates.credentials, (at) => {
    const facts = credentialFacts(own, world, host);
    if (isOnNetwork(at)) scribe.act({ ...machine, kind: 'use_credentials', at, facts });
  });
  often(rates.password, (at) => {
    const facts = wrongPassword(own, world, person?.user ?? null);
    if (isOnNetwork(at)) scribe.act({ ...machine, kind: 'try_password', at, facts });
  });
  if (person !== null && plan !== null) deskMinute(scribe, world, person, plan, from);
  else if (host === world.population.serversOf('application_server')[0])
    often(SYNCED_PER_MINUTE, (at) => {
      const facts = { ...changeFacts(own, world), account: IDENTITY_SYNC };
      scribe.act({ ...machine, kind: 'change_account', at, facts });
    });
};

/** What a person does at the screen with accounts: passwords are mistyped and changed, and a help desk changes accounts. */
const deskMinute = (
  scribe: Scribe,
  world: Surroundings,
  person: Person,
  plan: DayPlan,
  from: Micros,
): void => {
  const to = from + MICROS_PER_MINUTE;
  const base: Pick<Act, 'person' | 'host' | 'session' | 'truth'> = {
    ...{ person, host: person.workstation, session: plan.logon_id, truth: null },
  };
  for (const [away, back] of plan.locks) {
    if (back < from || back >= to + MICROS_PER_MINUTE) continue;
    const own = world.draws.of(person.number, back, WHY.unlock);
    if (!own.chance(MISTYPED_SHARE)) continue;
    const at = back - Math.round(own.lognormal(4_000, 0.3) * MICROS_PER_MS);
    if (at < from || at >= to || at <= away || world.addressOf(person, at) === null) continue;
    scribe.act({ ...base, kind: 'mistype_password', at, facts: { type: 7 } });
  }
  const own = world.draws.of(person.number, from, WHY.desk);
  const mean = person.is_admin ? HELP_DESK_PER_MINUTE : NEW_PASSWORDS_PER_MINUTE;
  for (let count = own.poisson(mean); count > 0; count--) {
    const at = from + Math.floor(own.next() * MICROS_PER_MINUTE);
    const facts = person.is_admin
      ? changeFacts(own, world)
      : { action: 'password_changed', target: person.user, group: null };
    if (isAtScreen(plan, at) && world.addressOf(person, at) !== null)
      scribe.act({ ...base, kind: 'change_account', at, facts });
  }
  remoteDesk(scribe, world, person, plan, from);
};

const REMOTE_SHARE = 0.6;

/** From home, some people open a desktop on the published server for a while, beside the VPN. */
const remoteDesk = (
  scribe: Scribe,
  world: Surroundings,
  person: Person,
  plan: DayPlan,
  from: Micros,
): void => {
  if (plan.where !== 'home') return;
  const [begin, end] = plan.span;
  const own = world.draws.of(person.number, begin, WHY.remote);
  if (!own.chance(REMOTE_SHARE)) return;
  const to = from + MICROS_PER_MINUTE;
  let at = begin + Math.round(own.exponential(40 * MICROS_PER_MINUTE));
  while (at < end - 5 * MICROS_PER_MINUTE) {
    const until = Math.min(at + Math.round(own.lognormal(25, 0.7) * MICROS_PER_MINUTE), end);
    const facts = remoteFacts(own, world, person.home.ip);
    const base = { person, host: null, session: null, truth: null };
    if (at >= from && at < to) scribe.act({ ...base, kind: 'work_remotely', at, facts });
    if (until >= from && until < to) scribe.act({ ...base, kind: 'finish_remotely', at: until, facts });
    at = until + Math.round(own.exponential(70 * MICROS_PER_MINUTE));
  }
};

/** Facts of a session on the server that is published. */
export const remoteFacts = (own: KeyedDraws, { population }: Surroundings, ip: string): ActivityFacts => ({
  server: population.serversOf('application_server')[0] ?? null,
  ip,
  logon_id: logonId(own),
});

/** Passwords that scanners of the internet try on the published server, a minute. */
const TRIES_PER_MINUTE = 1.6;

const tryAccount = weighted([
  [40, 'administrator'],
  [20, 'admin'],
  [14, 'test'],
  [10, 'backup'],
  [8, 'guest'],
  [8, 'user'],
] as const);

/** A name as Windows gives it to a computer that nobody named. */
export const unnamedComputer = (own: KeyedDraws): string => `WIN-${own.hex(11).toUpperCase()}`;

/** Facts of a password that somebody outside tries. */
export const remoteTry = (
  { population }: Surroundings,
  account: string,
  ip: string,
  workstation: string,
): ActivityFacts => ({
  ...{ account, target: population.serversOf('application_server')[0] ?? null, ip, workstation },
  reason: account.includes('.') || account === 'administrator' ? 'bad_password' : 'unknown_user',
});

/** Writes what comes from outside to the published server in a minute. */
export const remoteMinute = (scribe: Scribe, world: Surroundings, from: Micros): void => {
  const { population, draws } = world;
  if (!scribe.isWanted('try_remotely')) return;
  scribe.from('remote');
  const own = draws.of(0, from, WHY.outside);
  for (let count = own.poisson(TRIES_PER_MINUTE); count > 0; count--) {
    const at = from + Math.floor(own.next() * MICROS_PER_MINUTE);
    const number = scannerNumber(own);
    const known = population.person(own.integer(0, population.size - 1)).user;
    const account = own.chance(0.4) ? known : tryAccount(own.next());
    const facts = remoteTry(world, account, population.outsider(number).ip, computerOf(world, number));
    scribe.act({ person: null, host: null, session: null, kind: 'try_remotely', at, facts, truth: null });
  }
};

/** The computer of somebody outside keeps its name. */
export const computerOf = ({ draws }: Surroundings, number: number): string =>
  unnamedComputer(draws.of(number, 1, WHY.outside));
