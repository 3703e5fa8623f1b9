import { type KeyedDraws, weighted } from '../draw.js';
import type { WorldHost } from '../population/entities.js';
import { FIRST_SERVER, type Population } from '../population/population.js';
import type { ActivityFacts } from './kinds.js';
import type { Surroundings } from './scribe.js';

/** Accounts of the domain beside those of people, and the last parts of their security identifiers. */

/** Accounts with which services sign in to others, by name. Those of stale tasks are among them. */
const SERVICE_ACCOUNTS = ['backup', 'report', 'scan', 'print', 'identity', 'monitor', 'deploy'].map(
  (name) => `svc-${name}`,
);

/** The account that carries changes of the personnel system into the directory. */
export const IDENTITY_SYNC = 'svc-identity';

/** First last parts of identifiers. People begin at 1,104, and there are at most 5,000 of them. */
const FIRST_RID = { workstation: 20_000, server: 30_000, service: 31_000, temporary: 40_000 } as const;
const BUILT_IN: Readonly<Record<string, number>> = { administrator: 500, guest: 501 };

/** A computer has an account, too. */
export const machineRid = (host: WorldHost | null): number => {
  if (host === null) return 0;
  return host.role === 'workstation'
    ? FIRST_RID.workstation + host.number
    : FIRST_RID.server + host.number - FIRST_SERVER;
};

const TEMPORARY = 'ext-';

/** An account that is made for somebody from outside, and removed later. */
export const temporaryAccount = (number: number): string => `${TEMPORARY}${1_000 + number}`;

/** By population: the accounts of its people are looked up by name only where somebody else uses them. */
const ridsOfPeople = new WeakMap<Population, ReadonlyMap<string, number>>();

const peopleOf = (population: Population): ReadonlyMap<string, number> => {
  const known = ridsOfPeople.get(population);
  if (known !== undefined) return known;
  const people = Array.from({ length: population.size }, (_, number) => population.person(number));
  const made = new Map(people.map(({ user, rid }) => [user, rid]));
  ridsOfPeople.set(population, made);
  return made;
};

/** The last part of the identifier of any account; 0 for one that does not exist. */
export const ridOfAccount = (population: Population, account: string): number => {
  if (account.startsWith(TEMPORARY)) return FIRST_RID.temporary + Number(account.slice(TEMPORARY.length));
  const service = SERVICE_ACCOUNTS.indexOf(account);
  return service >= 0
    ? FIRST_RID.service + service
    : (peopleOf(population).get(account) ?? BUILT_IN[account] ?? 0);
};

/** Administrators of a population: those whose accounts others use for a moment. */
const administratorsOf = new WeakMap<Population, readonly string[]>();

export const administrators = (population: Population): readonly string[] => {
  const known = administratorsOf.get(population);
  if (known !== undefined) return known;
  const people = Array.from({ length: population.size }, (_, number) => population.person(number));
  const found = people.filter(({ is_admin }) => is_admin).map(({ user }) => user);
  const made = found.length > 0 ? found : [population.person(0).user];
  administratorsOf.set(population, made);
  return made;
};

const CHANGES: readonly (readonly [weight: number, item: readonly [action: string, group: string | null]])[] =
  [
    [40, ['changed', null]],
    [18, ['password_reset', null]],
    [10, ['enabled', null]],
    [8, ['disabled', null]],
    [7, ['unlocked', null]],
    [6, ['created', null]],
    [5, ['removed', null]],
    [14, ['added', 'Project Members']],
    [8, ['removed', 'Project Members']],
    [5, ['added', 'Remote Desktop Users']],
    [4, ['added', 'Server Operators']],
    [3, ['removed', 'Server Operators']],
    [2, ['added', 'Domain Admins']],
    [2, ['removed', 'Domain Admins']],
  ];
const changeAt = weighted(CHANGES);

/** Facts of a change of an account, as help desks make them. */
export const changeFacts = (own: KeyedDraws, { population }: Surroundings): ActivityFacts => {
  const [action, group] = changeAt(own.next());
  const number = own.integer(0, population.size - 1);
  // Accounts that come and go are those of people from outside, not of somebody who works here.
  const isTemporary = action === 'created' || (action === 'removed' && group === null);
  return { action, group, target: isTemporary ? temporaryAccount(number) : population.person(number).user };
};
