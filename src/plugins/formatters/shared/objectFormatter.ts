import * as E from 'fp-ts/lib/Either.js';
import { textBatch } from '../../../domain/events/eventBatch.js';
import { isJsonObject, type Json, type JsonObject } from '../../../domain/json.js';
import type { FormatFailure, Formatter } from '../../kit.js';
import { makeRespacer } from './respace.js';

const explain = makeRespacer({ indent: 0, level: 0 });

/** The JSON value of an event, or why it is none. */
export const jsonOf = (event: string): E.Either<string, Json> => {
  try {
    return E.right(JSON.parse(event) as Json);
  } catch {
    const refusal = explain(event);
    return E.left(typeof refusal === 'string' ? 'not valid JSON' : refusal.reason);
  }
};

/** The object of an event, or why it is none. */
export const objectOf = (event: string): JsonObject | string => {
  const parsed = jsonOf(event);
  if (E.isLeft(parsed)) return parsed.left;
  return isJsonObject(parsed.right) ? parsed.right : 'not a JSON object';
};

/** A formatter that writes each event, a JSON object, as one text. */
export const objectFormatter = (write: (event: JsonObject) => string): Formatter => ({
  joins: false,
  format: (events) => {
    const items: string[] = [];
    const failures: FormatFailure[] = [];
    for (const event of events.texts()) {
      const found = objectOf(event);
      if (typeof found === 'string') failures.push({ event, reason: found });
      else items.push(write(found));
    }
    return { batch: textBatch(items), eventsPerItem: 1, failures };
  },
});
