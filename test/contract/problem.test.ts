import { describe, expect, test } from '@jest/globals';
import { bodyProblem, issueProblemsOf, problemBody } from '../../src/contract/problem.js';
import { failure } from '../../src/domain/errors.js';

const issue = { path: ['input', 0, 'cron', 'count'], type: 'wrong_type', message: 'must be an integer' };

describe('problems of a request', () => {
  test('a place in the body is all strings, the hint follows the message', () => {
    const body = { input: [{ cron: { count: 'x' } }] };
    expect(bodyProblem({ ...issue, hint: 'Write a number.' }, body)).toEqual({
      loc: ['body', 'input', '0', 'cron', 'count'],
      msg: 'must be an integer. Write a number.',
      type: 'wrong_type',
      input: 'x',
    });
  });

  test('what is not there has null as its value, inherited names too', () => {
    expect(bodyProblem({ ...issue, path: ['constructor'] }, {}).input).toBeNull();
    expect(bodyProblem(issue, { input: [] }).input).toBeNull();
  });

  test('values are shown only where the route echoes', () => {
    const problems = [bodyProblem(issue, {})];
    expect(problemBody(problems, false)).toEqual({
      detail: [
        { loc: ['body', 'input', '0', 'cron', 'count'], msg: 'must be an integer', type: 'wrong_type' },
      ],
    });
    expect(problemBody(problems, true)).toMatchObject({ detail: [{ input: null, ctx: {} }] });
  });

  test('issues of an owner count from the body that was sent', () => {
    const error = failure('plugin_failed', 'Bad.', { issues: [{ ...issue, path: [0, 'cron'] }] });
    expect(issueProblemsOf(error, { body: [{}], stored: [] })).toMatchObject([
      { loc: ['body', '0', 'cron'] },
    ]);
  });

  test('an issue of a list body can point to the query', () => {
    const error = failure('invalid', 'Bad.', { issues: [{ ...issue, path: ['query', 'span'] }] });
    expect(issueProblemsOf(error, { body: [], stored: [] })).toMatchObject([{ loc: ['query', 'span'] }]);
    expect(issueProblemsOf(error, { body: {}, stored: [] })).toMatchObject([
      { loc: ['body', 'query', 'span'] },
    ]);
  });

  test('issues of a stored file name file, line and place in the text', () => {
    const error = failure('invalid', 'Bad.', {
      file: 'generator.yml',
      issues: [{ ...issue, line: 3, column: 5 }],
    });
    expect(issueProblemsOf(error, { body: undefined, stored: ['path', 'name'] })).toEqual([
      {
        loc: ['path', 'name'],
        msg: 'generator.yml:3:5 input.0.cron.count: must be an integer',
        type: 'wrong_type',
        input: null,
      },
    ]);
  });

  test('an error without issues is one problem', () => {
    expect(issueProblemsOf(failure('invalid', 'Bad.'), { body: {}, stored: [] })).toMatchObject([
      { loc: ['body'], msg: 'Bad.', type: 'invalid' },
    ]);
  });
});
