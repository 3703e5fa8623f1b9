import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  decodeToken,
  encodeToken,
  generatorKey,
  LIST_KEY,
  leaseSubjectOf,
  ordersKey,
  scenarioKey,
  startupSubjectOf,
  wantedKey,
} from '../../src/cluster/keys.js';
import { partitionId } from '../../src/domain/partitions.js';
import { codePoint } from '../support/codePoint.js';

/** What NATS allows as a key of a bucket. */
const VALID = /^[A-Za-z0-9_=/-]+(?:\.[A-Za-z0-9_=/-]+)*$/;

/** Any text, with lone surrogates. */
const anyText = fc.oneof(
  fc.string(),
  fc.string({ unit: codePoint }),
  fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 20 })
    .map((tasks) => String.fromCharCode(...tasks)),
  fc.constantFrom('', '.', '=', '=0041', 'web.eu', 'Laden 🛒', '__proto__'),
);

describe('keys', () => {
  test('hold any text, and give it back', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const token = encodeToken(text);
        expect(token).toMatch(VALID);
        expect(token).not.toContain('.');
        expect(decodeToken(token)).toBe(text);
        expect(token.length).toBeLessThanOrEqual(Math.max(1, 5 * text.length));
      }),
      { numRuns: 1_000 },
    );
  });

  test('of different texts differ, and no other token reads as one', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('=', '0', '4', '1', 'A', '.', '2', 'E') }), (token) => {
        const text = decodeToken(token);
        if (text !== null) expect(encodeToken(text)).toBe(token);
      }),
      { numRuns: 2_000 },
    );
  });

  test.each([
    [generatorKey('web.eu'), 'g.web=002Eeu', { kind: 'generator', name: 'web.eu' }],
    [generatorKey(partitionId('web-1', 12)), 'p.web-1.12', { kind: 'generator', name: 'web-1~12' }],
    [scenarioKey('Käse'), 's.K=00E4se', { kind: 'scenario', name: 'Käse' }],
  ])('%s names its subject', (key, text, subject) => {
    expect(key).toBe(text);
    expect(leaseSubjectOf(key)).toEqual(subject);
  });

  test.each([
    '',
    'g',
    'g.',
    'g.a.b',
    'g.a.1',
    'p.a',
    'p.a.',
    'p.a.01',
    'p.a.-1',
    'p.a.1.2',
    'p.a.100',
    's.ä',
    'x.a',
    'g.=0041',
    'g.a=007E1',
  ])('%j is no lease key', (key) => {
    expect(leaseSubjectOf(key)).toBeNull();
  });

  test('of the startup bucket name their subject', () => {
    expect(startupSubjectOf(LIST_KEY)).toBeNull();
    expect(startupSubjectOf(wantedKey('a.b'))).toEqual({ kind: 'wanted', name: 'a.b' });
    expect(startupSubjectOf(ordersKey('node-ä'))).toEqual({ kind: 'orders', name: 'node-ä' });
    expect(startupSubjectOf('wanted.a.b')).toBeNull();
    expect(startupSubjectOf('other.a')).toBeNull();
  });
});
