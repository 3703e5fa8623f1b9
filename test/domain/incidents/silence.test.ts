import { expect, test } from '@jest/globals';
import type { Incident, Story } from '../../../src/domain/incidents/incident.js';
import { memberConfig } from '../../../src/domain/incidents/memberConfig.js';
import type { JsonObject } from '../../../src/domain/json.js';

const START = 1_700_000_000_000_000;
const CONFIG: JsonObject = {
  input: [{ cron: { expression: '* * * * * *', count: 1, end: '2023-01-01T00:00:00Z' } }],
  event: { template: { templates: [] } },
  output: [{ stdout: {} }],
};
const INCIDENT: Incident = {
  name: 'lull',
  duration: 60,
  entities: {},
  phases: [{ name: 'silence', at: 40, for: 15, repeat: null, stopped: ['web'], globals: {}, members: {} }],
  marks: null,
  ground_truth: null,
};

const inputsOf = (told: Story['told'], isAlone = false): readonly JsonObject[] =>
  memberConfig(CONFIG, 'web', { incident: INCIDENT, start: START, drawn: {}, told, isAlone })[
    'input'
  ] as readonly JsonObject[];

test('a member that stands still where it is silent has an input, which waits', () => {
  const [input, ...rest] = inputsOf({ from: 45, to: 45 });
  expect(rest).toEqual([]);
  expect(input).toMatchObject({
    cron: { count: 1, start: expect.stringMatching(/^2123-/), end: expect.stringMatching(/^2143-/) },
  });
});

test('a member that is alone and always silent has none', () => {
  expect(inputsOf({ from: 40, to: 55 }, true)).toEqual([]);
});

test('a member that goes on after its silence waits for nothing else', () => {
  expect(inputsOf({ from: 45, to: 60 })).toMatchObject([{ cron: { start: '2023-11-14T22:14:15+00:00' } }]);
});
