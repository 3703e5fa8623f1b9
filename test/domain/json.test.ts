import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parsedJson } from '../../src/domain/json.js';

describe('a text as JSON', () => {
  const plain = (text: string): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      return undefined;
    }
  };
  const spaces = fc.stringMatching(/^[ \t\r\n\f]{0,3}$/);
  const near = fc.stringMatching(/^[-{}[\]":,.eE+0-9a-z ]{0,12}$/);

  test('is what JSON.parse reads, or nothing', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), near, fc.string()), spaces, spaces, (text, before, after) => {
        const given = before + text + after;
        expect(parsedJson(given)).toEqual(plain(given));
      }),
      { numRuns: 2_000 },
    );
  });
});
