import {
  MICROS_PER_DAY,
  MICROS_PER_HOUR,
  MICROS_PER_MINUTE,
  MICROS_PER_SECOND,
  type Micros,
} from '../../../domain/time/micros.js';
import type { KeyedDraws } from '../../draw.js';
import type { Person } from '../../population/entities.js';
import { accessAbroad, scannerNumber, siteAddress } from '../../population/population.js';
import type { DayPlan } from '../../schedule/day.js';
import type { ActivityFacts } from '../kinds.js';
import { accessOf } from '../rules/signOn.js';
import type { Scribe, Surroundings } from '../scribe.js';
import { jobOf, newUserName, someBucket } from './calls.js';
import {
  askingPrincipal,
  type CloudClient,
  type CloudMachine,
  type CloudPrincipal,
  type CloudWork,
  estateOf,
  staffRole,
  toolClient,
  toolUserAt,
} from './principals.js';

/** Purposes of draws of the cloud by the minute. */
const WHY = { machine: 484, tool: 485, shell: 486, line: 487, stranger: 489 } as const;

/** Numbers of acts: three for each person, then those of machines. The last one of a person is for the console. */
const FIRST_OF_MACHINES = 15_000;
export const ACTS_OF_PERSON = 3;
export const CONSOLE_ACT = 2;

/** Things that a machine with a role, and a tool with a key, do in a minute. */
const JOBS_PER_MINUTE = { machine: 1.1, tool: 6 };
const TRIES_OF_STRANGERS = 0.5;

const PACE_MS = { machine: 45, tool: 160, shell: 700, console: 900 } as const;

export type CloudPace = keyof typeof PACE_MS;

/** Facts of an act in the cloud. */
export const cloudFacts = (
  own: KeyedDraws,
  principal: CloudPrincipal,
  client: CloudClient,
  calls: readonly string[],
  pace: CloudPace,
  grants: CloudPrincipal | null = null,
): ActivityFacts => ({
  // A literal without a spread: most of what a cloud does is made by it.
  principal,
  client,
  calls,
  grants,
  pace_ms: PACE_MS[pace],
  bucket: someBucket(own),
  // Whoever makes a user goes on with it.
  target: calls[0] === 'iam:CreateUser' ? newUserName(own) : null,
});

const NOBODY = { person: null, host: null, session: null, truth: null } as const;

/** Writes what machines, tools and strangers do in the cloud in a minute. */
export const cloudMinute = (scribe: Scribe, world: Surroundings, from: Micros): void => {
  if (!scribe.isWanted('use_cloud')) return;
  scribe.from('cloud', FIRST_OF_MACHINES);
  const mean = JOBS_PER_MINUTE.machine * loadAt(world, from);
  for (const machine of estateOf(world).machines) machineActs(scribe, world, machine, from, mean);
  toolActs(scribe, world, from);
  strangerActs(scribe, world, from);
};

const HOURS_PER_DAY = 24;
/** 1970-01-01 was a Thursday. */
const isWeekend = (at: Micros): boolean => (Math.floor(at / MICROS_PER_DAY) + 3) % 7 >= 5;

/** Services serve customers, of whom most come in the afternoon, by the sun where most people of the organization are. */
const loadAt = ({ population }: Surroundings, at: Micros): number => {
  const longitude = population.sites[0]?.longitude ?? 0;
  const hour = (at / MICROS_PER_HOUR + longitude / 15) % HOURS_PER_DAY;
  return (0.68 + 0.5 * Math.exp(-(((hour - 14) / 5.5) ** 2))) * (isWeekend(at) ? 0.8 : 1);
};

const machineActs = (
  scribe: Scribe,
  world: Surroundings,
  machine: CloudMachine,
  from: Micros,
  mean: number,
): void => {
  const { role, client, number } = machine;
  const estate = estateOf(world);
  const own = world.draws.of(number, from, WHY.machine);
  const to = from + MICROS_PER_MINUTE;
  const last = estate.sessionAt(machine, to - 1);
  // A session that begins now is asked for by the service that the role is for.
  if (last.begin >= from) {
    const asks =
      role.service === null
        ? askingPrincipal('AWSAccount', role.name, role.id)
        : askingPrincipal('AWSService', role.service, role.id);
    const facts = cloudFacts(own, asks, client, ['sts:AssumeRole'], 'machine', last.principal);
    scribe.act({ ...NOBODY, kind: 'use_cloud', at: last.begin, facts });
  }
  for (let count = own.poisson(mean); count > 0; count--) {
    const at = from + Math.floor(own.next() * MICROS_PER_MINUTE);
    // Within the first moments of a session there is none yet.
    if (last.begin >= from && at < last.begin + MICROS_PER_SECOND && at >= last.begin) continue;
    const { principal } = at >= last.begin ? last : estate.sessionAt(machine, at);
    const facts = cloudFacts(own, principal, client, jobOf(own, role.work), 'machine');
    scribe.act({ ...NOBODY, kind: 'use_cloud', at, facts });
  }
};

const OFFICE = { provider: 'Harbor Office Networks', as_number: 64_510 };

const toolActs = (scribe: Scribe, world: Surroundings, from: Micros): void => {
  const { population, draws } = world;
  const own = draws.of(0, from, WHY.tool);
  const servers = population.serversOf('build_server');
  const load = population.size / 200;
  for (let count = own.poisson(JOBS_PER_MINUTE.tool * load); count > 0; count--) {
    const at = from + Math.floor(own.next() * MICROS_PER_MINUTE);
    const [name, tool] = toolUserAt(own.next());
    const site = (servers[name.length % Math.max(1, servers.length)] ?? population.servers[0])?.site;
    if (site === undefined) continue;
    const { city, country, latitude, longitude } = site;
    const ip = siteAddress(population.sites, site);
    const client = toolClient({ ...{ ip, city, country, latitude, longitude }, ...OFFICE }, tool);
    const facts = cloudFacts(own, estateOf(world).user(name), client, jobOf(own, 'tool'), 'tool');
    scribe.act({ ...NOBODY, kind: 'use_cloud', at, facts });
  }
};

/** Passwords that strangers try at the console; the record hides the name. */
const strangerActs = (scribe: Scribe, world: Surroundings, from: Micros): void => {
  const own = world.draws.of(0, from, WHY.stranger);
  for (let count = own.poisson(TRIES_OF_STRANGERS); count > 0; count--) {
    const at = from + Math.floor(own.next() * MICROS_PER_MINUTE);
    const access = world.population.outsider(scannerNumber(own));
    const { agent, name, os } = BROWSER;
    const client: CloudClient = { access, agent, agent_name: name, os, region: null };
    const facts = cloudFacts(own, HIDDEN, client, ['signin:ConsoleLogin'], 'console');
    scribe.act({ ...NOBODY, kind: 'use_cloud', at, facts });
  }
};
const HIDDEN: CloudPrincipal = {
  ...({ type: 'IAMUser', name: 'HIDDEN_DUE_TO_SECURITY_REASONS', role: null } as const),
  ...{ id: '', access_key_id: null, mfa: false, since: null },
};
const BROWSER = {
  name: 'Chrome',
  os: 'Windows',
  agent:
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/136.0.0.0 Safari/537.36',
};

/** Work at a command line, with the key of the user or with the session of a role that it asks for. */
interface Shell {
  readonly begin: Micros;
  readonly end: Micros;
  readonly principal: CloudPrincipal;
  readonly work: CloudWork;
  readonly client: CloudClient;
  /** The user asks for the session with its key, unless it works with that. */
  readonly isSession: boolean;
}

/** Shells a day of an engineer, and commands a minute in one. */
const SHELLS_PER_DAY = 6;
const COMMANDS_PER_MINUTE = 1.8;
const SHARE = { key: 0.4, new_key: 0.3, service: 0.15, away: 0.06 };

/** What a person works with at the command line. A role of a service is tried out now and then. */
export const shellPrincipal = (
  world: Surroundings,
  own: KeyedDraws,
  person: Person,
  begin: Micros,
): Pick<Shell, 'principal' | 'work' | 'isSession'> => {
  const estate = estateOf(world);
  const role = own.chance(SHARE.service) ? own.pick(estate.machines).role : estate.roleOf(staffRole(person));
  if (own.chance(SHARE.key)) {
    const principal = own.chance(SHARE.new_key) ? estate.newKey(person.user) : estate.user(person.user);
    return { principal, work: 'engineer', isSession: false };
  }
  const principal = estate.session(role.name, person.user, own.chance(0.9), begin);
  return { principal, work: role.work, isSession: true };
};

const shellsOf = (world: Surroundings, person: Person, plan: DayPlan): readonly Shell[] => {
  const own = world.draws.of(person.number, plan.day, WHY.shell);
  const [from, to] = plan.span;
  return Array.from({ length: own.poisson(SHELLS_PER_DAY) }, (): Shell => {
    const begin = Math.floor(from + own.next() * (to - from));
    const end = Math.min(to, begin + Math.round(own.lognormal(25, 0.7) * MICROS_PER_MINUTE));
    const isAway = own.chance(SHARE.away);
    const abroad = accessAbroad(world, own);
    const access = isAway ? abroad : accessAt(world, person, begin);
    const tool = own.integer(0, 3);
    return { begin, end, ...shellPrincipal(world, own, person, begin), client: toolClient(access, tool) };
  });
};

const accessAt = (world: Surroundings, person: Person, at: Micros) =>
  accessOf({ at, person, host: person.workstation }, world);

/** Remembers the shells of the day of each person. The function writes the acts of a minute. */
export const cloudShells = (
  world: Surroundings,
): ((scribe: Scribe, person: Person, plan: DayPlan, from: Micros) => void) => {
  const kept = new Map<number, { readonly day: number; readonly shells: readonly Shell[] }>();
  return (scribe, person, plan, from) => {
    if (!person.is_engineer || !scribe.isWanted('use_cloud')) return;
    let known = kept.get(person.number);
    if (known?.day !== plan.day) {
      known = { day: plan.day, shells: shellsOf(world, person, plan) };
      kept.set(person.number, known);
    }
    const open = known.shells.find(({ begin, end }) => end > from && begin < from + MICROS_PER_MINUTE);
    if (open === undefined) return;
    scribe.from('cloud', person.number * ACTS_OF_PERSON);
    shellActs(scribe, world, person, open, from);
  };
};

const shellActs = (scribe: Scribe, world: Surroundings, person: Person, shell: Shell, from: Micros): void => {
  const { begin, end, principal, client, work, isSession } = shell;
  const own = world.draws.of(person.number, from, WHY.line);
  const base = { person, host: null, session: null, truth: null, kind: 'use_cloud' } as const;
  if (isSession && begin >= from) {
    const user = estateOf(world).user(person.user);
    const facts = cloudFacts(own, user, client, ['sts:AssumeRole'], 'shell', principal);
    scribe.act({ ...base, at: begin, facts });
  }
  const left = CONSOLE_ACT - (isSession && begin >= from ? 1 : 0);
  for (let count = Math.min(left, own.poisson(COMMANDS_PER_MINUTE)); count > 0; count--) {
    const at = from + Math.floor(own.next() * MICROS_PER_MINUTE);
    if (at < begin + 2 * MICROS_PER_SECOND || at >= end) continue;
    const facts = cloudFacts(own, principal, client, jobOf(own, work), 'shell');
    scribe.act({ ...base, at, facts });
  }
};
