import { integer, required } from '../../../schema/index.js';
import type { PluginSpec } from '../../kit.js';
import { tagsField } from '../shared/fields.js';

const fields = {
  count: required(integer({ min: 1 }), { help: 'How many timestamps.', example: 1000 }),
  tags: tagsField,
};

export const staticSpec = {
  kind: 'input',
  name: 'static',
  summary: 'A number of timestamps, all at the moment generation starts.',
  fields,
  notes: ['Never skipped, never waited for.'],
  examples: [{ title: 'A thousand events at once', params: { count: 1000 } }],
} as const satisfies PluginSpec<typeof fields>;
