import * as E from 'fp-ts/lib/Either.js';
import type { Issue, SpateError } from '../domain/errors.js';
import type { Json } from '../domain/json.js';
import { type AnyShape, decodeStored, expandDotted } from '../schema/index.js';
import { invalid } from './report.js';
import { parseYaml, placeIssues, type YamlSource } from './yamlSource.js';

/** A parsed file whose dotted keys are written out. */
export interface Expanded {
  readonly source: YamlSource;
  readonly value: Json;
}

/** Parses a text and writes out its dotted keys, as far as the shape declares them. */
export const readDocument = (text: string, file: string, shape: AnyShape): E.Either<SpateError, Expanded> =>
  E.flatMap((source: YamlSource) =>
    E.bimap(
      (issues: readonly Issue[]) => invalid(file, placeIssues(source, issues)),
      (value: Json): Expanded => ({ source, value }),
    )(expandDotted(source.value, shape)),
  )(parseYaml(text, file));

/** Checks a document as a file stores it (placeholders are fine). Right: its value with every default. */
export const checkStored = ({ source, value }: Expanded, shape: AnyShape): E.Either<SpateError, Json> => {
  if (typeof value === 'string') {
    const issue = { path: [], type: 'wrong_type', message: 'must be an object, not text' };
    return E.left(invalid(source.file, placeIssues(source, [issue])));
  }
  return E.bimap(
    (issues: readonly Issue[]) => invalid(source.file, placeIssues(source, issues)),
    (stored: unknown) => shape.stored.encode(stored),
  )(decodeStored(shape, value));
};
