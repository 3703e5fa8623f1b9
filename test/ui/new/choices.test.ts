import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../src/domain/json.js';
import { type Choices, configWith, loadOf } from '../../../src/ui/pages/new/choices.js';
import { FIRST_OUTPUT, outputFlaws, withOutput, withoutSecrets } from '../../../src/ui/pages/new/outputs.js';

const FORMATTER = { format: '${params.format:-json}' };
const CONFIG: JsonObject = {
  input: [{ world: { load: '${params.load:-1}', kinds: ['logon'] } }],
  event: {
    template: {
      params: { anomaly: '${params.anomaly:-none}', loads: ['${params.load:-1} or ${params.load:-1}'] },
    },
  },
  output: [{ stdout: { formatter: FORMATTER } }],
};
const LOAD = { name: 'load', help: 'Multiplies people.', default: 1 };
const CHOICES: Choices = {
  load: null,
  attack: null,
  output: { ...FIRST_OUTPUT, kind: 'as_is' },
  destination: null,
};

test('how much an example makes is what its parameter says', () => {
  expect(loadOf({ parameters: [{ ...LOAD, name: 'people' }, LOAD] })).toEqual(LOAD);
  expect(loadOf({ parameters: [] })).toBeNull();
});

describe('the config of a copy', () => {
  test('without choices is that of the example', () => {
    expect(configWith(CONFIG, CHOICES, 'web')).toEqual(CONFIG);
  });

  test('has other defaults of its parameters, wherever they are used', () => {
    const chosen: Choices = { ...CHOICES, load: 7.5, attack: 'scan' };
    expect(configWith(CONFIG, chosen, 'web')).toEqual({
      ...CONFIG,
      input: [{ world: { load: '${params.load:-7.5}', kinds: ['logon'] } }],
      event: {
        template: {
          params: {
            anomaly: '${params.anomaly:-scan}',
            loads: ['${params.load:-7.5} or ${params.load:-7.5}'],
          },
        },
      },
    });
  });

  test('sends to a new destination by its name', () => {
    const created = { name: 'siem', output: { splunk_hec: { url: 'http://a', token: 'x' } } };
    const output = { ...FIRST_OUTPUT, kind: 'new', created } as const;
    expect(configWith(CONFIG, { ...CHOICES, output }, 'web')['output']).toEqual([
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
