import { join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { systemClock } from '../../adapters/systemClock.js';
import { failure, type Result } from '../../domain/errors.js';
import { type GlobalsCell, globalsView, makeCell } from '../../domain/globals/cell.js';
import type { OpenTask } from '../../domain/preview.js';
import { seededRandom } from '../../domain/random.js';
import { type Zone, zoneOf } from '../../domain/time/zone.js';
import type { PipelineRegistry } from '../../plugins/buildParts.js';
import { installed } from '../../plugins/installed.js';
import type { EventProducer } from '../../plugins/kit.js';
import type { Log } from '../../ports/log.js';
import type { Python } from '../../ports/python.js';
import type { RunCommand } from '../../ports/runCommand.js';
import { decode } from '../../schema/index.js';
import { placedAt } from './answer.js';
import { type Caught, catchingLog } from './problems.js';

/** Event plugins in preview have their own globals, never those of a scenario. */
const CELL = 'preview';

export interface PreviewSession {
  readonly kind: string;
  readonly zone: Zone;
  readonly producer: EventProducer;
  readonly globals: GlobalsCell;
  readonly caught: Caught;
}

/** Builds the event plugin of a task. Returns an error with its path in the body when it cannot be built. */
export const openSession = async (
  task: OpenTask,
  registry: PipelineRegistry,
  log: Log,
  { runCommand, python }: { readonly runCommand: RunCommand | null; readonly python: Python },
): Promise<Result<PreviewSession>> => {
  const entry = decode(installed().shapes.event, task.event);
  if (E.isLeft(entry))
    return E.left(failure('invalid', 'the event plugin is invalid', { issues: entry.left }));
  const zone = zoneOf(task.timezone);
  if (zone === null)
    return E.left(failure('invalid', `timezone "${task.timezone}" is not an IANA time zone`));
  const { kind, alias, params } = entry.right;
  const { directory, files } = task;
  const globals = makeCell(CELL, {}, 0);
  const caught = catchingLog(log);
  const plugin = await registry.event(kind);
  const built = await plugin.build(params, {
    directory,
    zone,
    clock: systemClock,
    // The same seed each time: a different event comes from a change of the plugin.
    random: seededRandom('preview').fork('event/1'),
    log: caught.log,
    signal: new AbortController().signal,
    templates: { limits: task.template_limits, runCommand, isTraced: false },
    params: {},
    globals: globalsView(globals, []),
    python,
    drafts: new Map(Object.entries(files ?? {}).map(([path, text]) => [join(directory, path), text])),
  });
  if (E.isLeft(built)) return E.left(placedAt([...(files === null ? [] : ['event']), alias], built.left));
  return E.right({ kind, zone, producer: built.right, globals, caught });
};
