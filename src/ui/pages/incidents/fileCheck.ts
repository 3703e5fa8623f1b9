import * as E from 'fp-ts/lib/Either.js';
import { checkIncident } from '../../../config/incidents/check.js';
import type { LineProblem } from '../workbench/configCheck.js';
import { problemOf } from '../workbench/configCheck.js';

/** The problems of an incident file by line; empty: it can be saved. */
export const fileProblems = (text: string): readonly LineProblem[] => {
  const checked = checkIncident(text, '');
  return E.isLeft(checked) ? (checked.left.issues ?? []).map(problemOf) : [];
};
