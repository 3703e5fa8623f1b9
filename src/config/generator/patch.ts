import * as E from 'fp-ts/lib/Either.js';
import type { Issue, Result } from '../../domain/errors.js';
import type { GeneratorDefinition } from '../../domain/generator.js';
import type { JsonObject } from '../../domain/json.js';
import type { Secrets } from '../../ports/files.js';
import { type AnyShape, decode } from '../../schema/index.js';
import { invalid } from '../report.js';
import { hideSecrets, pluginNames } from './config.js';
import { substitute } from './substitute.js';

/** Returns a definition with whole sections replaced, ready to run. Paths of an error start at `sections`. */
export const patchDefinition = async (
  { secrets, shape }: { readonly secrets: Secrets; readonly shape: AnyShape },
  definition: GeneratorDefinition,
  sections: JsonObject,
): Promise<Result<GeneratorDefinition>> => {
  // Values from earlier placeholders are never substituted again.
  const substituted = await substitute(sections, definition.params.params, secrets);
  if (E.isLeft(substituted)) return E.left(invalid('', substituted.left));
  const { value, secrets: used } = substituted.right;
  const merged = { ...(definition.config as JsonObject), ...(value as JsonObject) };
  return E.bimap(
    (issues: readonly Issue[]) =>
      invalid(
        '',
        issues.map((issue) => hideSecrets(issue, used)),
      ),
    (decoded: unknown): GeneratorDefinition => {
      const config = shape.codec.encode(decoded);
      const known = new Set([...(definition.secrets ?? []), ...used]);
      return { ...definition, config, plugins: pluginNames(config), secrets: [...known] };
    },
  )(decode(shape, merged));
};
