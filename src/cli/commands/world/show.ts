import * as E from 'fp-ts/lib/Either.js';
import { plural, showCount } from '../../../domain/text/shown.js';
import { parseIso } from '../../../domain/time/iso.js';
import { MICROS_PER_HOUR } from '../../../domain/time/micros.js';
import { ACTIVITY_KINDS, type ActivityKind } from '../../../world/activity/kinds.js';
import type { World } from '../../../world/world.js';
import type { CommandContext, Given } from '../../arguments/command.js';
import { twoColumns } from '../../arguments/help.js';
import { mainSite, minuteOf, openWorld, USUAL_DAY, worldTitle, zoneOfSite } from '../../files/worldFile.js';
import { reportError } from '../../report.js';
import { EXIT } from '../../terminal/io.js';
import { alignedLines, showRough } from '../../terminal/text.js';

/** Looking at more people would take longer than it is worth: shares of so many are exact enough. */
const MAX_COUNTED_PEOPLE = 20_000;
/** Minutes of each hour that the busiest one is found with, and those of it that are measured. */
const PROBED_MINUTES = [10, 30, 50];
const MEASURED_MINUTES = [0, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55];

const tally = <A extends string>(items: Iterable<A>): ReadonlyMap<A, number> => {
  const counts = new Map<A, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
};

/** Rows by number, the largest first, and by name where numbers are equal. */
const byNumber = ([a, many]: readonly [string, number], [b, few]: readonly [string, number]): number =>
  few - many || (a < b ? -1 : 1);

/** How many people each site and each department has. */
const peopleOf = ({ population: { size, person } }: World) => {
  const counted = Math.min(size, MAX_COUNTED_PEOPLE);
  const people = Array.from({ length: counted }, (_, number) => person(number));
  const whole = (counts: ReadonlyMap<string, number>) =>
    [...counts].map(([name, count]) => [name, Math.round((count * size) / counted)] as const).sort(byNumber);
  return {
    sites: whole(tally(people.map(({ site }) => site.name))),
    departments: whole(tally(people.map(({ department }) => department))),
  };
};

/** The busiest hour of the usual day, and how many activities of each kind a minute of it has. */
const busiestHour = ({ spec, minute }: World) => {
  const zone = zoneOfSite(mainSite(spec));
  const midnight = parseIso(`${USUAL_DAY}T00:00:00`, zone) ?? 0;
  const startOf = (hour: number): number => minuteOf(midnight + hour * MICROS_PER_HOUR);
  const countAt = (hour: number): number =>
    PROBED_MINUTES.reduce((sum, offset) => sum + minute(startOf(hour) + offset).length, 0);
  const counts = Array.from({ length: 24 }, (_, hour) => countAt(hour));
  const hour = counts.indexOf(Math.max(...counts));
  const kinds = tally(
    MEASURED_MINUTES.flatMap((offset) => minute(startOf(hour) + offset).map(({ kind }) => kind)),
  );
  return { hour, kinds };
};

const section = (title: string, rows: readonly (readonly [name: string, count: string])[]): string =>
  rows.length === 0
    ? ''
    : `${title}\n${alignedLines(rows, new Set([1]))
        .map((line) => `  ${line}\n`)
        .join('')}`;

const counted = (rows: readonly (readonly [string, number])[]) =>
  rows.map(([name, count]) => [name, showCount(count)] as const);

const sitesText = (world: World, sites: readonly (readonly [string, number])[]): string => {
  const known = new Map(world.spec.organization.sites.map((site) => [site.name, site]));
  const rows = sites.map(([name, count]) => {
    const site = known.get(name);
    return [name, showCount(count), `${site?.city}, ${site?.country}`, site?.time_zone ?? ''];
  });
  return `sites\n${alignedLines(rows, new Set([1]))
    .map((line) => `  ${line}\n`)
    .join('')}`;
};

const activitiesText = (world: World): string => {
  const { hour, kinds } = busiestHour(world);
  const rate = (kind: string): number => (kinds.get(kind as ActivityKind) ?? 0) / MEASURED_MINUTES.length;
  const total = [...kinds.keys()].reduce((sum, kind) => sum + rate(kind), 0);
  const groups = Object.entries(ACTIVITY_KINDS).map(([group, those]) => {
    const rows = those
      .map((kind) => [kind, rate(kind)] as const)
      .filter(([, each]) => each > 0)
      .sort(byNumber);
    return section(
      `${group} a minute`,
      rows.map(([kind, each]) => [kind, showRough(each)] as const),
    );
  });
  const at = `${String(hour).padStart(2, '0')}:00`;
  const site = mainSite(world.spec).name;
  return `about ${showRough(total)} activities a minute in the busiest hour of a Tuesday, from ${at} in ${site}\n${groups.join('')}`;
};

/** Prints who and what is in a world. Resolves to the exit code. */
export const runWorldShow = async (
  { positionals: [path] }: Given<Record<string, never>>,
  { io }: CommandContext,
): Promise<number> => {
  const opened = await openWorld(path, io.cwd);
  if (E.isLeft(opened)) return reportError(io, opened.left);
  const { world } = opened.right;
  const { domain, netbios } = world.spec.organization;
  const { sites, departments } = peopleOf(world);
  const servers = [...tally(world.population.servers.map(({ role }) => role))];
  const hosts = [['workstation', world.population.size] as const, ...servers];
  const attacks = Object.entries(world.attacks);
  io.stdout.write(
    [
      `${worldTitle(opened.right)}\n`,
      `domain ${domain}, ${netbios}\n`,
      sitesText(world, sites),
      section('departments', counted(departments)),
      section('hosts', counted(hosts)),
      attacks.length === 0 ? '' : `${plural(attacks.length, 'attack')}\n${twoColumns(attacks)}\n`,
      activitiesText(world),
    ].join(''),
  );
  return EXIT.ok;
};
