import { expect, test } from '@jest/globals';
import { boundedCalls } from '../../../src/adapters/bounded.js';
import { compileJsonSchema } from '../../../src/adapters/jsonSchema.js';
import { patternChecker, schemaChecker, sizeChecker } from '../../../src/analysis/expect/checks/events.js';
import { checkRunner } from '../../../src/analysis/expect/runner.js';
import { right } from '../../support/either.js';

const ENDLESS = `${'a'.repeat(60)}!`;

test('a regular expression that never ends is stopped and fails; the other checks see every event', () => {
  const size = { min: 1, max: null, median: null };
  const checkers = [sizeChecker(size), patternChecker('^(a+)+$'), sizeChecker(size)];
  const runner = checkRunner(checkers, { within: boundedCalls(100), needsJson: false });
  const see = (texts: readonly string[]) => runner.see({ texts, microsOf: (index) => index });
  see(['a', 'aa', ENDLESS, 'aaa']);
  see([ENDLESS, 'b']);
  const [before, pattern, after] = runner.verdicts();
  expect(before?.measured).toBe('1 to 61 bytes, median 3');
  expect(after).toEqual(before);
  expect(pattern).toMatchObject({
    isOk: false,
    measured: 'the check takes too long; simplify its expression',
  });
  expect(pattern?.first).toMatchObject({ number: 3, text: ENDLESS });
});

test('so is the pattern of a schema', () => {
  const schema = right(compileJsonSchema({ type: 'string', pattern: '^(a+)+$' }));
  const runner = checkRunner([schemaChecker(schema)], { within: boundedCalls(100), needsJson: true });
  runner.see({ texts: ['"a"', JSON.stringify(ENDLESS)], microsOf: () => 0 });
  expect(runner.verdicts()[0]).toMatchObject({ isOk: false, first: { number: 2 } });
});

test('a call that throws is not taken for one that takes too long', () => {
  const within = boundedCalls(1_000);
  expect(() =>
    within(() => {
      throw new Error('mine');
    }),
  ).toThrow('mine');
  expect(within(() => {})).toBe(true);
});
