import { textBatch } from '../../../domain/events/eventBatch.js';
import { isJsonObject, type Json, type JsonObject } from '../../../domain/json.js';
import { markOf } from '../../../domain/marks/read.js';
import { literalPattern } from '../../../domain/text/pattern.js';
import { isoFormatter } from '../../../domain/time/iso.js';
import { utc } from '../../../domain/time/zone.js';
import type { Log } from '../../../ports/log.js';
import type { OutputRoute } from '../../kit.js';

const iso = isoFormatter(utc);

/** What a line of ground truth says besides the event: the members of its label, and the entities that the event shows. */
type Label = (text: string) => JsonObject;

/** Texts of an entity that can be found in an event. Numbers and short texts are everywhere. */
const namesIn = (entity: Json): readonly string[] => {
  if (typeof entity === 'string') return entity.length < MIN_NAME ? [] : [entity];
  return typeof entity === 'object' && entity !== null ? Object.values(entity).flatMap(namesIn) : [];
};

const MIN_NAME = 3;

/** Matches one of the texts as a whole word, as it is or as JSON spells it. */
const wordsOf = (texts: readonly string[]): RegExp => {
  const spelled = texts.flatMap((text) => [text, JSON.stringify(text).slice(1, -1)]);
  const any = [...new Set(spelled)].map(literalPattern).join('|');
  return new RegExp(`(?<![\\p{L}\\p{N}_])(?:${any})(?![\\p{L}\\p{N}_])`, 'iu');
};

const labelFrom = (members: JsonObject, onMissing: (name: string) => void): Label => {
  const { entities = null, ...label } = members;
  if (!isJsonObject(entities)) return () => members;
  const known = Object.entries(entities).map(([name, entity]) => {
    const names = namesIn(entity);
    return { name, entity, words: names.length === 0 ? null : wordsOf(names) };
  });
  return (text) => {
    const missing = known.filter(({ words }) => words?.test(text) === false).map(({ name }) => name);
    for (const name of missing) onMissing(name);
    const shown = known.filter(({ name }) => !missing.includes(name));
    return {
      ...label,
      entities: Object.fromEntries(shown.map(({ name, entity }) => [name, entity])),
      ...(missing.length === 0 ? {} : { not_in_event: missing }),
    };
  };
};

/**
 * A route that takes the events of timestamps with one of the tags, and writes a line of ground truth for each: `at` (the
 * timestamp), `generator`, `event` (its number in the stream, from 1), `mark` (null without marks), and the members of the tag.
 * A line has those objects in `entities` that its event shows by one of their texts; `not_in_event` names the others,
 * and the log warns once for each.
 */
export const labelled = (
  { choose }: OutputRoute,
  given: Readonly<Record<string, JsonObject>>,
  generator: string,
  log: Log,
): OutputRoute => {
  const labels = new Map(
    Object.entries(given).map(([tag, members]) => {
      const warned = new Set<string>();
      const label = labelFrom(members, (entity) => {
        if (warned.has(entity)) return;
        warned.add(entity);
        log.write('warning', 'an event does not show an entity that the ground truth has for it', {
          entity,
          tag,
        });
      });
      return [tag, label] as const;
    }),
  );
  const labelOf = (tags: readonly string[]): Label | undefined => {
    const tag = tags.find((one) => labels.has(one));
    return tag === undefined ? undefined : labels.get(tag);
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
            ...label?.(text),
          }),
        ),
      );
    },
  };
};
