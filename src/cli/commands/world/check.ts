import * as E from 'fp-ts/lib/Either.js';
import { plural, showCount } from '../../../domain/text/shown.js';
import { parseIso, utcText } from '../../../domain/time/iso.js';
import { MICROS_PER_MINUTE, type Micros } from '../../../domain/time/micros.js';
import type { Activity } from '../../../world/activity/kinds.js';
import { checkActivities } from '../../../world/check.js';
import { mainSite, minuteOf, USUAL_DAY, zoneOfSite } from '../../../world/report/activity.js';
import type { World } from '../../../world/world.js';
import type { CommandContext, Given } from '../../arguments/command.js';
import { openWorld, worldTitle } from '../../files/worldFile.js';
import { reportError, usageError } from '../../report.js';
import { EXIT } from '../../terminal/io.js';
import { escapeControls } from '../../terminal/text.js';
import type { worldCheckOptions } from './group.js';

const DEFAULT_TIME = `${USUAL_DAY}T10:00:00`;

/** Returns null when the text is no time. Without an offset it is a time of the largest site. */
const startOf = (text: string | undefined, { spec }: World): Micros | null =>
  parseIso(text ?? DEFAULT_TIME, zoneOfSite(mainSite(spec)));

/** Makes and checks minutes of a world. Resolves to the exit code. */
export const runWorldCheck = async (
  { options: { minutes = 1, start }, positionals: [path] }: Given<typeof worldCheckOptions>,
  { io }: CommandContext,
): Promise<number> => {
  const opened = await openWorld(path, io.cwd);
  if (E.isLeft(opened)) return reportError(io, opened.left);
  const { world } = opened.right;
  const from = startOf(start, world);
  if (from === null)
    return usageError(
      io,
      'world check',
      `--start must be an ISO 8601 time such as 2026-03-10T10:00:00Z, not "${start}"`,
    );
  const first = minuteOf(from);
  const activities: Activity[] = [];
  // Not spread into `push`: a minute may have more activities than a call takes arguments.
  for (let minute = first; minute < first + minutes; minute++)
    for (const activity of world.minute(minute)) activities.push(activity);
  const problems = checkActivities(activities);
  for (const { id, kind, message } of problems)
    io.stdout.write(`${kind} ${id}: ${escapeControls(message)}\n`);
  const count = activities.length === 1 ? '1 activity' : `${showCount(activities.length)} activities`;
  io.stdout.write(
    `${worldTitle(opened.right)}: checked ${count} of ${plural(minutes, 'minute')} from ${utcText(first * MICROS_PER_MINUTE)}, ` +
      `${problems.length === 0 ? 'no problem' : plural(problems.length, 'problem')}\n`,
  );
  return problems.length === 0 ? EXIT.ok : EXIT.failed;
};
