import { lazily, optional } from '../../../schema/index.js';
import { dateTimeShape } from './dateTimeField.js';

export const rangeFields = lazily(() => ({
  start: optional(dateTimeShape(), {
    help: 'Start of the schedule, inclusive; default now. A date, a time of day, now, +1h, or words such as "tomorrow".',
    example: '2026-01-01T09:00:00Z',
  }),
  end: optional(dateTimeShape(), {
    help: 'End of the schedule, inclusive; default never. Relative values count from start.',
    example: '+7d',
  }),
}));
