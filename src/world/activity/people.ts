import {
  MICROS_PER_HOUR,
  MICROS_PER_MINUTE,
  MICROS_PER_SECOND,
  type Micros,
} from '../../domain/time/micros.js';
import { type KeyedDraws, weighted } from '../draw.js';
import type { Person, WorldHost } from '../population/entities.js';
import { type ActiveSpan, type DayPlan, isAtScreen, logonId, processId } from '../schedule/day.js';
import { changeFacts } from './accounts.js';
import { programFor, type RunningProcess } from './endpoint.js';
import type { ActivityFacts } from './kinds.js';
import { moreInSession, typosBefore } from './linux/minute.js';
import { anyContact, privateAddress } from './mail/senders.js';
import { addressOfName, pageFacts } from './nameAddress.js';
import {
  ADMIN_TOOLS,
  EXPLORER,
  LINUX_TOOLS,
  LONG_RUNNING,
  type RunnableProgram,
  SERVICES,
  SESSION_BROWSER,
  SHORT,
  WMI_PROVIDER,
} from './programs.js';
import type { Scribe, Surroundings } from './scribe.js';
import { APPLICATIONS, SHARED_FILES, SITES, SUBJECTS } from './sites.js';
import { vpnSessionOf, WHY_SESSION } from './vpn.js';

/** Purposes of draws of people. */
const WHY = { session: WHY_SESSION, minute: 33, work: 34 } as const;

const shortAt = weighted(SHORT);
const toolAt = weighted(ADMIN_TOOLS);
const linuxToolAt = weighted(LINUX_TOOLS);
const siteAt = weighted(SITES);
const applicationAt = weighted(APPLICATIONS);

/** Numbers of long-running programs. */
export const OUTLOOK = 0;
export const CHROME = 1;

/** Acts a minute of a person of median pace at a screen. */
const ACTS = weighted([
  [46, 'browse'],
  [17, 'use_share'],
  [13, 'run_program'],
  [13, 'use_application'],
  [6, 'send_mail'],
] as const);
const BUSY_KINDS = ['browse', 'use_share', 'run_program', 'use_application', 'send_mail'] as const;
const ACTS_PER_MINUTE = 1.1;

/** Changes of accounts and groups, an administrator and hour. */
const CHANGES_PER_HOUR = 0.8;

const ON_SERVER_PER_MINUTE = 1.6;

/** Share of the pages that somebody opens whose names the computer knows already, and the size of these pages. */
export const CACHED_SHARE = 0.55;
export const OPENED_BYTES = [70_000, 1.3] as const;

/** Share of the mail to outside that goes to a mailbox of the sender. */
const PRIVATE_MAIL_SHARE = 0.12;

const isIn = (at: Micros, [from, to]: ActiveSpan): boolean => at >= from && at < to;

export const programFacts = (program: RunnableProgram): ActivityFacts => ({ ...program });

/** The address of a person at a moment of the day; null at home without the VPN. */
export const addressDuring = (
  plan: DayPlan | null,
  person: Person,
  at: Micros,
): { readonly ip: string; readonly zone: string } | null => {
  if (plan?.where !== 'home') return { ip: person.workstation.ip, zone: 'office' };
  return plan.vpn.some((span) => isIn(at, span)) ? { ip: person.vpn_ip, zone: 'vpn' } : null;
};

/** Writes what a person does in a minute. */
export const personMinute = (
  scribe: Scribe,
  world: Surroundings,
  person: Person,
  plan: DayPlan,
  from: Micros,
): void => {
  const to = from + MICROS_PER_MINUTE;
  const [begin, end] = plan.span;
  if (end <= from || begin >= to) return;
  scribe.from('people');
  if (plan.minutes.has(from / MICROS_PER_MINUTE)) turns(scribe, world, person, plan, from);
  if (plan.work.length > 0) serverActs(scribe, world, baseOf(person, plan), plan, from);
  busyActs(scribe, world, person, plan, from);
};

interface Base {
  readonly person: Person;
  readonly host: WorldHost;
  readonly session: string | null;
  readonly truth: null;
}

const baseOf = (person: Person, plan: DayPlan): Base => ({
  ...{ person, host: person.workstation, session: plan.logon_id, truth: null },
});

/** What begins or ends in a minute. */
const turns = (scribe: Scribe, world: Surroundings, person: Person, plan: DayPlan, from: Micros): void => {
  const to = from + MICROS_PER_MINUTE;
  const [begin, end] = plan.span;
  const base = baseOf(person, plan);
  const within = (at: Micros): boolean => at >= from && at < to;
  const isOnline = plan.where === 'office';
  const how = {
    type: isOnline ? 2 : 11,
    package: 'Negotiate',
    is_online: isOnline,
    pid: plan.explorer_pid,
  };

  if (within(begin))
    scribe.act({ ...base, kind: 'sign_in', at: begin, facts: { ...how, typos: plan.typos } });
  for (const [away, back] of plan.locks) {
    if (within(away)) scribe.act({ ...base, kind: 'lock', at: away, facts: {} });
    if (within(back)) {
      const logon_id = logonId(world.draws.of(person.number, back, WHY.session));
      const isReached = addressDuring(plan, person, back) !== null;
      const facts = { package: 'Negotiate', is_online: isReached, logon_id };
      scribe.act({ ...base, kind: 'unlock', at: back, facts });
    }
  }
  vpnActs(scribe, world, base, plan, within);
  for (const { program, span } of plan.programs) {
    const facts = {
      ...programFacts(LONG_RUNNING[program] as RunnableProgram),
      pid: plan.pids[program] ?? 0,
      parent_image: EXPLORER.image,
      parent_pid: plan.explorer_pid,
    };
    if (within(span[0])) scribe.act({ ...base, kind: 'run_program', at: span[0], facts });
    if (within(span[1])) scribe.act({ ...base, kind: 'close_program', at: span[1], facts });
  }
  if (within(end)) scribe.act({ ...base, kind: 'sign_out', at: end, facts: how });
};

const vpnActs = (
  scribe: Scribe,
  { draws }: Surroundings,
  base: Base,
  plan: DayPlan,
  within: (at: Micros) => boolean,
): void => {
  const { ip } = base.person.home;
  for (const [from, to] of plan.vpn) {
    if (!within(from) && !within(to)) continue;
    const own = draws.of(base.person.number, from, WHY.session);
    const session = vpnSessionOf(own);
    const tries = own.chance(0.06) ? 2 + Math.floor(own.exponential(0.6)) : 1;
    if (within(from))
      scribe.act({
        ...base,
        session,
        kind: 'connect_vpn',
        at: from,
        facts: { ip, access: base.person.home, tries, is_refused: false },
      });
    if (within(to)) {
      const reason = own.pick(['logout', 'logout', 'idle', 'line_lost']);
      const seconds = Math.round((to - from) / MICROS_PER_SECOND);
      const facts = { ip, access: base.person.home, reason, seconds };
      scribe.act({ ...base, session, kind: 'disconnect_vpn', at: to, facts });
    }
  }
};

/** What starts the programs of a session on a server. */
const PARENTS = {
  rdp: EXPLORER.image,
  ssh: '/usr/bin/bash',
  wmi: WMI_PROVIDER,
  smb: SERVICES,
} as const;

const serverActs = (scribe: Scribe, world: Surroundings, base: Base, plan: DayPlan, from: Micros): void => {
  const to = from + MICROS_PER_MINUTE;
  for (const [order, { server, protocol, span }] of plan.work.entries()) {
    const number = 1 + order * 1_000;
    if (span[1] <= from || span[0] >= to) continue;
    const own = world.draws.of(base.person.number, span[0], WHY.work);
    const logon_id = logonId(own);
    const facts = { server, protocol, logon_id };
    const parent_pid = processId(own);
    const isSsh = protocol === 'ssh';
    if (span[0] >= from) {
      if (isSsh) typosBefore(scribe, world, { person: base.person, server, at: span[0] }, from);
      scribe.act({ ...base, kind: 'administer', at: span[0], facts });
    }
    const rate = own.lognormal(ON_SERVER_PER_MINUTE, 0.5);
    const count = world.draws.of(base.person.number, from + number, WHY.work).poisson(rate);
    for (let index = 1; index <= count; index++) {
      const minute = world.draws.of(base.person.number, from + number + index, WHY.work);
      const at = from + Math.floor(minute.next() * MICROS_PER_MINUTE);
      const program = isSsh ? linuxToolAt(minute.next()) : toolAt(minute.next());
      const pid = isSsh ? minute.integer(1_000, 4_000_000) : processId(minute);
      // Nothing is started before the session is there, or after it.
      if (at < span[0] + 2 * MICROS_PER_SECOND || at >= span[1]) continue;
      if (isSsh)
        moreInSession(scribe, world, { person: base.person, server, at }, { session: logon_id, parent_pid });
      if (scribe.leavesOut('run_program')) continue;
      const parent_image = PARENTS[protocol];
      scribe.act({
        ...base,
        host: server,
        session: logon_id,
        kind: 'run_program',
        at,
        facts: { ...programFacts(program), pid, parent_image, parent_pid },
      });
    }
    if (span[1] < to) scribe.act({ ...base, kind: 'finish_work', at: span[1], facts });
  }
};

/** What a person at the screen does. The rate is highest after the sign-in and falls to two thirds. */
export const busyActs = (
  scribe: Scribe,
  world: Surroundings,
  person: Person,
  plan: DayPlan,
  from: Micros,
): void => {
  const minute = world.draws.of(person.number, from, WHY.minute);
  const since_h = (from - plan.span[0]) / MICROS_PER_HOUR;
  const mean = ACTS_PER_MINUTE * person.pace * (0.67 + 0.5 * Math.exp(-Math.max(0, since_h)));
  const count = minute.poisson(mean);
  if (count === 0 && !person.is_admin) return;
  const base = baseOf(person, plan);
  const isDone = isCounted(scribe, person, plan, from, count);
  for (let index = 1; index <= count && !isDone; index++) {
    const own = world.draws.of(person.number, from + index, WHY.minute);
    const at = from + Math.floor(own.next() * MICROS_PER_MINUTE);
    const kind = ACTS(own.next());
    const isOnNetwork = addressDuring(plan, person, at) !== null;
    if (!isAtScreen(plan, at) || (kind !== 'run_program' && !isOnNetwork)) continue;
    if (scribe.leavesOut(kind)) continue;
    const facts = busyFacts(kind, own, world, person, plan.explorer_pid);
    const program = networkProgram(kind, plan, at);
    const all = program === null ? facts : { ...facts, image: program.image, pid: program.pid };
    scribe.act({ ...base, kind, at, facts: all });
  }
  if (!person.is_admin) return;
  const changes = minute.poisson(CHANGES_PER_HOUR / 60);
  for (let index = 0; index < changes; index++) {
    const at = from + Math.floor(minute.next() * MICROS_PER_MINUTE);
    if (isIn(at, plan.span))
      scribe.act({ ...base, kind: 'change_account', at, facts: changeFacts(minute, world) });
  }
};

/**
 * Counts the acts of a minute in which nothing begins or ends, when that is all that must be known of them: those of
 * somebody who is away from the screen are none, those of somebody on the network are all.
 */
const isCounted = (scribe: Scribe, person: Person, plan: DayPlan, from: Micros, count: number): boolean => {
  const minute = from / MICROS_PER_MINUTE;
  if (plan.minutes.has(minute) || plan.minutes.has(minute - 1)) return false;
  if (!isAtScreen(plan, from)) return true;
  return addressDuring(plan, person, from) !== null && scribe.leavesOutAll(BUSY_KINDS, count);
};

/** The program that takes a person to the network. */
const networkProgram = (kind: ReturnType<typeof ACTS>, plan: DayPlan, at: Micros): RunningProcess | null => {
  if (kind === 'browse' || kind === 'use_application') return programFor(plan, at, [CHROME, SESSION_BROWSER]);
  return kind === 'send_mail' ? programFor(plan, at, [OUTLOOK]) : null;
};

const busyFacts = (
  kind: 'browse' | 'use_share' | 'run_program' | 'use_application' | 'send_mail',
  own: KeyedDraws,
  world: Surroundings,
  person: Person,
  parent_pid: number,
): ActivityFacts => {
  const { population } = world;
  switch (kind) {
    case 'browse': {
      const name = siteAt(own.next());
      return pageFacts(world, own, name, own.chance(CACHED_SHARE), OPENED_BYTES);
    }
    case 'use_share': {
      const server = own.pick(population.serversOf('file_server'));
      const has_ticket = own.chance(0.7);
      return { server, path: own.pick(SHARED_FILES), logon_id: logonId(own), has_ticket };
    }
    case 'run_program': {
      const program = person.is_engineer && own.chance(0.3) ? toolAt(own.next()) : shortAt(own.next());
      return { ...programFacts(program), pid: processId(own), parent_image: EXPLORER.image, parent_pid };
    }
    case 'use_application': {
      const [application, name] = applicationAt(own.next());
      return { application, name, to_ip: addressOfName(world, name), is_known: own.chance(CACHED_SHARE) };
    }
    case 'send_mail': {
      const colleague = population.person(own.integer(0, population.size - 1));
      const customer = own.chance(0.6) ? null : own.integer(1, 60);
      const written = { subject: own.pick(SUBJECTS), bytes: Math.round(own.lognormal(18_000, 1.4)) };
      if (customer === null) return { to: colleague.email, ...written };
      const isPrivate = own.chance(PRIVATE_MAIL_SHARE);
      const to = isPrivate ? privateAddress(own, person.user) : anyContact(world, own, customer);
      return { to, ...written };
    }
  }
};
