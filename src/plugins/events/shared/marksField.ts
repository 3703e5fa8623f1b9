import { MARK_MODES } from '../../../domain/marks/mark.js';
import { oneOf, optional } from '../../../schema/index.js';

/** The `marks` field of an event plugin. */
export const marksField = optional(oneOf(MARK_MODES), {
  help:
    'Adds a mark to every event, by which `spate verify` proves loss, duplicates, order and latency: `text` appends ' +
    '` spate=<mark>`, `tsv` a column, `json` a last member `spate`. None when omitted.',
  extension: true,
});

/** What the option table cannot say of marks, for the README. */
export const MARKS_NOTE =
  'A mark is `<stream>:<sequence>:<micros>:<crc>`: 8 hex digits that name the run (they follow the seed: two runs of one seed have the same), a number from 1 without ' +
  'gaps, the timestamp in epoch microseconds, and a CRC-32 over the event and what stands before it. With `marks: json` an ' +
  'event that is no JSON object, or has a member `spate` already, is a failed event; white space may change on the way.';
