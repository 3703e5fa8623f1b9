import { isoFormatter } from '../../domain/time/iso.js';
import { MICROS_PER_MINUTE, type Micros } from '../../domain/time/micros.js';
import { utc } from '../../domain/time/zone.js';
import type {
  AttackStepReport,
  WorldAttack,
  WorldContents,
  WorldItem,
  WorldPeople,
} from '../../domain/worlds/reports.js';
import type { Act } from '../activity/scribe.js';
import { CAMPAIGN_MINUTES } from '../attack/names.js';
import { drawSource } from '../draw.js';
import type { Person } from '../population/entities.js';
import { makePopulation } from '../population/population.js';
import type { WorldSpec } from '../spec.js';
import type { World } from '../world.js';

export const tally = <A extends string>(items: Iterable<A>): ReadonlyMap<A, number> => {
  const counts = new Map<A, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
};

/** Rows by number, the largest first, and by name where numbers are equal. */
export const byNumber = ([a, many]: readonly [string, number], [b, few]: readonly [string, number]): number =>
  few - many || (a < b ? -1 : 1);

const peopleOf = ({ population: { size, person } }: World): readonly Person[] =>
  Array.from({ length: size }, (_, number) => person(number));

const iso = isoFormatter(utc);

/** People and hosts that an act is about: who does it where, or whose account does, and what it is aimed at. */
const involvedIn = ({ person, host, facts }: Act, users: ReadonlySet<string>) => {
  const all = [person, host, ...Object.values(facts)];
  const entities = all.filter((one) => typeof one === 'object' && one !== null);
  return {
    people: [
      ...entities.flatMap((one) => ('user' in one ? [one.user] : [])),
      ...all.filter((one) => typeof one === 'string').filter((one) => users.has(one)),
    ],
    hosts: entities.flatMap((one) => ('role' in one ? [one.name] : [])),
  };
};

const stepOf = (
  [phase = '', technique = '']: readonly string[],
  acts: readonly Act[],
  users: ReadonlySet<string>,
): AttackStepReport => {
  const times = acts.map(({ at }) => at);
  const involved = acts.map((act) => involvedIn(act, users));
  return {
    phase,
    technique,
    from: iso(Math.min(...times)),
    to: iso(Math.max(...times)),
    acts: acts.length,
    kinds: [...new Set(acts.map(({ kind }) => kind))],
    people: [...new Set(involved.flatMap(({ people }) => people))],
    hosts: [...new Set(involved.flatMap(({ hosts }) => hosts))],
  };
};

/** The campaign of an attack that begins in the time of `at`, with its steps in the order of their beginnings. */
const attackOf = (
  world: World,
  name: string,
  summary: string,
  at: Micros,
  users: ReadonlySet<string>,
): WorldAttack => {
  const campaign = Math.floor(at / (CAMPAIGN_MINUTES * MICROS_PER_MINUTE));
  const steps = new Map<string, Act[]>();
  for (const act of world.campaign(name, campaign)) {
    const key = `${act.truth?.phase ?? ''}\n${act.truth?.technique ?? ''}`;
    const known = steps.get(key);
    if (known === undefined) steps.set(key, [act]);
    else known.push(act);
  }
  return {
    name,
    summary,
    campaign,
    steps: [...steps].map(([key, acts]) => stepOf(key.split('\n'), acts, users)),
  };
};

/** Who and what is in a world, with the campaigns of a time. */
export const worldContents = (world: World, at: Micros): WorldContents => {
  const { spec, population, attacks } = world;
  const people = peopleOf(world);
  const users = new Set(people.map(({ user }) => user));
  const known = new Map(spec.organization.sites.map((site) => [site.name, site]));
  const roles = tally(population.servers.map(({ role }) => role));
  return {
    seed: spec.seed,
    people: population.size,
    domain: spec.organization.domain,
    netbios: spec.organization.netbios,
    sites: [...tally(people.map(({ site }) => site.name))].sort(byNumber).map(([name, count]) => ({
      name,
      city: known.get(name)?.city ?? '',
      country: known.get(name)?.country ?? '',
      time_zone: known.get(name)?.time_zone ?? '',
      people: count,
    })),
    departments: [...tally(people.map(({ department }) => department))]
      .sort(byNumber)
      .map(([name, count]) => ({ name, people: count })),
    hosts: [
      { role: 'workstation', count: population.size },
      ...[...roles].map(([role, count]) => ({ role, count })),
    ],
    campaign_minutes: CAMPAIGN_MINUTES,
    attacks: Object.entries(attacks).map(([name, summary]) => attackOf(world, name, summary, at, users)),
  };
};

/** How many people and hosts a world has, without making them. */
export const worldSize = (spec: WorldSpec): Pick<WorldItem, 'people' | 'hosts'> => {
  const { size, servers } = makePopulation(spec, drawSource(spec.seed));
  return { people: size, hosts: size + servers.length };
};

/** The people in whose names, mail address, title, department, site, host or address all words of a search are. */
export const worldPeople = (
  world: World,
  { search, offset, limit }: { readonly search: string; readonly offset: number; readonly limit: number },
): WorldPeople => {
  const words = search.toLowerCase().split(/\s+/);
  const found = peopleOf(world).filter(({ user, full_name, email, title, department, site, workstation }) => {
    const text = [user, full_name, email, title, department, site.name, workstation.name, workstation.ip]
      .join('\n')
      .toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return {
    total: found.length,
    items: found.slice(offset, offset + limit).map((person) => ({
      number: person.number,
      user: person.user,
      full_name: person.full_name,
      email: person.email,
      title: person.title,
      department: person.department,
      site: person.site.name,
      host: person.workstation.name,
      ip: person.workstation.ip,
    })),
  };
};
