import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../src/domain/json.js';
import { type Choices, configWith, speedsOf } from '../../../src/ui/pages/new/choices.js';
import { FIRST_OUTPUT, outputFlaws, withOutput, withoutSecrets } from '../../../src/ui/pages/new/outputs.js';

const FORMATTER = { format: '${params.format:-json}' };
const CONFIG: JsonObject = {
  input: [{ cron: { expression: '* * * * * *', count: '${params.rate:-5}' } }],
  event: {
    template: {
      params: { anomaly: '${params.anomaly:-none}', rates: ['${params.rate:-5} or ${params.rate:-5}'] },
    },
  },
  output: [{ stdout: { formatter: FORMATTER } }],
};
const RATE = { name: 'rate', help: 'Events a second.', default: 5 };
const SPEEDS = speedsOf({ parameters: [RATE] }, CONFIG);
const CHOICES: Choices = {
  speed: null,
  attack: null,
  output: { ...FIRST_OUTPUT, kind: 'as_is' },
  destination: null,
};

describe('how fast an example can be', () => {
  test('is what its parameter says, or one rate when its inputs say only when events happen', () => {
    expect(SPEEDS).toEqual({
      param: { name: 'rate', help: 'Events a second.', fallback: 5 },
      canBeConstant: true,
    });
    expect(speedsOf({ parameters: [] }, CONFIG).param).toBeNull();
  });

  test.each([
    ['tags', { timer: { seconds: 1, count: 1, tags: ['a'] } }],
    ['activities of a world', { world: { people: 5 } }],
    ['requests', { http: { port: 1 } }],
  ])('is not one rate when an input gives %s', (_what, input) => {
    expect(speedsOf({ parameters: [] }, { ...CONFIG, input: [input] }).canBeConstant).toBe(false);
  });

  test('is nothing that a text could say', () => {
    expect(speedsOf({ parameters: [{ ...RATE, default: 'much' }] }, CONFIG).param).toBeNull();
  });
});

describe('the config of a copy', () => {
  test('without choices is that of the example', () => {
    expect(configWith(CONFIG, SPEEDS, CHOICES, 'web')).toEqual(CONFIG);
  });

  test('has other defaults of its parameters, wherever they are used', () => {
    const chosen: Choices = { ...CHOICES, speed: { kind: 'param', value: 70 }, attack: 'scan' };
    expect(configWith(CONFIG, SPEEDS, chosen, 'web')).toEqual({
      ...CONFIG,
      input: [{ cron: { expression: '* * * * * *', count: '${params.rate:-70}' } }],
      event: {
        template: {
          params: { anomaly: '${params.anomaly:-scan}', rates: ['${params.rate:-70} or ${params.rate:-70}'] },
        },
      },
    });
  });

  test('has a rate in place of all inputs, if one is wanted', () => {
    const chosen: Choices = { ...CHOICES, speed: { kind: 'constant', events_per_second: 2_000 } };
    expect(configWith(CONFIG, SPEEDS, chosen, 'web')['input']).toEqual([
      { rate: { events_per_second: 2_000, arrivals: 'poisson' } },
    ]);
  });

  test('sends to a new destination by its name', () => {
    const created = { name: 'siem', output: { splunk_hec: { url: 'http://a', token: 'x' } } };
    const output = { ...FIRST_OUTPUT, kind: 'new', created } as const;
    expect(configWith(CONFIG, SPEEDS, { ...CHOICES, output }, 'web')['output']).toEqual([
      { use: { name: 'siem', with: { formatter: FORMATTER } } },
    ]);
  });
});

describe('events of an example in another output', () => {
  test.each([
    ['a file', { file: { path: 'x' } }, null, { file: { path: 'x', formatter: FORMATTER } }],
    [
      'a destination that writes lines',
      { use: 'syslog' },
      { tcp: { host: 'a', port: 1 } },
      { use: { name: 'syslog', with: { formatter: FORMATTER } } },
    ],
  ])('are one line each in %s', (_what, output, destination, expected) => {
    expect(withOutput(CONFIG, output, destination)['output']).toEqual([expected]);
  });

  test.each([
    ['has a formatter of its own', { tcp: { host: 'a', port: 1, formatter: { format: 'cef' } } }],
    ['formats JSON by itself', { opensearch: { hosts: ['http://a'] } }],
  ])('are as the destination wants them when it %s', (_what, destination) => {
    expect(withOutput(CONFIG, { use: 'siem' }, destination)['output']).toEqual([{ use: 'siem' }]);
  });

  test('stay as they are when their own output has no formatter', () => {
    const plain = { ...CONFIG, output: [{ stdout: {} }] };
    expect(withOutput(plain, { file: { path: 'x' } }, null)['output']).toEqual([{ file: { path: 'x' } }]);
  });
});

describe('a new destination', () => {
  const flawOf = (name: string, output: JsonObject) =>
    outputFlaws({ ...FIRST_OUTPUT, kind: 'new', created: { name, output } }, ['archive']).created ?? null;
  const GOOD = { tcp: { host: 'a', port: 1 } };

  test.each([
    ['no name', '', GOOD, /must not be empty/],
    ['a name that cannot be a file', '../a', GOOD, /name of the destination must/],
    ['the name of another', 'archive', GOOD, /"archive" exists/],
    ['no kind', 'siem', {}, /Choose the kind/],
    ['a field that is missing', 'siem', { tcp: { host: 'a' } }, /Correct the fields/],
    ['a field of the wrong type', 'siem', { tcp: { host: 'a', port: 'x' } }, /Correct the fields/],
  ])('cannot be stored with %s', (_what, name, output, expected) => {
    expect(flawOf(name, output)).toMatch(expected);
  });

  test('can be stored once nothing is wrong', () => {
    expect(flawOf('siem', GOOD)).toBeNull();
  });

  test('is not kept by the browser, and neither is a password', () => {
    const created = { name: 'siem', output: { splunk_hec: { token: 'secret-1' } } };
    const kept = JSON.stringify(
      withoutSecrets({ ...FIRST_OUTPUT, kind: 'new', created, password: 'secret-2' }),
    );
    expect(kept).not.toMatch(/secret-/);
    expect(kept).toContain('"siem"');
  });
});
