import * as E from 'fp-ts/lib/Either.js';
import { systemClock } from '../../adapters/systemClock.js';
import { failure } from '../../domain/errors.js';
import { textBatch } from '../../domain/events/eventBatch.js';
import type { FormatTask } from '../../domain/preview.js';
import { seededRandom } from '../../domain/random.js';
import { utc, zoneOf } from '../../domain/time/zone.js';
import type { PipelineRegistry } from '../../plugins/buildParts.js';
import { installed } from '../../plugins/installed.js';
import type { Formatted } from '../../plugins/kit.js';
import type { Log } from '../../ports/log.js';
import type { RunCommand } from '../../ports/processes.js';
import { decode } from '../../schema/index.js';
import { type AnswerText, answerTooLarge, jsonItems, locatedAt, MAX_ANSWER_LENGTH } from './answer.js';

const FORMATTER_KEY = 'formatter_config';

function* textOf(formatted: Formatted): Generator<string> {
  const { batch, eventsPerItem, failures, failedTogether } = formatted;
  // A batch that failed as a whole is one error, without an event.
  const errors = failedTogether === true ? failures.slice(0, 1) : failures;
  yield '{"events":[';
  yield* jsonItems(batch.texts());
  yield `],"formatted_count":${batch.count * eventsPerItem},"errors":[`;
  yield* jsonItems(
    errors.map(({ event, reason }) => ({
      message: reason,
      original_event: failedTogether === true ? null : event,
    })),
  );
  yield ']}';
}

/** Formats events as an output would write them. */
export const previewFormat = async (
  task: FormatTask,
  registry: PipelineRegistry,
  log: Log,
  runCommand: RunCommand | null,
): Promise<AnswerText> => {
  const entry = decode(installed().shapes.formatter, task.formatter);
  if (E.isLeft(entry))
    return E.left(
      locatedAt([FORMATTER_KEY], failure('invalid', 'the formatter is invalid', { issues: entry.left })),
    );
  const plugin = await registry.formatter(entry.right.kind);
  const built = await plugin.build(entry.right.params, {
    directory: task.directory,
    zone: zoneOf(task.timezone) ?? utc,
    clock: systemClock,
    random: seededRandom('preview').fork('formatter/1'),
    log,
    signal: new AbortController().signal,
    templates: { limits: task.template_limits, runCommand, isTraced: false },
  });
  if (E.isLeft(built)) return E.left(locatedAt([FORMATTER_KEY], built.left));
  const formatted = built.right.format(textBatch(task.events));
  const length = formatted.batch.texts().reduce((sum, text) => sum + text.length, 0);
  return length > MAX_ANSWER_LENGTH
    ? E.left(answerTooLarge('format fewer events, or with a smaller indent'))
    : E.right(textOf(formatted));
};
