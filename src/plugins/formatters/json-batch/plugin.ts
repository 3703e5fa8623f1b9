import * as E from 'fp-ts/lib/Either.js';
import { emptyBatch, textBatch } from '../../../domain/events/eventBatch.js';
import type { FormatFailure, Formatted, Formatter, FormatterPlugin } from '../../kit.js';
import { gapAtLevel, gapLength, gapText, MAX_LENGTH, makeRespacer, SPACE_GAP } from '../shared/respace.js';
import { type jsonBatchFields, jsonBatchSpec } from './spec.js';

/** Characters of `[` and `]`, and of a comma. */
const BRACKETS = 2;
const COMMA = 1;

const arrayTooLong = `the array of this batch would be longer than ${MAX_LENGTH} characters with this event`;

const jsonBatchFormatter = (indent: number): Formatter => {
  const respace = makeRespacer({ indent, level: 1 });
  const outerGap = gapAtLevel(indent, 0);
  const innerGap = gapAtLevel(indent, 1);
  const betweenGap = indent === 0 ? SPACE_GAP : innerGap;
  const aroundLength = BRACKETS + gapLength(innerGap) + gapLength(outerGap);

  const written = (items: readonly string[], failures: readonly FormatFailure[]): Formatted => {
    if (items.length === 0) return { batch: emptyBatch, eventsPerItem: 0, failures };
    const array = `[${gapText(innerGap)}${items.join(`,${gapText(betweenGap)}`)}${gapText(outerGap)}]`;
    return { batch: textBatch([array]), eventsPerItem: items.length, failures };
  };

  return {
    joins: true,
    format: (events) => {
      const items: string[] = [];
      const failures: FormatFailure[] = [];
      let length = aroundLength;
      for (const event of events.texts()) {
        const item = respace(event);
        if (typeof item !== 'string') {
          failures.push({ event, reason: item.reason });
          continue;
        }
        const longer = length + item.length + (items.length === 0 ? 0 : COMMA + gapLength(betweenGap));
        if (longer > MAX_LENGTH) failures.push({ event, reason: arrayTooLong });
        else {
          length = longer;
          items.push(item);
        }
      }
      return written(items, failures);
    },
  };
};

export const jsonBatchPlugin: FormatterPlugin<typeof jsonBatchFields> = {
  spec: jsonBatchSpec,
  build: async ({ indent }) => E.right(jsonBatchFormatter(indent)),
};
