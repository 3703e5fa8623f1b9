import { integer, lazily, required } from '../../../schema/index.js';
import { inputPlugin } from '../../declare.js';

const fields = lazily(() => ({
  count: required(integer({ min: 1 }), { help: 'Number of timestamps.', example: 1000 }),
}));

export const staticSpec = inputPlugin({
  name: 'static',
  summary: 'A number of timestamps, all at the start of generation.',
  fields,
  notes: ['They are never skipped and never wait.'],
  examples: [{ title: 'A thousand events at once', params: { count: 1000 } }],
});
