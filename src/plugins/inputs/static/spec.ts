import { integer, required } from '../../../schema/index.js';
import { inputPlugin } from '../../declare.js';

const fields = {
  count: required(integer({ min: 1 }), { help: 'How many timestamps.', example: 1000 }),
};

export const staticSpec = inputPlugin({
  name: 'static',
  summary: 'A number of timestamps, all at the moment generation starts.',
  fields,
  notes: ['Never skipped, never waited for.'],
  examples: [{ title: 'A thousand events at once', params: { count: 1000 } }],
});
