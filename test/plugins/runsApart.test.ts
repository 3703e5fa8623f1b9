import { describe, expect, test } from '@jest/globals';
import { runsApart } from '../../src/plugins/runsApart.js';

const replay = (timestamp_pattern: string | null) => ({
  event: { replay: { path: 'a.log', timestamp_pattern } },
});

describe('a thread of its own', () => {
  test('is for scripts, and for templates only where they may run programs', () => {
    expect(runsApart({ event: { script: { path: 'a.mjs' } } }, false)).toBe(true);
    expect(runsApart({ event: { template: {} } }, false)).toBe(false);
    expect(runsApart({ event: { template: {} } }, true)).toBe(true);
  });

  test.each([
    String.raw`\[(?P<timestamp>[^\]]+)\]`,
    String.raw`^(?P<timestamp>\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6})`,
    String.raw`^\S+ \S+ \S+ \[(?P<timestamp>.*?)\] "`,
    String.raw`(a+)+(?P<timestamp>\d)$`,
  ])('is not for a replay with %s, which is searched in linear time', (source) => {
    expect(runsApart(replay(source), true)).toBe(false);
  });

  test.each([
    String.raw`(?<=at )(?P<timestamp>\d+)`,
    String.raw`(["'])(?P<timestamp>\d+)\1`,
    String.raw`(a+)+(?P<timestamp>\d{1,50})$`,
    String.raw`(?:\d(?:\d{4}){5})+ (?P<timestamp>\d)$`,
    String.raw`(?i)(a+)+(?P<timestamp>\d)$`,
    String.raw`(?P<timestamp>\d+)|at ([a-z]+)+$`,
    String.raw`(ä+)+(?P<timestamp>\d)$`,
  ])('is for a replay with %s, which may backtrack without end', (source) => {
    expect(runsApart(replay(source), false)).toBe(true);
  });

  test('is for a recorded input with a pattern that may backtrack without end', () => {
    const recorded = (params: object) => ({
      input: [{ timer: {} }, { recorded: { path: 'a.log', ...params } }],
    });
    const linear = String.raw`^(?P<timestamp>\S+)`;
    expect(runsApart(recorded({ timestamp_pattern: linear }), false)).toBe(false);
    expect(runsApart(recorded({ timestamp_pattern: linear, record_start: '^(?=a)' }), false)).toBe(true);
    expect(runsApart(recorded({ timestamp_pattern: '(?<=a)(?P<timestamp>b)' }), false)).toBe(true);
    expect(runsApart(recorded({}), false)).toBe(false);
  });

  test('is for an output whose clock has a pattern that may backtrack without end', () => {
    const skewed = (timestamp_pattern: string) => ({
      output: [{ stdout: {} }, { file: { imperfections: { clock: { timestamp_pattern } } } }],
    });
    expect(runsApart(skewed(String.raw`^(?P<timestamp>\S+)`), false)).toBe(false);
    expect(runsApart(skewed('(?<=a)(?P<timestamp>b)'), false)).toBe(true);
  });

  test('is not for a replay without a pattern, with one that is refused, or for what is no config', () => {
    expect(runsApart(replay(null), false)).toBe(false);
    expect(runsApart(replay('('), false)).toBe(false);
    expect(runsApart(null, true)).toBe(false);
  });
});
