import type { Json } from '../../../../src/domain/json.js';
import type { Schema } from '../document.js';
import { placesOf, rootPlace, type SchemaPlace } from '../places.js';
import { badValuesOf, nestedLists, nestedObjects } from '../values/badValues.js';
import { goodValuesOf } from '../values/goodValues.js';
import { jsonText } from '../values/jsonText.js';
import { branchesOf, smallest, typesOf } from '../values/smallest.js';
import type { Expectation, RequestCase } from './requestCase.js';

/** Says whether a whole body is what its schema takes. */
export type IsValid = (body: unknown) => boolean;

const LONG_TEXT = 10_000;
const DEEP = 10_000;
const LONG_LIST = 100_000;

const showPath = (path: readonly string[]): string => (path.length === 0 ? 'body' : path.join('.'));

/** A place that takes any JSON: nothing in it is looked at by a schema. */
const isFree = (schema: Schema): boolean =>
  branchesOf(schema) === null &&
  (typesOf(schema).length === 0 ||
    (schema['properties'] === undefined && typesOf(schema).includes('object')));

const open = (path: readonly string[]): Expectation => ({ kind: 'open', value: { where: 'body', path } });
const refused = (path: readonly string[]): Expectation => ({
  kind: 'refused',
  fault: { where: 'body', path },
});

const goodCases = (place: SchemaPlace, isValid: IsValid): readonly RequestCase[] =>
  goodValuesOf(place.schema).map(({ label, value, isSure }) => {
    const body = place.put(value);
    if (!isValid(body)) throw new Error(`${showPath(place.path)}, ${label}: ${jsonText(value)} is not valid`);
    return {
      label: `${showPath(place.path)}: ${label} ${jsonText(value).slice(0, 60)}`,
      isBroken: false,
      expected: isSure ? { kind: 'taken' } : open(place.path),
      body: () => jsonText(body),
    };
  });

const badCases = (place: SchemaPlace, isValid: IsValid): readonly RequestCase[] =>
  badValuesOf(place.schema).map(({ label, value, fault }) => {
    const body = place.put(value);
    const path = [...place.path, ...fault];
    const isBroken = !isValid(body);
    return {
      label: `${showPath(place.path)}: ${label}`,
      isBroken,
      // A value that the schema takes after all may still mean nothing.
      expected: isBroken ? refused(path) : open(path),
      body: () => jsonText(body),
    };
  });

/** A text put where the mark stands in the text of a body. */
const MARK = 'put-the-text-here';
const withText = (place: SchemaPlace, text: string): string =>
  jsonText(place.put(MARK)).replace(JSON.stringify(MARK), () => text);

/** Much of everything, at one place. */
const hugeCases = (place: SchemaPlace): readonly RequestCase[] => {
  const at = showPath(place.path);
  const made = (label: string, text: string, isOfWhole = false): RequestCase => ({
    label: `${at}: ${label}`,
    isBroken: !isFree(place.schema),
    expected: isFree(place.schema) ? { kind: 'open', value: null } : open(isOfWhole ? [] : place.path),
    body: () => withText(place, text),
  });
  return [
    // Depth is a limit of the whole body, and of very many problems the last says how many there are.
    made(`lists ${DEEP} deep`, nestedLists(DEEP), true),
    made(`objects ${DEEP} deep`, nestedObjects(DEEP), true),
    made(`a list of ${LONG_LIST}`, `[${'0,'.repeat(LONG_LIST - 1)}0]`, true),
    made(`a text of ${LONG_TEXT}`, JSON.stringify('x'.repeat(LONG_TEXT))),
    {
      ...made('a text of 1 MiB', '', true),
      body: () => withText(place, JSON.stringify('x'.repeat(1_048_576))),
    },
  ];
};

/** How many places of a body get the huge values; the others differ from them in nothing. */
const HUGE_PLACES = 6;

const unique = (cases: readonly RequestCase[]): readonly RequestCase[] => {
  const seen = new Set<string>();
  return cases.filter(({ body }) => {
    const text = String(body?.());
    if (seen.has(text)) return false;
    seen.add(text);
    return true;
  });
};

/**
 * Requests for every place of a JSON body: all that its schema takes, and all that breaks it. `pick` chooses
 * the places that also get huge values.
 */
export const bodyCases = (
  schema: Schema,
  isValid: IsValid,
  pick: <A>(from: readonly A[], count: number) => readonly A[],
): readonly RequestCase[] => {
  const root = rootPlace(schema);
  const places = placesOf(root);
  const small: Json = smallest(schema);
  if (!isValid(small)) throw new Error(`the smallest body is not valid: ${jsonText(small)}`);
  return [
    ...unique(places.flatMap((place) => goodCases(place, isValid))),
    ...unique(places.flatMap((place) => badCases(place, isValid))),
    ...[root, ...pick(places.slice(1), HUGE_PLACES)].flatMap(hugeCases),
  ];
};
