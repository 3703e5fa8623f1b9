import { describe, expect, test } from '@jest/globals';
import { settingsShape } from '../../../src/config/settings/shape.js';
import type { JsonObject } from '../../../src/domain/json.js';
import {
  type AnyShape,
  defaulted,
  type Field,
  integer,
  optional,
  record,
  required,
  text,
} from '../../../src/schema/index.js';
import { fallbackOf } from '../../../src/ui/forms/control.js';
import {
  errorAt,
  errorOfGroup,
  hasIssueBelow,
  issuesOfProblems,
  localIssues,
} from '../../../src/ui/forms/issues.js';
import {
  helpOf,
  jsonOrText,
  looseOf,
  looseText,
  numberOrText,
  shownJson,
  shownValue,
} from '../../../src/ui/forms/texts.js';

const settings: JsonObject = {
  server: { port: 70_000, ssl: { enabled: true }, prot: 1 },
  generation: {},
  log: {},
  path: { logs: 'l', startup: 's', generators_dir: 'g', keyring_cryptfile: 'k' },
};

describe('errors', () => {
  const issues = localIssues(settingsShape, settings);

  test('stand at their field', () => {
    expect(errorAt(issues, ['server', 'port'])).toBe('must be at most 65535');
    expect(errorAt(issues, ['server', 'ssl', 'cert'])).toBe('is required when enabled is true');
    expect(errorAt(issues, ['server', 'host'])).toBeNull();
  });

  test('of a key that has no field stand at the object', () => {
    const isField = (key: string | number): boolean => ['port', 'ssl', 'host'].includes(String(key));
    expect(errorOfGroup(issues, ['server'], isField)).toMatch(/^prot: unknown key 'prot'/);
    expect(errorOfGroup(issues, ['log'], () => true)).toBeNull();
  });

  test('open the object that holds them', () => {
    expect(hasIssueBelow(issues, ['server', 'ssl'])).toBe(true);
    expect(hasIssueBelow(issues, ['server', 'auth'])).toBe(false);
  });

  test('of the service find their field, in lists too', () => {
    const refused = issuesOfProblems([
      { location: 'scenarios.1', message: 'must not be empty' },
      { location: '', message: 'is no object' },
    ]);
    expect(errorAt(refused, ['scenarios', 1])).toBe('must not be empty');
    expect(errorOfGroup(refused, [], () => true)).toBe('is no object');
  });

  test('of a valid document are none', () => {
    expect(localIssues(settingsShape, { ...settings, server: { port: '${secrets.port}' } })).toEqual([]);
  });
});

describe('a default', () => {
  const batch = record({
    size: optional(integer(), { help: 'x' }),
    delay: optional(integer(), { help: 'x' }),
  });
  const field = defaulted(batch, { size: 10, delay: 1 }, { help: 'x' });
  const size = batch.fields?.['size'] as AnyShape;
  const at = (value: JsonObject, defaults: JsonObject = {}) =>
    fallbackOf(size, ['batch', 'size'], { value, defaults, around: field.fallback });

  test('is that of the object, until one of its fields is given', () => {
    expect(at({})).toBe(10);
    expect(at({ batch: {} })).toBe(10);
    expect(at({ batch: { delay: 2 } })).toBeNull();
  });

  test('gives way to that of the form', () => {
    expect(at({ batch: { delay: 2 } }, { batch: { size: 500 } })).toBe(500);
  });
});

describe('a typed text', () => {
  test.each([
    ['5', 5],
    ['-1.5e3', -1500],
    ['', ''],
    ['5x', '5x'],
    ['12345678901234567890', '12345678901234567890'],
    ['${params.n}', '${params.n}'],
  ])('%j of a number field means %j', (typed, value) => {
    expect(numberOrText(typed)).toBe(value);
  });

  test.each([
    ['42', 42],
    ['true', true],
    ['a', 'a'],
    ['042', '042'],
    ['"42"', '42'],
    ['null', 'null'],
    ['1e3', '1e3'],
  ])('%j of a text or number means %j', (typed, value) => {
    expect(looseOf(typed)).toBe(value);
  });

  test.each([42, true, '42', 'true', '"x"', '', 'null', '${params.a}'])(
    'of %j reads as it again',
    (value) => {
      expect(looseOf(looseText(value))).toBe(value);
    },
  );
});

test.each([{ a: [1] }, 42, '42', 'text', '"x"', 'null', false])('free JSON %j reads as it again', (value) => {
  expect(jsonOrText(shownJson(value))).toEqual(value);
});

test('help has unit and example', () => {
  const field = required(text(), { help: 'Time to wait.', unit: 'seconds', example: '5' });
  expect(helpOf(field as unknown as Field<unknown>)).toBe('Time to wait. Unit: seconds. Example: 5');
  expect([shownValue(null), shownValue('a'), shownValue([1])]).toEqual(['none', 'a', '[1]']);
});
