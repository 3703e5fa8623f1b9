import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result } from '../../../domain/errors.js';
import type { TemplateLimits } from '../../../domain/generator.js';
import { makeEnvironment, type Template } from '../../../template/index.js';
import type { FormatterContext } from '../../kit.js';
import { templateFiles } from '../../shared/templateFiles.js';
import type { TemplateParams } from './templateFields.js';

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
  const { kind, message, places } = made.left;
  if (kind === 'TemplateNotFound' && places.length === 0) {
    const hint = 'Correct the path, or create the file. Links out of the folder are ignored.';
    return fail(`there is no file ${template_path} in ${directory}. ${hint}`);
  }
  return fail(message);
};
