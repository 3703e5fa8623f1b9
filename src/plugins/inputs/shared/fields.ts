import { defaulted, listOf, optional, text } from '../../../schema/index.js';
import { dateTimeShape } from './dateTimeField.js';

/** Tags, which every input kind has. */
export const tagsField = defaulted(listOf(text()), [], {
  help: 'Given to the event plugin with each timestamp of this input.',
  example: ['web', 'eu'],
});

/** `start` and `end` of the kinds that have both, each optional. */
export const rangeFields = {
  start: optional(dateTimeShape(), {
    help: 'Start of the schedule, inclusive; now when omitted. A date, a time of day, now, +1h, or words like "tomorrow".',
    example: '2026-01-01T09:00:00Z',
  }),
  end: optional(dateTimeShape(), {
    help: 'End of the schedule, inclusive; never when omitted. Relative values count from start.',
    example: '+7d',
  }),
};
