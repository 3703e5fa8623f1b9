import { describe, expect, test } from '@jest/globals';
import { readIncident } from '../../../src/config/incidents/read.js';
import { occurrencesOf } from '../../../src/domain/incidents/incident.js';
import { exampleIncident, wayBetween } from '../../../src/ui/pages/incidents/example.js';
import { fileProblems } from '../../../src/ui/pages/incidents/fileCheck.js';
import { right } from '../../support/either.js';

describe('the example', () => {
  test.each(['web', '1st', 'null', 'a.b', 'my-web_2'])('is a valid incident over %j', (directory) => {
    const text = exampleIncident('theft', { directory, path: `../generators/${directory}` });
    expect(fileProblems(text)).toEqual([]);
    const { incident, members } = right(readIncident(text, { file: '/s/theft.yml', name: 'theft' }));
    expect(members).toEqual([{ name: directory, path: `/generators/${directory}`, params: {}, id: null }]);
    expect(occurrencesOf(incident).map(({ phase }) => phase.name)).toEqual(['attack', 'silence']);
    expect(incident.ground_truth).toMatchObject({ file: { path: '/out/theft/{member}.truth.jsonl' } });
  });

  test.each([
    ['generators/../incidents', 'generators', '../generators'],
    ['/etc/spate/incidents', '/srv/generators', '../../../srv/generators'],
    ['lab/stories/', './lab/generators', '../generators'],
    ['/stories', 'generators', 'generators'],
    ['all', 'all', '.'],
  ])('leads from %j to the generators in %j by %j', (from, to, way) => {
    expect(wayBetween(from, to)).toBe(way);
  });
});

describe('the check of a file', () => {
  test('finds problems of values and of the whole, with their lines', () => {
    const text = `duration: 10s
members: {web: {path: web}}
phases:
  - {name: knock, at: 1s, for: 2s, stopped: [wev]}
  - {name: late, at: 20s, for: 2s}
`;
    expect(fileProblems(text).map(({ line, column, message }) => [line, column, message])).toEqual([
      [4, 36, "phases[0].stopped names 'wev', which is no member. Did you mean 'web'?"],
      [5, 22, 'phases[1].at is after the end of the incident: see `duration`'],
    ]);
    expect(fileProblems('duration: [\n')).toMatchObject([{ line: 1, severity: 'error' }]);
  });
});
