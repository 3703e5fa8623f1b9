import { MAX_LONG_TEXT_LENGTH, optional, text } from '../../../schema/index.js';
import type { RuleBreach } from '../../../schema/shape.js';
import { formatterPlugin } from '../../declare.js';
import { templatePath } from '../../shared/fields.js';

/** Fields of a formatter with a template: exactly one of them is given. */
export const templateFieldsWith = (example: Readonly<Record<keyof TemplateParams, string>>) => ({
  template: optional(text({ minLength: 1, maxLength: MAX_LONG_TEXT_LENGTH }), {
    help: 'Text of the template; either this or `template_path`.',
    example: example.template,
  }),
  template_path: optional(templatePath(''), {
    help: 'File with the template, below the folder of the generator; either this or `template`.',
    example: example.template_path,
  }),
});

export interface TemplateParams {
  readonly template: string | null;
  readonly template_path: string | null;
}

export const templateRules = [
  {
    fields: ['template', 'template_path'] as const,
    check: ({ template, template_path }: TemplateParams): RuleBreach | null => {
      if (template === null && template_path === null) {
        return {
          at: 'template',
          type: 'missing',
          message: 'is required without `template_path`',
          hint: 'Write the template here, or set `template_path` to its file.',
        };
      }
      if (template === null || template_path === null) return null;
      return {
        at: 'template_path',
        type: 'not_allowed',
        message: 'must not be set together with `template`',
        hint: 'Keep one of them.',
      };
    },
  },
] as const;

export const templateNotes = [
  'Set exactly one of `template` and `template_path`. In YAML, quote an inline template or put it below `|`: unquoted text that starts with `{` is an object. `${params.name}` and `${secrets.name}` are replaced when the config is loaded, before the template is read; `{{ }}`, `{% %}` and any other `${` stay.',
  'The language is that of event templates (Jinja) with its standard filters, tests and functions, but without `module`, `params`, `samples`, state and timestamp. Nothing is escaped. One line end at the end of the template is dropped, so `|` adds none; line ends of events stay.',
  '`include`, `import` and `extends` find templates by their path below the folder of the generator. Absolute paths, paths with `..`, and links out of the folder are not found. Files are UTF-8, at most 16 MiB.',
  'A syntax error, or a file that is missing or not UTF-8, fails the start of the generator, with template, line and column. So does a missing template with a literal name in `include`, `import` or `extends`, unless `ignore missing` allows it; computed names are resolved during the render.',
  'Filters such as `random` follow the seed of the generator.',
] as const;

export const templateFormatterFields = templateFieldsWith({
  template: '<{{ event }}>',
  template_path: 'event.jinja',
});

export const templateFormatterSpec = formatterPlugin({
  name: 'template',
  summary: 'Renders a template for each event.',
  fields: templateFormatterFields,
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
