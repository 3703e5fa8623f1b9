import { MICROS_PER_SECOND, type Micros } from '../../domain/time/micros.js';
import { type KeyedDraws, weighted } from '../draw.js';
import type { InternetAccess, Person } from '../population/entities.js';
import { humanGap, toolGap } from './gaps.js';
import type { ActivityFacts, ActivityKind } from './kinds.js';
import type { Act, Surroundings } from './scribe.js';
import { APPLICATIONS } from './sites.js';

/** What the identity provider sees of the device: a type, because it is spread into facts. */
export type Client = {
  readonly access: InternetAccess;
  readonly agent: string;
  readonly device: string;
  readonly is_proxy: boolean;
  /** The device or the place is new to it. */
  readonly is_new: boolean;
};

/** Somebody at the identity provider, with the account of a person. */
export interface Visitor {
  readonly person: Person;
  readonly client: Client;
  readonly session: string;
  /** Changes what belongs to others. */
  readonly isAdmin: boolean;
  /** Works from abroad. */
  readonly isAway: boolean;
}

export type VisitAct = Omit<Act, 'truth'>;

const applicationAt = weighted(APPLICATIONS);

const actOf = (
  { person, client, session }: Visitor,
  kind: ActivityKind,
  at: Micros,
  facts: ActivityFacts,
): VisitAct => ({ person, host: null, session, kind, at, facts: { ...client, ...facts } });

export const wrongPassword = (visitor: Visitor, own: KeyedDraws, at: Micros): VisitAct => {
  const reason = own.chance(0.93) ? 'bad_password' : own.chance(0.6) ? 'expired' : 'locked';
  return actOf(visitor, 'sign_on', at, { outcome: 'failure', reason, factor: null });
};

export const rightPassword = (visitor: Visitor, at: Micros): VisitAct =>
  actOf(visitor, 'sign_on', at, { outcome: 'success', reason: null, factor: null });

export type FactorAnswer = 'accepted' | 'denied' | 'timed_out';
export const factorCheck = (
  visitor: Visitor,
  at: Micros,
  factor: 'push' | 'code' | 'key',
  answer: FactorAnswer,
): VisitAct => actOf(visitor, 'check_factor', at, { factor, answer });

export const openApplication = (visitor: Visitor, own: KeyedDraws, at: Micros): VisitAct =>
  actOf(visitor, 'open_application', at, { application: applicationAt(own.next())[0] });

export const signOff = (visitor: Visitor, at: Micros): VisitAct => actOf(visitor, 'sign_off', at, {});

const BY_PEOPLE = weighted([
  [34, 'password_changed'],
  [24, 'factor_added'],
  [12, 'factor_removed'],
  [22, 'profile_changed'],
  [8, 'unlocked'],
] as const);
const BY_ADMINS = weighted([
  [24, 'group_added'],
  [16, 'group_removed'],
  [18, 'application_added'],
  [10, 'application_removed'],
  [14, 'password_reset'],
  [8, 'factors_reset'],
  [6, 'factor_added'],
  [4, 'unlocked'],
] as const);
const GROUPS = [
  ...[
    'All Staff',
    'Project Members',
    'Contractors',
    'Code Forge Users',
    'Sales Cloud Users',
    'Cloud Readers',
  ],
  ...['Remote Workers', 'Finance Readers', 'Help Desk Agents', 'Cloud Admins', 'Code Forge Admins'],
];
const FACTORS = ['push', 'push', 'code', 'key'];

export const changeOf = (
  world: Surroundings,
  visitor: Visitor,
  own: KeyedDraws,
  at: Micros,
  given: string | null = null,
): VisitAct => {
  const { population } = world;
  const action = given ?? (visitor.isAdmin ? BY_ADMINS(own.next()) : BY_PEOPLE(own.next()));
  const target = visitor.isAdmin ? population.person(own.integer(0, population.size - 1)) : visitor.person;
  return actOf(visitor, 'change_sign_on', at, {
    ...{ action, target },
    group: action.startsWith('group') ? own.pick(GROUPS) : null,
    application: action.startsWith('application') ? applicationAt(own.next())[0] : null,
    factor: action.startsWith('factor') ? own.pick(FACTORS) : null,
  });
};

const factorAt = weighted([
  [72, 'push'],
  [20, 'code'],
  [8, 'key'],
] as const);

/** Connects to the VPN from where the visitor is, and disconnects. */
export const vpnActs = (visitor: Visitor, own: KeyedDraws, at: Micros): readonly VisitAct[] => {
  const { person, client } = visitor;
  const seconds = Math.round(Math.min(1_500, 60 + own.lognormal(420, 0.6)));
  const base = { person, host: person.workstation, session: own.hex(12) };
  const { ip } = client.access;
  const tries = own.chance(0.1) ? 2 : 1;
  const reason = own.pick(['logout', 'logout', 'idle', 'line_lost']);
  return [
    { ...base, kind: 'connect_vpn', at, facts: { ip, access: client.access, tries, is_refused: false } },
    {
      ...{ ...base, kind: 'disconnect_vpn', at: at + seconds * MICROS_PER_SECOND },
      facts: { ip, access: client.access, reason, seconds },
    },
  ];
};

/** Applications that are opened in a row. Returns when the last one was. */
export const openSome = (
  visitor: Visitor,
  own: KeyedDraws,
  count: number,
  from: Micros,
  write: (act: VisitAct) => void,
): Micros => {
  let at = from;
  for (let index = 0; index < count; index++) {
    at += humanGap(own);
    write(openApplication(visitor, own, at));
  }
  return at;
};

/** What somebody does at the identity provider, from the first password on, within half an hour. */
export const visitSteps = (
  world: Surroundings,
  own: KeyedDraws,
  visitor: Visitor,
  from: Micros,
): readonly VisitAct[] => {
  const acts: VisitAct[] = [];
  const write = (act: VisitAct): void => void acts.push(act);
  let at = from;
  // Some devices keep a former password and try it until somebody looks.
  const isStale = own.chance(0.06);
  const wrong = isStale ? own.integer(8, 40) : own.chance(0.25) ? own.integer(1, 3) : 0;
  for (let index = 0; index < wrong; index++) {
    write(wrongPassword({ ...visitor, session: 'none' }, own, at));
    at += isStale ? toolGap(own) : humanGap(own);
  }
  if (own.chance(isStale ? 0.5 : 0.03)) return acts;
  write(rightPassword(visitor, at));
  const factor = factorAt(own.next());
  // Now and then the phone is not at hand, or asks at the wrong moment, several times.
  const missed = factor === 'push' && own.chance(0.12) ? own.integer(1, own.chance(0.25) ? 9 : 2) : 0;
  for (let index = 0; index < missed; index++) {
    at += humanGap(own) + 2 * MICROS_PER_SECOND;
    write(factorCheck(visitor, at, factor, own.chance(0.6) ? 'denied' : 'timed_out'));
  }
  at += 2 * MICROS_PER_SECOND + Math.round(own.exponential(2) * MICROS_PER_SECOND);
  write(factorCheck(visitor, at, factor, 'accepted'));
  at = openSome(visitor, own, own.integer(0, own.chance(0.15) ? 24 : 5), at + humanGap(own), write);
  const changes = visitor.isAdmin ? own.integer(1, 6) : own.chance(0.09) ? 1 : 0;
  for (let index = 0; index < changes; index++) {
    at += humanGap(own);
    write(changeOf(world, visitor, own, at));
  }
  if (visitor.isAway && own.chance(0.5)) acts.push(...vpnActs(visitor, own, at + humanGap(own)));
  if (own.chance(0.4)) write(signOff(visitor, at + humanGap(own)));
  return acts;
};
