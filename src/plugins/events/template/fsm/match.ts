import { compileRegex, type Meter, pointsOf } from '../../../../domain/regex/regex.js';

/**
 * The test whether a text matches a regular expression from its start (as Python's `re.match`), or one
 * sentence why the expression is refused. What the meter throws ends the test.
 */
export const compileMatch = (source: string): ((value: string, meter: Meter) => boolean) | string => {
  const regex = compileRegex(source);
  if (typeof regex === 'string') return `is not a regular expression: ${regex}`;
  return (value, meter) => regex.run(pointsOf(value), 0, 'match', meter) !== null;
};
