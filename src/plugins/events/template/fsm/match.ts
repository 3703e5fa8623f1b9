import { compileRegex, type Meter, pointsOf } from '../../../../domain/regex/regex.js';

/** Matches from the start, as Python's `re.match`. A string: why the expression is invalid. */
export const compileMatch = (source: string): ((value: string, meter: Meter) => boolean) | string => {
  const regex = compileRegex(source);
  if (typeof regex === 'string') return `is not a valid regular expression: ${regex}`;
  return (value, meter) => regex.run(pointsOf(value), 0, 'match', meter) !== null;
};
