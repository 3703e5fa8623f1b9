import { MICROS_PER_DAY, MICROS_PER_HOUR, MICROS_PER_MINUTE, type Micros } from '../../domain/time/micros.js';
import { type KeyedDraws, weighted } from '../draw.js';
import type { InternetAccess, Person } from '../population/entities.js';
import { accessAbroad, outsideAddress } from '../population/population.js';
import { rememberLast } from '../remember.js';
import type { ActivityKind } from './kinds.js';
import { accessOf } from './rules/signOn.js';
import type { Act, Scribe, Surroundings } from './scribe.js';
import { type Client, type VisitAct, type Visitor, visitSteps } from './signOn.js';

/** Purposes of draws of visits: those of an hour, one of them, and the phone of a person. */
const WHY = { hour: 450, visit: 451, phone: 452, trip: 453 } as const;

/** Visits to the identity provider, a person and hour of the day, besides those at the workstation. */
const PER_HOUR = 0.9;
const AT_NIGHT = 0.12;
/** Proxies have so many addresses, which are numbers of outsiders. */
const PROXIES = { first: 30_000, count: 24 };

const whereAt = weighted([
  [46, 'phone'],
  [24, 'desk'],
  [14, 'trip'],
  [10, 'home'],
  [6, 'proxy'],
] as const);

const PHONES = weighted([
  [
    55,
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.4 Mobile/15E148 Safari/604.1',
  ],
  [
    45,
    'Mozilla/5.0 (Linux; Android 15; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/136.0.0.0 Mobile Safari/537.36',
  ],
] as const);

const CARRIER = { provider: 'Northwind Mobile', as_number: 64_502 };

/** The phone of a person, with the address that its carrier gives it for the hour. */
const phoneOf = (world: Surroundings, person: Person, hour: number): Client => {
  const now = world.draws.of(person.number, hour, WHY.phone);
  const access = { ...person.home, ...CARRIER, ip: outsideAddress(now) };
  return {
    access,
    agent: phoneAgent(world, person),
    device: 'Mobile',
    is_proxy: false,
    is_new: now.chance(0.06),
  };
};
export const phoneAgent = ({ draws }: Surroundings, person: Person): string =>
  PHONES(draws.of(person.number, 0, WHY.phone).next());

/** A client on the internet: the laptop or the phone of a person, elsewhere. */
export const clientElsewhere = (
  world: Surroundings,
  own: KeyedDraws,
  person: Person,
  access: InternetAccess,
  is_proxy: boolean,
): Client => {
  const isPhone = own.chance(0.3);
  return {
    access,
    agent: isPhone ? phoneAgent(world, person) : person.user_agent,
    device: isPhone ? 'Mobile' : 'Computer',
    is_proxy,
    is_new: own.chance(0.6),
  };
};

const anybody = ({ population }: Surroundings, own: KeyedDraws): Person =>
  population.person(own.integer(0, population.size - 1));

/** Somebody of a kind among a few who are drawn, else the last of them. */
const somebody = (
  world: Surroundings,
  own: KeyedDraws,
  isWanted: (person: Person) => boolean,
): { readonly person: Person; readonly isFound: boolean } => {
  let person = anybody(world, own);
  for (let tries = 0; tries < 40 && !isWanted(person); tries++) person = anybody(world, own);
  return { person, isFound: isWanted(person) };
};

const tripOf = (world: Surroundings, person: Person, at: Micros): InternetAccess => {
  const own = world.draws.of(person.number, Math.floor(at / MICROS_PER_DAY), WHY.trip);
  return accessAbroad(world, own);
};

/** A proxy that people use to hide where they are. */
export const proxyAccess = ({ population }: Surroundings, own: KeyedDraws): InternetAccess =>
  population.outsider(PROXIES.first + own.integer(0, PROXIES.count - 1));

const deskOf = (world: Surroundings, person: Person, at: Micros): Client => {
  const access = accessOf({ at, person, host: person.workstation }, world);
  return { access, agent: person.user_agent, device: 'Computer', is_proxy: false, is_new: false };
};

const visitorAt = (world: Surroundings, own: KeyedDraws, at: Micros, hour: number): Visitor => {
  const where = whereAt(own.next());
  const session = own.hex(16);
  const visitor = (person: Person, client: Client, isAway = false): Visitor => ({
    ...{ person, client, session, isAway },
    isAdmin: where === 'desk' && person.is_admin,
  });
  if (where === 'trip') {
    const { person, isFound } = somebody(world, own, (one) => world.planAt(one, at) === null);
    if (isFound)
      return visitor(person, clientElsewhere(world, own, person, tripOf(world, person, at), false), true);
    return visitor(person, phoneOf(world, person, hour));
  }
  const isDesk = where === 'desk' && own.chance(0.6);
  const person = isDesk ? somebody(world, own, (one) => one.is_admin).person : anybody(world, own);
  if (where === 'phone') return visitor(person, phoneOf(world, person, hour));
  if (where === 'proxy')
    return visitor(person, clientElsewhere(world, own, person, proxyAccess(world, own), true));
  if (where === 'desk') return visitor(person, deskOf(world, person, at));
  const client = { access: person.home, agent: person.user_agent, device: 'Computer' };
  return visitor(person, { ...client, is_proxy: false, is_new: own.chance(0.1) });
};

/** Hour of the day where a person lives, by the sun: people sleep. */
const isNight = ({ site }: Person, at: Micros): boolean => {
  const hour = (((at / MICROS_PER_HOUR + site.longitude / 15) % 24) + 24) % 24;
  return hour < 6.5 || hour > 23;
};

/** What somebody does in a visit that begins at a moment: nothing when they sleep. */
export const visitAt = (world: Surroundings, own: KeyedDraws, at: Micros): readonly VisitAct[] => {
  const isAwake = own.chance(AT_NIGHT);
  const visitor = visitorAt(world, own, at, Math.floor(at / MICROS_PER_HOUR));
  return !isAwake && isNight(visitor.person, at) ? [] : visitSteps(world, own, visitor, at);
};

const actsOfHour = (world: Surroundings, hour: number): readonly Act[] => {
  const own = world.draws.of(0, hour, WHY.hour);
  const count = own.poisson(world.population.size * PER_HOUR);
  const acts: Act[] = [];
  for (let index = 0; index < count; index++) {
    const each = world.draws.of(index, hour, WHY.visit);
    const at = hour * MICROS_PER_HOUR + Math.floor(each.next() * MICROS_PER_HOUR);
    for (const act of visitAt(world, each, at)) acts.push({ ...act, truth: null });
  }
  return acts;
};

/** What is done in visits. */
const VISIT_KINDS = [
  ...['sign_on', 'check_factor', 'open_application', 'change_sign_on', 'sign_off'],
  ...['connect_vpn', 'disconnect_vpn'],
] as readonly ActivityKind[];

/**
 * Visits to the identity provider that are not part of the day at the workstation. Those of an hour last into the next one.
 * The function writes the acts of a minute.
 */
export const visitsTo = (world: Surroundings): ((scribe: Scribe, from: Micros) => void) => {
  const { of: ofHour } = rememberLast(
    (hour) => byMinute(actsOfHour(world, hour).toSorted((a, b) => a.at - b.at)),
    ({ size }) => size,
  );
  return (scribe, from) => {
    if (!scribe.isWanted(...VISIT_KINDS)) return;
    scribe.from('visits');
    const hour = Math.floor(from / MICROS_PER_HOUR);
    const minute = from / MICROS_PER_MINUTE;
    for (const one of [hour - 1, hour]) for (const act of ofHour(one).get(minute) ?? []) scribe.act(act);
  };
};

const byMinute = (acts: readonly Act[]): ReadonlyMap<number, readonly Act[]> => {
  const found = new Map<number, Act[]>();
  for (const act of acts) {
    const minute = Math.floor(act.at / MICROS_PER_MINUTE);
    const those = found.get(minute);
    if (those === undefined) found.set(minute, [act]);
    else those.push(act);
  }
  return found;
};
