import { MAX_LONG_TEXT_LENGTH, optional, text } from '../../../schema/index.js';
import type { RuleBreach } from '../../../schema/shape.js';
import { templatePath } from '../../shared/templatePath.js';

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
          message: 'is required where `template_path` is not given',
          hint: 'Write the template here, or name its file in `template_path`.',
        };
      }
      if (template === null || template_path === null) return null;
      return {
        at: 'template_path',
        type: 'not_allowed',
        message: 'must not be given beside `template`',
        hint: 'Keep one of the two.',
      };
    },
  },
] as const;

/** Notes of both template formatters. */
export const templateNotes = [
  'Give exactly one of `template` and `template_path`. In YAML put an inline template in quotes or below `|`: without them a text that begins with `{` is an object. `${params.name}` and `${secrets.name}` in it are replaced when the config is loaded, before the template is read; `{{ }}`, `{% %}` and any other `${` are left alone.',
  'The language is that of event templates (Jinja) with its standard filters, tests and functions, and nothing else: no `module`, `params`, `samples`, state or timestamp. Nothing is escaped. One line end at the end of the template is dropped, so that `|` adds none; line ends of events stay.',
  '`include`, `import` and `extends` find templates by their path below the folder of the generator. An absolute path, one with `..`, and a link that leads out of the folder are not found. Files are UTF-8, at most 16 MiB.',
  'Wrong syntax, and a file that is missing or not UTF-8, are errors when the generator starts, with template, line and column. So is a missing template that `include`, `import` or `extends` names by a plain text, unless `ignore missing` allows it; any other name is looked up when it is rendered.',
  'Filters such as `random` draw from the seed of the generator.',
] as const;
