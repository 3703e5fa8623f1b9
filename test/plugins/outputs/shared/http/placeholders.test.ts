import { expect, test } from '@jest/globals';
import { utc, zoneOf } from '../../../../../src/domain/time/zone.js';
import {
  compilePlaceholders,
  unknownPlaceholder,
} from '../../../../../src/plugins/outputs/shared/http/placeholders.js';

const now = Date.UTC(2025, 0, 9, 23, 5, 7) * 1_000;

test.each([
  ['logs-{yyyy.MM.dd}', 'logs-2025.01.09'],
  ['{date}/{HH}', '2025-01-09/23'],
  ['{yyyyMMddHHmmss}', '20250109230507'],
  ['{generator}-{generator}', 'we/b-we/b'],
  ['{"a": {yyyy}} {other} {}', '{"a": 2025} {other} {}'],
  ['no braces', 'no braces'],
])('%j becomes %j', (text, filled) => {
  expect(compilePlaceholders(text)({ now, zone: utc, generator: 'we/b' })).toBe(filled);
});

test('dates are in the time zone of the generator', () => {
  const zone = zoneOf('Asia/Tokyo') ?? utc;
  expect(compilePlaceholders('{yyyy-MM-dd HH:mm}')({ now, zone, generator: '' })).toBe('2025-01-10 08:05');
});

test('values can be escaped', () => {
  expect(
    compilePlaceholders('/x/{generator}', encodeURIComponent)({ now, zone: utc, generator: 'a/b c' }),
  ).toBe('/x/a%2Fb%20c');
});

test.each([
  ['{date}{generator}{yyyy}', undefined],
  ['{date} {day}', 'day'],
  ['{}', ''],
  ['{yyyyy}', 'yyyyy'],
])('the unknown placeholder of %j is %j', (text, name) => {
  expect(unknownPlaceholder(text)).toBe(name);
});
