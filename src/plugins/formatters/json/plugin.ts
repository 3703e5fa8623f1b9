import * as E from 'fp-ts/lib/Either.js';
import { textBatch } from '../../../domain/events/eventBatch.js';
import type { FormatFailure, Formatter, FormatterPlugin } from '../../kit.js';
import { makeRespacer } from '../shared/respace.js';
import { type jsonFields, jsonSpec } from './spec.js';
import { makeSqueezer } from './squeeze/squeezer.js';

const jsonFormatter = (indent: number): Formatter => {
  const respace = makeRespacer({ indent, level: 0 });
  const squeeze = indent === 0 ? makeSqueezer(respace) : null;
  if (squeeze !== null) return { joins: false, format: squeeze };
  return {
    joins: false,
    format: (events) => {
      const items: string[] = [];
      const failures: FormatFailure[] = [];
      let isSame = true;
      for (const event of events.texts()) {
        const item = respace(event);
        if (typeof item === 'string') {
          items.push(item);
          isSame &&= item === event;
        } else failures.push({ event, reason: item.reason });
      }
      // An unchanged batch keeps its bytes.
      const batch = isSame && failures.length === 0 ? events : textBatch(items);
      return { batch, eventsPerItem: 1, failures };
    },
  };
};

export const jsonPlugin: FormatterPlugin<typeof jsonFields> = {
  spec: jsonSpec,
  build: async ({ indent }) => E.right(jsonFormatter(indent)),
};
