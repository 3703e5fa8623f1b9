import { expect, test } from '@jest/globals';
import { ApiError, mayRetry, NO_ANSWER } from '../../../src/ui/api/errors.js';

test.each<[string, unknown, boolean]>([
  ['a refusal', new ApiError(422, 'invalid', 'x'), false],
  ['a fault of the service', new ApiError(500, 'bug', 'x'), true],
  ['no answer', NO_ANSWER, true],
  ['an error of the page', new Error('x'), true],
])('%s is asked for once more at most, before the page says so', (_, error, isAskedAgain) => {
  expect([0, 1].map((failures) => mayRetry(failures, error))).toEqual([isAskedAgain, false]);
});
