import * as E from 'fp-ts/lib/Either.js';
import type { Issue } from '../../domain/errors.js';
import type { Json } from '../../domain/json.js';
import { type AnyShape, decodeStored } from '../../schema/index.js';
import type { ShownProblem } from '../api/errors.js';
import type { FieldLocation } from './document.js';

/** What the declaration finds wrong, before anything is sent. */
export const localIssues = (shape: AnyShape, value: Json): readonly Issue[] => {
  const result = decodeStored(shape, value);
  return E.isLeft(result) ? result.left : [];
};

const INDEX = /^\d+$/;

/** The problems of a refused request, at their locations. */
export const issuesOfProblems = (problems: readonly ShownProblem[]): readonly Issue[] =>
  problems.map(({ location, message }) => ({
    path: location === '' ? [] : location.split('.').map((key) => (INDEX.test(key) ? Number(key) : key)),
    type: 'refused',
    message,
  }));

const isBelow = (path: FieldLocation, location: FieldLocation): boolean =>
  path.length >= location.length && location.every((key, index) => String(path[index]) === String(key));

const sentence = ({ message, hint }: Issue, prefix = ''): string =>
  [`${prefix}${message}`, ...(hint === undefined ? [] : [hint])].join('. ');

const relative = (path: FieldLocation, location: FieldLocation): string => {
  const rest = path.slice(location.length).join('.');
  return rest === '' ? '' : `${rest}: `;
};

const joined = (lines: readonly string[]): string | null => (lines.length === 0 ? null : lines.join('\n'));

/** The error of a value without parts of its own. */
export const errorAt = (issues: readonly Issue[], location: FieldLocation): string | null =>
  joined(
    issues
      .filter(({ path }) => isBelow(path, location))
      .map((issue) => sentence(issue, relative(issue.path, location))),
  );

/** The error of an object or list itself, with those of parts that the form does not show. */
export const errorOfGroup = (
  issues: readonly Issue[],
  location: FieldLocation,
  isShown: (key: string | number) => boolean,
): string | null =>
  joined(
    issues
      .filter(({ path }) => isBelow(path, location))
      .filter(({ path }) => {
        const next = path[location.length];
        return next === undefined || !isShown(next);
      })
      .map((issue) => sentence(issue, relative(issue.path, location))),
  );

export const hasIssueBelow = (issues: readonly Issue[], location: FieldLocation): boolean =>
  issues.some(({ path }) => isBelow(path, location));
