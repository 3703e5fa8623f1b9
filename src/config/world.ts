import * as E from 'fp-ts/lib/Either.js';
import type { Issue, Result } from '../domain/errors.js';
import { readWorld } from '../plugins/inputs/world/worldShape.js';
import type { WorldSpec } from '../world/spec.js';
import { invalid } from './report.js';
import { locateIssues, parseYaml, type YamlSource } from './yaml/source.js';

/** Reads the file of a world. Returns an error with every problem by line and column. */
export const loadWorld = (text: string, file: string): Result<WorldSpec> =>
  E.flatMap((source: YamlSource) =>
    E.mapLeft((issues: readonly Issue[]) => invalid(file, locateIssues(source, issues)))(
      readWorld(source.value),
    ),
  )(parseYaml(text, file));
