import * as E from 'fp-ts/lib/Either.js';
import { dayNumber } from '../../../domain/time/iso.js';
import { clockOfDay, factsText, type WorldDay } from '../../../domain/worlds/reports.js';
import { dateOf, findPerson, personDay } from '../../../world/report/day.js';
import type { CommandContext, Given } from '../../arguments/command.js';
import { openWorld } from '../../files/worldFile.js';
import { reportError, usageError } from '../../report.js';
import { EXIT, widthOfOutput } from '../../terminal/io.js';
import { alignedLines, escapeControls } from '../../terminal/text.js';
import type { worldDayOptions } from './group.js';

const cut = (text: string, width: number): string =>
  text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`;

const dayText = (
  { person, date, time_zone, parts, activities }: WorldDay,
  city: string,
  width: number,
): string => {
  const { full_name, user, title, department } = person;
  const partRows = parts.map(({ from, to, what, host }) => [
    clockOfDay(from, date),
    clockOfDay(to, date),
    what,
    host ?? '-',
  ]);
  const rows = activities.map(({ at, kind, host, facts }) => [
    clockOfDay(at, date),
    kind,
    host ?? '-',
    factsText(facts),
  ]);
  const lines = [...alignedLines(partRows), '', ...alignedLines(rows)];
  return [
    `${full_name} (${user}), ${title}, ${department}, ${city}: ${date}, ${time_zone}`,
    ...(parts.length === 0 ? ['does not work on this day', ...lines.slice(1)] : lines),
    '',
  ]
    .map((line) => cut(escapeControls(line), width))
    .join('\n');
};

/** Prints the day of a person. Resolves to the exit code. */
export const runWorldDay = async (
  { options: { date, json = false }, positionals: [asked = '', path] }: Given<typeof worldDayOptions>,
  { io, services }: CommandContext,
): Promise<number> => {
  if (date !== undefined && dayNumber(date) === null)
    return usageError(io, 'world day', `--date must be a day such as 2026-03-10, not "${date}"`);
  // An ordinary day: sources leave attacks out, too, unless they are told otherwise.
  const opened = await openWorld(path, io.cwd, {});
  if (E.isLeft(opened)) return reportError(io, opened.left);
  const { world, name } = opened.right;
  const found = findPerson(asked, world, name);
  if (E.isLeft(found)) return reportError(io, found.left);
  const person = found.right;
  const day = await personDay(
    world,
    person,
    date ?? dateOf(person, services.clock.now()),
    // Nobody else waits.
    async () => {},
  );
  io.stdout.write(
    json ? `${JSON.stringify(day, null, 2)}\n` : dayText(day, person.site.city, widthOfOutput(io)),
  );
  return EXIT.ok;
};
