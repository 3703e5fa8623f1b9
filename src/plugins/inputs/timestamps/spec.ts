import { lazily, required } from '../../../schema/index.js';
import { inputPlugin } from '../../declare.js';
import { sourceShape } from './source.js';

const fields = lazily(() => ({
  source: required(sourceShape(), {
    help: 'List of ISO 8601 date-times in ascending order, or path of a text file with one per line.',
    example: ['2026-01-01T00:00:00Z', '2026-01-01T00:00:05Z'],
    reads: 'file',
  }),
}));

export const timestampsSpec = inputPlugin({
  name: 'timestamps',
  summary: 'Timestamps from a list or a file.',
  fields,
  notes: [
    'Times without an offset are in the time zone of the generator. Blank lines of a file are ignored.',
    'The file is read once, at the start of the generator. `skip_past` skips timestamps at or before that.',
  ],
  examples: [
    { title: 'Two timestamps', params: { source: ['2026-01-01T00:00:00Z', '2026-01-01T00:00:05Z'] } },
    { title: 'From a file beside generator.yml', params: { source: 'moments.txt' } },
  ],
});
