import { formatterPlugin } from '../../declare.js';
import { templateFieldsWith, templateNotes, templateRules } from '../template/spec.js';

export const templateBatchFields = templateFieldsWith({
  template: '{% for event in events %}{{ event }};{% endfor %}',
  template_path: 'batch.jinja',
});

export const templateBatchSpec = formatterPlugin({
  name: 'template-batch',
  joins: true,
  summary: 'Renders one template for all events of a batch.',
  fields: templateBatchFields,
  rules: templateRules,
  notes: [
    'The template is rendered once per batch, with the list of texts `events`. The result is one item for all events; an empty text is sent as an empty item.',
    ...templateNotes,
    'If the render fails, nothing is sent: all events of the batch are dropped for this output, counted as `format_failed` and logged once with reason and line.',
    'Spate collects events up to `batch.size` or `batch.delay` before a render. `template_limits` of the generator limits it: by default 10,000,000 steps (a loop takes two per event, text one per 64 characters), 16 MiB of text and one second. If it fails, lower `batch.size` or raise the limits. `collection_items` never refuses the list of events.',
  ],
  examples: [
    {
      title: 'An envelope with a count around JSON events',
      params: {
        template:
          '{"count": {{ events | length }}, "events": [{% for event in events %}{{ event }}{{ ", " if not loop.last }}{% endfor %}]}',
      },
    },
    { title: 'A template in a file', params: { template_path: 'batch.jinja' } },
  ],
});
