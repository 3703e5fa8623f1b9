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

/** One problem with all the places where it is. */
export interface CountedProblem {
  readonly key: string;
  readonly message: string;
  readonly severity: LineProblem['severity'];
  /** How often it came: a template fails anew for every event. */
  readonly count: number;
  /** Each place once, from top to bottom. */
  readonly places: readonly LineProblem[];
}

/** Each problem once, with how often and where it is. */
export const countedProblems = (problems: readonly LineProblem[]): readonly CountedProblem[] => {
  const found = new Map<string, { count: number; readonly places: Map<string, LineProblem> }>();
  for (const problem of problems) {
    const key = `${problem.severity}:${problem.message}`;
    const known = found.get(key) ?? { count: 0, places: new Map<string, LineProblem>() };
    const place = `${problem.line}:${problem.column}`;
    known.count += 1;
    if (!known.places.has(place)) known.places.set(place, problem);
    found.set(key, known);
  }
  return [...found].flatMap(([key, { count, places }]): readonly CountedProblem[] => {
    const sorted = [...places.values()].sort((a, b) => a.line - b.line || a.column - b.column);
    const [first] = sorted;
    return first === undefined
      ? []
      : [{ key, message: first.message, severity: first.severity, count, places: sorted }];
  });
};

/** Each text once, with how often it came. */
export const countedTexts = (
  texts: readonly string[],
): readonly (readonly [text: string, count: number])[] => {
  const found = new Map<string, number>();
  for (const text of texts) found.set(text, (found.get(text) ?? 0) + 1);
  return [...found];
};
