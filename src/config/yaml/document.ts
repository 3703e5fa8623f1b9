import * as E from 'fp-ts/lib/Either.js';
import type { Issue, Result } from '../../domain/errors.js';
import type { Json } from '../../domain/json.js';
import { type AnyShape, decodeStored, expandDotted } from '../../schema/index.js';
import { invalid } from '../report.js';
import { locateIssues, parseYaml, type YamlSource } from './source.js';

/** A parsed file with expanded dotted keys. */
export interface Expanded {
  readonly source: YamlSource;
  readonly value: Json;
}

const read = (text: string, file: string, shape: AnyShape): Result<Expanded> =>
  E.flatMap((source: YamlSource) =>
    E.bimap(
      (issues: readonly Issue[]) => invalid(file, locateIssues(source, issues)),
      (value: Json): Expanded => ({ source, value }),
    )(expandDotted(source.value, shape)),
  )(parseYaml(text, file));

/** Entries and characters of the cache: a thousand generators often share a few configs. */
const MAX_KNOWN = 64;
const MAX_KNOWN_LENGTH = 65_536;
interface Known {
  readonly text: string;
  readonly shape: AnyShape;
  readonly document: Result<Expanded>;
}
const known = new Map<string, Known>();

/** Parses a text and expands its dotted keys. Cached by file name. */
export const readDocument = (text: string, file: string, shape: AnyShape): Result<Expanded> => {
  const found = known.get(file);
  if (found !== undefined && found.text === text && found.shape === shape) return found.document;
  const document = read(text, file, shape);
  if (known.size >= MAX_KNOWN) known.clear();
  if (text.length <= MAX_KNOWN_LENGTH) known.set(file, { text, shape, document });
  return document;
};

/** Checks a stored document; placeholders are valid. Returns its value with every default. */
export const checkStored = ({ source, value }: Expanded, shape: AnyShape): Result<Json> => {
  if (typeof value === 'string') {
    const issue = { path: [], type: 'wrong_type', message: 'must be an object, not text' };
    return E.left(invalid(source.file, locateIssues(source, [issue])));
  }
  return E.bimap(
    (issues: readonly Issue[]) => invalid(source.file, locateIssues(source, issues)),
    (stored: unknown) => shape.stored.encode(stored),
  )(decodeStored(shape, value));
};
