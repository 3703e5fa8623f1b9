import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result } from '../../domain/errors.js';
import { didYouMean, showCount } from '../../domain/text/shown.js';
import { dayNumber, isoFormatter } from '../../domain/time/iso.js';
import { MICROS_PER_DAY, type Micros } from '../../domain/time/micros.js';
import type { ShownFact, WorldDay } from '../../domain/worlds/reports.js';
import type { Activity, ActivityFact } from '../activity/kinds.js';
import type { Person } from '../population/entities.js';
import type { World } from '../world.js';
import { minuteOf, type Pause, zoneOfSite } from './activity.js';

/** The person of a number or a user name. `name` is that of the world, for errors. */
export const findPerson = (
  asked: string,
  { population: { size, person } }: World,
  name: string,
): Result<Person> => {
  if (/^\d{1,10}$/.test(asked)) {
    if (Number(asked) < size) return E.right(person(Number(asked)));
    return E.left(
      failure(
        'not_found',
        `${name} has no person ${asked}: its ${showCount(size)} people are numbered from 0 to ${size - 1}.`,
      ),
    );
  }
  const users: string[] = [];
  for (let number = 0; number < size; number++) {
    const one = person(number);
    if (one.user === asked) return E.right(one);
    users.push(one.user);
  }
  const advice = didYouMean(asked, users) ?? 'Give the number of a person, from 0, to see who there is.';
  return E.left(failure('not_found', `${name} has nobody with the user name '${asked}'. ${advice}`));
};

const shownFact = (fact: ActivityFact): ShownFact => {
  if (typeof fact !== 'object' || fact === null) return fact;
  if (Array.isArray(fact)) return fact as readonly string[];
  if ('user' in fact) return fact.user;
  if ('queue_id' in fact) return fact.queue_id;
  if ('slug' in fact) return fact.slug;
  if ('serial' in fact) return fact.id;
  return 'role' in fact ? fact.name : (fact as { readonly ip: string }).ip;
};

/** The date of a moment at the site of a person. */
export const dateOf = ({ site }: Person, at: Micros): string =>
  isoFormatter(zoneOfSite(site))(at).slice(0, 10);

/** Where a person is when on a day, and all that they do. The world should have no attacks: the day is an ordinary one. */
export const personDay = async (
  world: World,
  person: Person,
  date: string,
  pause: Pause,
): Promise<WorldDay> => {
  const zone = zoneOfSite(person.site);
  const day = dayNumber(date) ?? 0;
  const from = zone.instantOf(day * MICROS_PER_DAY);
  const to = zone.instantOf((day + 1) * MICROS_PER_DAY);
  const activities: Activity[] = [];
  const minutes = world.minutesOf(person);
  for (let minute = minuteOf(from); minute <= minuteOf(to - 1); minute++) {
    await pause();
    for (const activity of minutes(minute))
      if (activity.at >= from && activity.at < to) activities.push(activity);
  }
  const iso = isoFormatter(zone);
  const { number, user, full_name, title, department, site } = person;
  return {
    person: { number, user, full_name, title, department, site: site.name },
    date,
    time_zone: zone.id,
    parts: world.day(person, day).map((part) => ({
      from: iso(part.from),
      to: iso(part.to),
      what: part.what,
      host: part.host?.name ?? null,
    })),
    activities: activities.map(({ id, at, kind, host, session, cause, truth, facts }) => ({
      ...{ id, at: iso(at), kind, host: host?.name ?? null, session, cause, truth },
      facts: Object.fromEntries(Object.entries(facts).map(([name, fact]) => [name, shownFact(fact)])),
    })),
  };
};
