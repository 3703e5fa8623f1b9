import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result } from '../../../domain/errors.js';
import { textBatch } from '../../../domain/events/eventBatch.js';
import type { TemplateLimits } from '../../../domain/generator.js';
import { beginScope, endScope, makeEnvironment, type Template, type Value } from '../../../template/index.js';
import type { FormatFailure, Formatter, FormatterContext, FormatterPlugin } from '../../kit.js';
import { templateFiles } from '../../shared/templateFiles.js';
import { type TemplateParams, type templateFormatterFields, templateFormatterSpec } from './spec.js';

const templateFormatter = ({ render }: Template): Formatter => {
  // Shared by all renders: templates cannot write to it.
  const variables = new Map<string, Value>();
  const names = { variables };
  return {
    joins: false,
    format: (events) => {
      const items: string[] = [];
      const failures: FormatFailure[] = [];
      beginScope();
      for (const event of events.texts()) {
        variables.set('event', event);
        const item = render(names);
        if (E.isRight(item)) items.push(item.right);
        else failures.push({ event, reason: item.left.message });
      }
      endScope();
      return { batch: textBatch(items), eventsPerItem: 1, failures };
    },
  };
};

export const templateFormatterPlugin: FormatterPlugin<typeof templateFormatterFields> = {
  spec: templateFormatterSpec,
  build: async (params, context) =>
    E.map(templateFormatter)(compiledTemplate(templateFormatterSpec.name, params, context)),
};

const INLINE_NAME = 'template';

/**
 * Compiles the template of a formatter, without the names of event templates. Returns the error `plugin_failed` at the
 * field, with template, line and column.
 */
export const compiledTemplate = (
  formatter: string,
  { template, template_path }: TemplateParams,
  {
    directory,
    random,
    clock,
    templates,
  }: Pick<FormatterContext, 'directory' | 'random' | 'clock' | 'templates'>,
  limits: TemplateLimits = templates.limits,
): Result<Template> => {
  const field = template_path === null ? 'template' : 'template_path';
  const fail = (message: string) =>
    E.left(
      failure('plugin_failed', `formatter ${formatter}: ${message}`, {
        issues: [{ path: [field], type: 'bad_format', message }],
      }),
    );
  const environment = makeEnvironment({
    loader: templateFiles(directory),
    random,
    limits,
    monotonicMs: clock.monotonicMs,
    requiresNamed: true,
  });
  const made =
    template_path === null
      ? environment.fromText(INLINE_NAME, template ?? '')
      : environment.load(template_path);
  if (E.isRight(made)) return made;
  const { kind, message, locations } = made.left;
  if (kind === 'TemplateNotFound' && locations.length === 0) {
    const hint = 'Correct the path, or create the file. Links out of the folder are ignored.';
    return fail(`there is no file ${template_path} in ${directory}. ${hint}`);
  }
  return fail(message);
};
