import * as E from 'fp-ts/lib/Either.js';
import type { Issue } from '../../domain/errors.js';
import type { Json } from '../../domain/json.js';
import { type AnyShape, decodeStored } from '../../schema/index.js';
import type { ShownProblem } from '../api/errors.js';
import type { FieldPlace } from './document.js';

/** What the declaration finds wrong, before anything is sent. */
export const localIssues = (shape: AnyShape, value: Json): readonly Issue[] => {
  const result = decodeStored(shape, value);
  return E.isLeft(result) ? result.left : [];
};

const INDEX = /^\d+$/;

/** The problems of a refused request, at their places. */
export const issuesOfProblems = (problems: readonly ShownProblem[]): readonly Issue[] =>
  problems.map(({ place, message }) => ({
    path: place === '' ? [] : place.split('.').map((key) => (INDEX.test(key) ? Number(key) : key)),
    type: 'refused',
    message,
  }));

const isBelow = (path: FieldPlace, place: FieldPlace): boolean =>
  path.length >= place.length && place.every((key, index) => String(path[index]) === String(key));

const sentence = ({ message, hint }: Issue, prefix = ''): string =>
  [`${prefix}${message}`, ...(hint === undefined ? [] : [hint])].join('. ');

const relative = (path: FieldPlace, place: FieldPlace): string => {
  const rest = path.slice(place.length).join('.');
  return rest === '' ? '' : `${rest}: `;
};

const joined = (lines: readonly string[]): string | null => (lines.length === 0 ? null : lines.join('\n'));

/** The error of a value without parts of its own. */
export const errorAt = (issues: readonly Issue[], place: FieldPlace): string | null =>
  joined(
    issues
      .filter(({ path }) => isBelow(path, place))
      .map((issue) => sentence(issue, relative(issue.path, place))),
  );

/** The error of an object or list itself, with those of parts that the form does not show. */
export const errorOfGroup = (
  issues: readonly Issue[],
  place: FieldPlace,
  isShown: (key: string | number) => boolean,
): string | null =>
  joined(
    issues
      .filter(({ path }) => isBelow(path, place))
      .filter(({ path }) => {
        const next = path[place.length];
        return next === undefined || !isShown(next);
      })
      .map((issue) => sentence(issue, relative(issue.path, place))),
  );

export const hasIssueBelow = (issues: readonly Issue[], place: FieldPlace): boolean =>
  issues.some(({ path }) => isBelow(path, place));
