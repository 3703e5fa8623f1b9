import { formatterPlugin } from '../../declare.js';
import { templateFieldsWith, templateNotes, templateRules } from '../shared/templateFields.js';

export const templateFields = templateFieldsWith({ template: '<{{ event }}>', template_path: 'event.jinja' });

export const templateSpec = formatterPlugin({
  name: 'template',
  summary: 'Renders a template for each event.',
  fields: templateFields,
  rules: templateRules,
  notes: [
    'The template is rendered once per event, with its text as `event`. The result replaces the event, even if it is empty.',
    ...templateNotes,
    'An event with a failed render is dropped for this output, counted as `format_failed` and logged with reason and line; the rest continue.',
    '`template_limits` of the generator limits each render: by default 10,000,000 steps, 16 MiB of text and one second. All renders of a batch may take five seconds; later events fail.',
  ],
  examples: [
    {
      title: 'A syslog header before each event',
      params: { template: '<134>1 - web shop - - - {{ event }}' },
    },
    { title: 'A template in a file', params: { template_path: 'event.jinja' } },
  ],
});
