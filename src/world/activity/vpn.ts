import {
  MICROS_PER_HOUR,
  MICROS_PER_MINUTE,
  MICROS_PER_SECOND,
  type Micros,
} from '../../domain/time/micros.js';
import { type DrawSource, type KeyedDraws, textNumber } from '../draw.js';
import type { InternetAccess, Person } from '../population/entities.js';
import { scannerNumber } from '../population/population.js';
import type { ActiveSpan, DayPlan } from '../schedule/day.js';
import type { ActivityFacts } from './kinds.js';
import { GUESSED_ACCOUNTS } from './linux/programs.js';
import type { Scribe, Surroundings } from './scribe.js';

/** Purposes of draws of the VPN. */
const WHY = { session: 471, stranger: 472 } as const;

/** Purpose of the draws of sessions of people. */
export const WHY_SESSION = 32;
const SESSION_DIGITS = 12;

/** The first that is drawn for a session of the VPN is its number. */
export const vpnSessionOf = (own: KeyedDraws): string => own.hex(SESSION_DIGITS);

/** The session that a person has at the VPN at a moment, of those that belong to the day, and since when. */
export const vpnSessionAt = (
  { draws, planAt }: Pick<Surroundings, 'draws' | 'planAt'>,
  person: Person,
  at: Micros,
): { readonly vpn_session: string; readonly vpn_begin: Micros } | null => {
  const [begin] = planAt(person, at)?.vpn.find(([from, to]) => at >= from && at < to) ?? [];
  if (begin === undefined) return null;
  return { vpn_session: vpnSessionOf(draws.of(person.number, begin, WHY_SESSION)), vpn_begin: begin };
};

/** Whether somebody is on the VPN within a minute from a moment, which is as long as an act has effects. */
export const mayBeOnVpn = (plan: DayPlan | null, at: Micros): boolean =>
  plan?.vpn.some(([begin, end]) => begin < at + 2 * MICROS_PER_MINUTE && end > at) === true;

const HEAVY_SHARE = 0.04;
const HEAVY_FACTOR = 40;
/** A session carries more, then less, about once in so many seconds. */
const WAVE_SECONDS = 4_400;

/** What a session has carried after so many seconds: it only grows. */
export const vpnBytes = (draws: DrawSource, session: string, seconds: number, is_heavy: boolean) => {
  const own = draws.of(textNumber(session, 31), 0, WHY.session);
  const [out, back] = [own.lognormal(900, 0.9), own.lognormal(7_000, 0.9)];
  const phase = own.next() * 2 * Math.PI;
  const factor = is_heavy || own.chance(HEAVY_SHARE) ? HEAVY_FACTOR : 1;
  const wave = WAVE_SECONDS / (2 * Math.PI);
  const busy = seconds + 0.6 * wave * (Math.cos(phase) - Math.cos(seconds / wave + phase));
  return {
    bytes_out: Math.round(700 + out * factor * busy),
    bytes_in: Math.round(900 + back * factor * busy),
  };
};

/** What the gateway does with a session now and then, and how many seconds lie between. */
const CARES = [
  ['accounting', 120],
  ['keys', 600],
] as const;

/** What does not change of the sessions of people, by the part of the day that each lasts. */
const staysOfPeople = new WeakMap<
  ActiveSpan,
  { readonly stay: VpnStay; readonly first: readonly Micros[] }
>();

const stayOf = (world: Surroundings, person: Person, span: ActiveSpan) => {
  const known = staysOfPeople.get(span);
  if (known !== undefined) return known;
  const [begin, end] = span;
  const session = vpnSessionOf(world.draws.of(person.number, begin, WHY_SESSION));
  const stay = { session, access: person.home, begin, end, is_heavy: false };
  const made = { stay, first: firstCares(world, stay) };
  staysOfPeople.set(span, made);
  return made;
};

/** Writes what the gateway does in a minute with the sessions of a person who works at home. */
export const keepMinute = (
  scribe: Scribe,
  world: Surroundings,
  person: Person,
  plan: DayPlan,
  from: Micros,
): void => {
  const base = { person, host: person.workstation, truth: null };
  for (const span of plan.vpn) {
    if (span[1] <= from || span[0] >= from + MICROS_PER_MINUTE) continue;
    const { stay, first } = stayOf(world, person, span);
    const { session } = stay;
    for (const [at, facts] of caresWithin(world, stay, from, from + MICROS_PER_MINUTE, first))
      scribe.act({ ...base, session, kind: 'keep_vpn', at, facts });
  }
};

/** A session from its login on. */
export interface VpnStay {
  readonly session: string;
  readonly access: InternetAccess;
  readonly begin: Micros;
  readonly end: Micros;
  readonly is_heavy: boolean;
}

/** When the gateway does each of these first. */
const firstCares = (
  { draws }: Pick<Surroundings, 'draws'>,
  { session, begin }: VpnStay,
): readonly Micros[] => {
  const own = draws.of(textNumber(session, 31), 1, WHY.session);
  return CARES.map(([, every]) => begin + Math.round((0.3 + 0.7 * own.next()) * every * MICROS_PER_SECOND));
};

/** What the gateway does with a session between two moments: when, and the facts. */
export const caresWithin = (
  world: Pick<Surroundings, 'draws'>,
  stay: VpnStay,
  from: Micros,
  to: Micros,
  firstOf: readonly Micros[] = firstCares(world, stay),
): readonly (readonly [at: Micros, facts: ActivityFacts])[] => {
  const { session, access, begin, end, is_heavy } = stay;
  const found: (readonly [Micros, ActivityFacts])[] = [];
  for (const [index, [what, every]] of CARES.entries()) {
    const first = firstOf[index] as Micros;
    const gap = every * MICROS_PER_SECOND;
    let number = Math.max(0, Math.ceil((from - first) / gap));
    for (let at = first + number * gap; at < to && at < end; at = first + number * gap) {
      const seconds = Math.round((at - begin) / MICROS_PER_SECOND);
      const bytes = vpnBytes(world.draws, session, seconds, is_heavy);
      found.push([at, { what, count: ++number, seconds, ip: access.ip, access, ...bytes }]);
    }
  }
  return found;
};

/** Passwords that strangers try at the gateway, a minute. */
export const TRIES_PER_MINUTE = 8;
/** Some come for an hour, and have a list of names. */
const KNOWN_SHARE = 0.6;

/** Facts of a password that is wrong. */
export const wrongVpnPassword = (account: string, access: InternetAccess, reason: string): ActivityFacts => ({
  ...{ account, reason, ip: access.ip, access, tries: 2, is_refused: true },
});

export const strangerReason = (own: KeyedDraws, isKnown: boolean): string => {
  if (!isKnown) return own.chance(0.8) ? 'unknown_user' : 'not_in_group';
  return own.chance(0.85) ? 'bad_password' : 'locked';
};

/** Writes the passwords that strangers try at the gateway in a minute. */
export const gatewayMinute = (scribe: Scribe, world: Surroundings, from: Micros): void => {
  const { population, draws } = world;
  const own = draws.of(0, from, WHY.stranger);
  // A few strangers do most of it: each is busy for a while.
  const busy = draws.of(1, Math.floor(from / MICROS_PER_HOUR), WHY.stranger);
  const these = Array.from({ length: 3 }, () => scannerNumber(busy));
  for (let count = own.poisson(TRIES_PER_MINUTE); count > 0; count--) {
    const at = from + Math.floor(own.next() * MICROS_PER_MINUTE);
    const access = population.outsider(own.chance(0.7) ? own.pick(these) : scannerNumber(own));
    const isKnown = own.chance(KNOWN_SHARE);
    const account = isKnown
      ? population.person(own.integer(0, population.size - 1)).user
      : own.pick(GUESSED_ACCOUNTS);
    const facts = wrongVpnPassword(account, access, strangerReason(own, isKnown));
    const base = { person: null, host: null, session: vpnSessionOf(own), truth: null };
    scribe.act({ ...base, kind: 'connect_vpn', at, facts });
  }
};
