import { ApiError } from '../../api/errors.js';
import { locationIn } from '../../parts/locatedText.js';
import type { LineProblem } from './configCheck.js';

/** A problem on a line of a file of the generator directory. */
export interface FileProblem extends LineProblem {
  readonly path: string;
}

/** Returns the location that a message names, or null when it names none. */
export const namedLocation = (text: string): FileProblem | null => {
  const location = locationIn(text);
  if (location === null) return null;
  const { path, line, column, message } = location;
  return { path, line, column, message: message ?? text.split('\n')[0] ?? '', severity: 'error' };
};

const stepsOf = (location: string): readonly (string | number)[] =>
  location === '' ? [] : location.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part));

export interface ProblemSection {
  /** Key of the config that was sent as a body. */
  readonly key: 'input' | 'event';
  /** Path of the config. */
  readonly path: string;
  readonly locate: (path: readonly (string | number)[]) => { readonly line: number; readonly column: number };
}

/** The problems of a refused preview on the lines of the config, or of the files that they name. */
export const fileProblemsOf = (
  error: unknown,
  { key, path, locate }: ProblemSection,
): readonly FileProblem[] => {
  if (!(error instanceof ApiError)) return [];
  return error.problems.map(({ location, message }): FileProblem => {
    const steps = stepsOf(location);
    // With unsaved texts the section is a part of the body.
    const position = locate(steps[0] === key ? steps : [key, ...steps]);
    return namedLocation(message) ?? { path, ...position, message, severity: 'error' };
  });
};

/** Each problem once, with how often it came: a template fails anew for every event. */
export const countedProblems = (
  problems: readonly LineProblem[],
): readonly (readonly [key: string, problem: LineProblem, count: number])[] => {
  const found = new Map<string, readonly [string, LineProblem, number]>();
  for (const problem of problems) {
    const key = `${problem.line}:${problem.column}:${problem.message}`;
    found.set(key, [key, problem, (found.get(key)?.[2] ?? 0) + 1]);
  }
  return [...found.values()];
};
