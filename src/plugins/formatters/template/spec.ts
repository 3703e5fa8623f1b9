import { formatterPlugin } from '../../declare.js';
import { templateFieldsWith, templateNotes, templateRules } from '../shared/templateFields.js';

export const templateFields = templateFieldsWith({ template: '<{{ event }}>', template_path: 'event.jinja' });

export const templateSpec = formatterPlugin({
  name: 'template',
  summary: 'Each event put into a template.',
  fields: templateFields,
  rules: templateRules,
  notes: [
    'The template is rendered once for each event, which it sees as the text `event`. What it gives is the new event, an empty text too.',
    ...templateNotes,
    'An event whose render fails is left out for this output, counted as `format_failed` and logged with the reason and its line; the others go on.',
    'What one render may use is set by `template_limits` of the generator: by default 10,000,000 steps, 16 MiB of text and one second. All renders of one batch may take five seconds; the events behind that fail.',
  ],
  examples: [
    {
      title: 'A syslog header before each event',
      params: { template: '<134>1 - web shop - - - {{ event }}' },
    },
    { title: 'A template in a file', params: { template_path: 'event.jinja' } },
  ],
});
