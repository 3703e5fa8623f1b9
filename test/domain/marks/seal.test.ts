import { describe, expect, test } from '@jest/globals';
import { readMarks, sealOf } from '../../../src/domain/marks/read.js';
import { marked } from '../../analysis/verify/support.js';

const verdictOf = (text: string): string | undefined => {
  const bytes = Buffer.from(text);
  return readMarks(bytes, 0, bytes.length).marks[0]?.verdict;
};

/** The event with `12` in place of each `10`, as the seal renews it. */
const changed = (event: string): string =>
  sealOf(event)?.renewed((from, to) => event.slice(from, to).replaceAll('10', '12')) ?? 'no mark';

describe('the mark of an event whose text changes', () => {
  test.each([
    ['text', 'at 10:00 ä😀'],
    ['text', 'two\nlines at 10:00'],
    ['tsv', 'at\t10:00'],
    ['json', '{"at": "10:00", "n": 1.0}'],
    ['json', '{\n  "at": "10:00 ä😀"\n}'],
  ] as const)('%s: is intact for the new text of %j, with its number and time', (mode, text) => {
    const event = marked(7, text, mode);
    const after = changed(event);
    expect(after).toContain('12:00');
    expect([verdictOf(event), verdictOf(after)]).toEqual(['intact', 'intact']);
    expect(after.replace(/:[0-9a-f]{8}(?="?\s*\}?$)/, '')).toBe(
      event.replace(/:[0-9a-f]{8}(?="?\s*\}?$)/, '').replaceAll('10', '12'),
    );
  });

  test('stays broken if it was', () => {
    const event = marked(7, 'at 10:00').replace('at', 'on');
    expect(verdictOf(changed(event))).toBe('broken');
  });

  test('covers its place in the event, and no event has one without a mark', () => {
    const event = marked(7, 'at 10:00');
    const { from, to } = sealOf(event) ?? { from: 0, to: 0 };
    expect(event.slice(from, to)).toMatch(/^00000001:7:\d{16}:[0-9a-f]{8}$/);
    expect(sealOf('at 10:00')).toBeNull();
  });
});
