import { compileRegex, pointsOf } from '../../../../domain/regex/regex.js';
import { spend } from '../../../../template/index.js';

/** Steps of a search that cost one step of the budget. */
const STEPS_PER_STEP = 16;

/**
 * The test whether a text matches a regular expression from its start (as Python's `re.match`), or one
 * sentence why the expression is refused.
 */
export const compileMatch = (source: string): ((value: string) => boolean) | string => {
  const regex = compileRegex(source);
  if (typeof regex === 'string') return `is not a regular expression: ${regex}`;
  return (value) => regex.run(pointsOf(value), 0, 'match', (steps) => spend(steps / STEPS_PER_STEP)) !== null;
};
