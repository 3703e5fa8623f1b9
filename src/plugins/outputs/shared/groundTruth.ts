import { textBatch } from '../../../domain/events/eventBatch.js';
import type { JsonObject } from '../../../domain/json.js';
import { markOf } from '../../../domain/marks/markOf.js';
import { isoFormatter } from '../../../domain/time/iso.js';
import { utc } from '../../../domain/time/zone.js';
import type { Route } from '../../kit.js';

const iso = isoFormatter(utc);

/**
 * A route that takes the events of timestamps with one of the tags, and writes a line of ground truth for each: `at` (the
 * timestamp), `generator`, `event` (its number in the stream, from 1), `mark` (`null` without marks), and the members of the tag.
 */
export const labelled = (
  { choose }: Route,
  labels: Readonly<Record<string, JsonObject>>,
  generator: string,
): Route => {
  const labelOf = (tags: readonly string[]): JsonObject | undefined => {
    const tag = tags.find((one) => Object.hasOwn(labels, one));
    return tag === undefined ? undefined : labels[tag];
  };
  return {
    needsTags: true,
    choose: (events, tags) => (labelOf(tags) === undefined ? [] : choose(events, tags)),
    describe: ({ events, tags, ordinals, times }) => {
      const label = labelOf(tags);
      return textBatch(
        events.texts().map((text, index) =>
          JSON.stringify({
            at: iso(times[index] as number),
            generator,
            event: (ordinals[index] as number) + 1,
            mark: markOf(text),
            ...label,
          }),
        ),
      );
    },
  };
};
