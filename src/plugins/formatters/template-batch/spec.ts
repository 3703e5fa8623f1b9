import { formatterPlugin } from '../../declare.js';
import { templateFieldsWith, templateNotes, templateRules } from '../shared/templateFields.js';

export const templateBatchFields = templateFieldsWith({
  template: '{% for event in events %}{{ event }};{% endfor %}',
  template_path: 'batch.jinja',
});

export const templateBatchSpec = formatterPlugin({
  name: 'template-batch',
  summary: 'All events of a batch put into one template.',
  fields: templateBatchFields,
  rules: templateRules,
  notes: [
    'The template is rendered once for each batch, whose events it sees as the list of texts `events`. What it gives is one item, which stands for all of them; an empty text is sent as an empty item.',
    ...templateNotes,
    'When the render fails, nothing is sent: every event of the batch is left out for this output, counted as `format_failed` and logged once with the reason and its line.',
    'Events are collected up to `batch.size` or `batch.delay` before they are rendered. What one render may use is set by `template_limits` of the generator: by default 10,000,000 steps (a loop over the list takes two for each event, the handling of a text one for 64 characters) 16 MiB of text and one second. Beyond that it fails: make `batch.size` smaller, or the limits larger. However many events there are, `collection_items` alone does not refuse their list.',
  ],
  examples: [
    {
      title: 'An envelope with a count around events that are JSON',
      params: {
        template:
          '{"count": {{ events | length }}, "events": [{% for event in events %}{{ event }}{{ ", " if not loop.last }}{% endfor %}]}',
      },
    },
    { title: 'A template in a file', params: { template_path: 'batch.jinja' } },
  ],
});
