import * as E from 'fp-ts/lib/Either.js';
import { plural, showCount } from '../../../domain/text/shown.js';
import type { WorldActivity, WorldSiteReport } from '../../../domain/worlds/reports.js';
import { worldActivity } from '../../../world/report/activity.js';
import { worldContents } from '../../../world/report/contents.js';
import type { CommandContext, Given } from '../../arguments/command.js';
import { twoColumns } from '../../arguments/help.js';
import { openWorld, worldTitle } from '../../files/worldFile.js';
import { reportError } from '../../report.js';
import { EXIT } from '../../terminal/io.js';
import { alignedLines, showRough } from '../../terminal/text.js';

const table = (title: string, rows: readonly (readonly string[])[]): string =>
  rows.length === 0
    ? ''
    : `${title}\n${alignedLines(rows, new Set([1]))
        .map((line) => `  ${line}\n`)
        .join('')}`;

const siteRow = ({ name, people, city, country, time_zone }: WorldSiteReport): readonly string[] => [
  name,
  showCount(people),
  `${city}, ${country}`,
  time_zone,
];

const activitiesText = ({ groups, per_minute, busiest_hour, site }: WorldActivity): string => {
  const at = `${String(busiest_hour).padStart(2, '0')}:00`;
  const rows = groups.map(({ group, kinds }) =>
    table(
      `${group} a minute`,
      kinds.map(({ kind, per_minute: each }) => [kind, showRough(each)]),
    ),
  );
  return `about ${showRough(per_minute)} activities a minute in the busiest hour of a Tuesday, from ${at} in ${site}\n${rows.join('')}`;
};

/** Prints who and what is in a world. Resolves to the exit code. */
export const runWorldShow = async (
  { positionals: [path] }: Given<Record<string, never>>,
  { io, services }: CommandContext,
): Promise<number> => {
  const opened = await openWorld(path, io.cwd);
  if (E.isLeft(opened)) return reportError(io, opened.left);
  const { world } = opened.right;
  const { domain, netbios, sites, departments, hosts, attacks } = worldContents(world, services.clock.now());
  const summaries = attacks.map(({ name, summary }) => [name, summary] as const);
  io.stdout.write(
    [
      `${worldTitle(opened.right)}\n`,
      `domain ${domain}, ${netbios}\n`,
      table('sites', sites.map(siteRow)),
      table(
        'departments',
        departments.map(({ name, people }) => [name, showCount(people)]),
      ),
      table(
        'hosts',
        hosts.map(({ role, count }) => [role, showCount(count)]),
      ),
      attacks.length === 0 ? '' : `${plural(attacks.length, 'attack')}\n${twoColumns(summaries)}\n`,
      // Nobody else waits.
      activitiesText(await worldActivity(world, async () => {})),
    ].join(''),
  );
  return EXIT.ok;
};
