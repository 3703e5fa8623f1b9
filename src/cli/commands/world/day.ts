import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result } from '../../../domain/errors.js';
import { didYouMean, showCount } from '../../../domain/text/shown.js';
import { isoFormatter, parseIso } from '../../../domain/time/iso.js';
import { MICROS_PER_DAY, MICROS_PER_SECOND, type Micros } from '../../../domain/time/micros.js';
import { utc, type Zone } from '../../../domain/time/zone.js';
import type { Activity, ActivityFact } from '../../../world/activity/kinds.js';
import type { Person } from '../../../world/population/entities.js';
import type { World } from '../../../world/world.js';
import type { CommandContext, Given } from '../../arguments/command.js';
import { minuteOf, openWorld, zoneOfSite } from '../../files/worldFile.js';
import { reportError, usageError } from '../../report.js';
import { EXIT, widthOfOutput } from '../../terminal/io.js';
import { alignedLines, escapeControls } from '../../terminal/text.js';
import type { worldDayOptions } from './group.js';

/** Names that a mistyped one is compared with. */
const MAX_COMPARED_NAMES = 10_000;

const findPerson = (asked: string, { population: { size, person } }: World, name: string): Result<Person> => {
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
    if (number < MAX_COMPARED_NAMES) users.push(one.user);
  }
  const advice = didYouMean(asked, users) ?? 'Give the number of a person, from 0, to see who there is.';
  return E.left(failure('not_found', `${name} has nobody with the user name '${asked}'. ${advice}`));
};

/** What is shown for a fact: of entities their name or address. */
type ShownFact = Exclude<ActivityFact, object> | readonly string[];

const shownFact = (fact: ActivityFact): ShownFact => {
  if (typeof fact !== 'object' || fact === null) return fact;
  if (Array.isArray(fact)) return fact as readonly string[];
  if ('user' in fact) return fact.user;
  return 'role' in fact ? fact.name : (fact as { readonly ip: string }).ip;
};

const shownFacts = ({ facts }: Activity): readonly (readonly [string, ShownFact])[] =>
  Object.entries(facts).map(([name, fact]) => [name, shownFact(fact)]);

/** Texts are quoted where they have blanks, and not escaped: paths of Windows stay as they are. */
const factText = ([name, fact]: readonly [string, ShownFact]): string => {
  if (typeof fact !== 'string') return `${name}=${JSON.stringify(fact)}`;
  return `${name}=${/\s|^$/.test(fact) ? `"${fact}"` : fact}`;
};

const cut = (text: string, width: number): string =>
  text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`;

/** The hours, minutes and seconds of a time; with its date when that is another day. */
const clockText = (iso: (at: Micros) => string, date: string) => (at: Micros) => {
  const text = iso(Math.floor(at / MICROS_PER_SECOND) * MICROS_PER_SECOND);
  return text.startsWith(date) ? text.slice(11, 19) : text.slice(0, 19).replace('T', ' ');
};

interface PersonDay {
  readonly person: Person;
  readonly date: string;
  readonly zone: Zone;
  readonly parts: ReturnType<World['day']>;
  readonly activities: readonly Activity[];
}

/** `day` counts local days from 1970. */
const dayOf = (world: World, person: Person, day: number, date: string): PersonDay => {
  const zone = zoneOfSite(person.site);
  const from = zone.instantOf(day * MICROS_PER_DAY);
  const to = zone.instantOf((day + 1) * MICROS_PER_DAY);
  const activities: Activity[] = [];
  const minutes = world.minutesOf(person);
  for (let minute = minuteOf(from); minute <= minuteOf(to - 1); minute++)
    for (const activity of minutes(minute))
      if (activity.at >= from && activity.at < to) activities.push(activity);
  return { person, date, zone, parts: world.day(person, day), activities };
};

const dayText = ({ person, date, zone, parts, activities }: PersonDay, width: number): string => {
  const clock = clockText(isoFormatter(zone), date);
  const { full_name, user, title, department, site } = person;
  const partRows = parts.map(({ from, to, what, host }) => [clock(from), clock(to), what, host?.name ?? '-']);
  const rows = activities.map((activity) => [
    clock(activity.at),
    activity.kind,
    activity.host?.name ?? '-',
    shownFacts(activity).map(factText).join(' '),
  ]);
  const lines = [...alignedLines(partRows), '', ...alignedLines(rows)];
  return [
    `${full_name} (${user}), ${title}, ${department}, ${site.city}: ${date}, ${zone.id}`,
    ...(parts.length === 0 ? ['does not work on this day', ...lines.slice(1)] : lines),
    '',
  ]
    .map((line) => cut(escapeControls(line), width))
    .join('\n');
};

const dayJson = ({ person, date, zone, parts, activities }: PersonDay): string => {
  const iso = isoFormatter(zone);
  const { full_name, user, title, department, site } = person;
  return `${JSON.stringify(
    {
      person: { number: person.number, user, full_name, title, department, site: site.name },
      date,
      time_zone: zone.id,
      parts: parts.map(({ from, to, what, host }) => ({
        from: iso(from),
        to: iso(to),
        what,
        host: host?.name ?? null,
      })),
      activities: activities.map((activity) => ({
        id: activity.id,
        at: iso(activity.at),
        kind: activity.kind,
        host: activity.host?.name ?? null,
        session: activity.session,
        cause: activity.cause,
        truth: activity.truth,
        facts: Object.fromEntries(shownFacts(activity)),
      })),
    },
    null,
    2,
  )}\n`;
};

/** Returns the number of a day since 1970, or null when the text is no date. */
const dayNumber = (date: string): number | null => {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(date) ? parseIso(`${date}T00:00:00`, utc) : null;
  return at === null ? null : Math.floor(at / MICROS_PER_DAY);
};

/** Prints the day of a person. Resolves to the exit code. */
export const runWorldDay = async (
  { options: { date, json = false }, positionals: [asked = '', path] }: Given<typeof worldDayOptions>,
  { io, services }: CommandContext,
): Promise<number> => {
  const given = date === undefined ? null : dayNumber(date);
  if (date !== undefined && given === null)
    return usageError(io, 'world day', `--date must be a day such as 2026-03-10, not "${date}"`);
  // An ordinary day: sources leave attacks out, too, unless they are told otherwise.
  const opened = await openWorld(path, io.cwd, {});
  if (E.isLeft(opened)) return reportError(io, opened.left);
  const { world, name } = opened.right;
  const person = findPerson(asked, world, name);
  if (E.isLeft(person)) return reportError(io, person.left);
  const today = isoFormatter(zoneOfSite(person.right.site))(services.clock.now()).slice(0, 10);
  const shown = date ?? today;
  const day = dayOf(world, person.right, given ?? dayNumber(shown) ?? 0, shown);
  io.stdout.write(json ? dayJson(day) : dayText(day, widthOfOutput(io)));
  return EXIT.ok;
};
