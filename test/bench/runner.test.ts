import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { baselineOf, compared, mergedBaseline } from './lib/baseline.mjs';
import { runCommand } from './lib/command.mjs';
import { filled, quoted, readOptions } from './lib/options.mjs';
import { type Plan, runPairs, type Side } from './lib/pairs.mjs';
import { selfTimes } from './lib/profile.mjs';
import { marginOf, marginRows, rowsOfRounds } from './lib/rows.mjs';
import {
  geometricMean,
  growsOn,
  median,
  orderOf,
  quantile,
  ratiosOf,
  slopeOf,
  spreadOf,
} from './lib/statistics.mjs';
import { markdownOf, rowsOf, shown, shownRate, textTable } from './lib/table.mjs';

const AS_ALWAYS = { pairs: 3, yardstick: null, profile: false };

describe('numbers of a benchmark', () => {
  test('the median is the middle one, or between the two in the middle', () => {
    expect(median([9, 1, 5])).toBe(5);
    expect(median([4, 1, 3, 2])).toBe(2.5);
    expect(median([])).toBeNaN();
  });

  test('the median does not change the values it is given', () => {
    const values = [3, 1, 2];
    median(values);
    expect(values).toEqual([3, 1, 2]);
  });

  test('at the margin start-up does not count, and a yardstick is compared with Spate', () => {
    const spate = { events: 1_000, cpu_seconds: 5.01, short: { events: 500, cpu_seconds: 5.005 } };
    const hand = { events: 1_000, cpu_seconds: 0.105, short: { events: 500, cpu_seconds: 0.1025 } };
    expect(marginOf(spate)).toBeCloseTo(10);
    const rows = marginRows([{ spate, hand }], ['spate', 'hand'], { hand: 0.55 });
    expect(rows.map(({ figure, spread }) => [figure, spread?.median.toFixed(3)])).toEqual([
      ['CPU time of a further event: spate', '10.000'],
      ['CPU time of a further event: hand', '5.000'],
      ['hand against spate, a further event', '0.500'],
    ]);
    expect(rows[2]).toMatchObject({ bar: '>= 0.55', isMet: false });
  });

  test('a spread holds its median', () => {
    fc.assert(
      fc.property(
        fc.array(fc.float({ noNaN: true, noDefaultInfinity: true }), { minLength: 1 }),
        (values) => {
          const spread = spreadOf(values);
          expect(spread.min).toBeLessThanOrEqual(spread.median);
          expect(spread.median).toBeLessThanOrEqual(spread.max);
        },
      ),
    );
  });

  test('the largest value is the last quantile', () => {
    expect(quantile([1, 2, 3, 4], 1)).toBe(4);
    expect(quantile([1, 2, 3, 4], 0.5)).toBe(3);
  });

  test('the geometric mean of ratios is the ratio of geometric means', () => {
    expect(geometricMean([2, 8])).toBeCloseTo(4);
    expect(geometricMean([2 / 5, 8 / 7])).toBeCloseTo(geometricMean([2, 8]) / geometricMean([5, 7]));
  });

  test('the slope of a line is found again, and that of one point is 0', () => {
    expect(slopeOf([0, 1, 2, 5].map((x) => [x, 3 * x + 7]))).toBeCloseTo(3);
    expect(slopeOf([[4, 2]])).toBe(0);
  });

  test.each([
    ['a steady count', [900, 910, 905, 900, 912, 903], false],
    ['one that jumps up and down', [900, 4_000, 900, 4_000, 900, 4_000], false],
    ['one that has grown and stays', [500, 1_500, 1_500, 1_500, 1_500, 1_500], false],
    ['one that grows by a tenth', [1_000, 1_020, 1_040, 1_060, 1_080, 1_100], false],
    ['one that grows with each look', [900, 1_200, 1_500, 1_800, 2_100, 2_400], true],
    ['too few looks', [1, 1_000], false],
  ])('%s: is it growth without end?', (_, counts, isGrowth) => {
    expect(growsOn(counts)).toBe(isGrowth);
  });

  test('each second round runs backwards', () => {
    expect([0, 1, 2].map((round) => orderOf(['a', 'b'], round))).toEqual([
      ['a', 'b'],
      ['b', 'a'],
      ['a', 'b'],
    ]);
  });

  test('ratios compare runs of the same round, so that a machine that slows down does not count', () => {
    const rounds = [1, 2, 4].map((slowness) => ({
      spate: { events: 100, seconds: 2 * slowness },
      loop: { events: 100, seconds: slowness },
    }));
    expect(ratiosOf(rounds, 'spate', 'loop')).toEqual([0.5, 0.5, 0.5]);
  });

  test('sides may make different numbers of events', () => {
    const rounds = [{ spate: { events: 300, seconds: 1 }, jinja: { events: 10, seconds: 2 } }];
    expect(ratiosOf(rounds, 'spate', 'jinja')).toEqual([60]);
  });
});

describe('the command line of the runner', () => {
  test('names cases and options in any order', () => {
    expect(readOptions(['start', '--pairs', '3', 'cron', '--compare'])).toMatchObject({
      cases: ['start', 'cron'],
      pairs: 3,
      compare: true,
      save: false,
    });
  });

  test.each([
    [['--pairs'], '--pairs needs a value'],
    [['--pairs', '0'], '--pairs needs a number above 0, not 0'],
    [['--pairs', '1.5'], '--pairs needs a whole number'],
    [['--scale', 'big'], '--scale needs a number above 0, not big'],
    [['--scale', 'Infinity'], '--scale needs a number above 0, not Infinity'],
    [['--fast'], 'no such option: --fast'],
    [['--yardstick', 'cat'], '--yardstick needs exactly one case'],
    [['a', 'b', '--yardstick', 'cat'], '--yardstick needs exactly one case'],
  ])('%j is refused', (args, problem) => {
    expect(readOptions(args)).toEqual({ problem });
  });

  test('a yardstick gets its files as single words, and keeps other braces', () => {
    const command = "awk '{print $1}' {input} > {output}";
    expect(filled(command, { input: "/tmp/it's here", output: '/o' })).toBe(
      "awk '{print $1}' '/tmp/it'\\''s here' > '/o'",
    );
  });

  test('what is quoted comes out of a shell as it went in', async () => {
    const text = `a 'b' "c" $d \`e\` \\ é`;
    expect((await runCommand(`printf %s ${quoted(text)}`)).text).toBe(text);
  });
});

describe('the table', () => {
  test('numbers show what matters of them', () => {
    expect([1_234_567, 123.4, 0.012345, 1, Number.NaN].map(shown)).toEqual([
      '1,234,567',
      '123',
      '0.0123',
      '1',
      '?',
    ]);
    expect([12_345_678, 123_456, 999].map(shownRate)).toEqual(['12.3 M', '123 k', '999']);
  });

  test('columns are as wide as what is in them', () => {
    expect(
      textTable([
        ['a', 'bc'],
        ['long', 'x'],
      ]),
    ).toBe('a     bc\n----  --\nlong  x\n');
  });

  test('a missed bar is said in capitals, and a case without a bar has no verdict', () => {
    const round = { spate: { events: 10, seconds: 2 }, cat: { events: 10, seconds: 1 } };
    const verdictOf = (bars: Record<string, number>) =>
      rowsOf(rowsOfRounds('copy', [round], ['cat'], bars))[1]?.[4];
    expect(verdictOf({ cat: 0.6 })).toBe('NO');
    expect(verdictOf({ cat: 0.5 })).toBe('yes');
    expect(verdictOf({})).toBe('');
  });

  test('the Markdown table names a case and its limit once, says missed bars, and keeps pipes in their cells', () => {
    const round = {
      spate: { events: 10, seconds: 2 },
      cat: { events: 10, seconds: 1 },
      sed: { events: 1, seconds: 1 },
    };
    const rows = rowsOfRounds('copy', [round], ['cat', 'sed'], { cat: 0.6 });
    expect(markdownOf(rows, { copy: 'a | b' }).split('\n').slice(2)).toEqual([
      '| `copy` | cat | 0.5 | at least 0.6 (missed) | 5 | a \\| b |',
      '|  | sed | 5 |  | 5 |  |',
      '',
    ]);
  });

  test('a case without a yardstick shows its events a second', () => {
    const [row] = rowsOfRounds('ten', [{ spate: { events: 10, seconds: 2 } }], [], {});
    expect(row).toMatchObject({ figure: 'events/s', spread: { median: 5, min: 5, max: 5 } });
  });
});

describe('the baseline', () => {
  const row = (name: string, middle: number) => ({
    case: name,
    yardstick: 'cat',
    ratio: { median: middle, min: middle * 0.9, max: middle * 1.1 },
  });

  test('stores ratios only, and keeps those of cases that did not run', () => {
    const former = baselineOf([row('copy', 0.5), row('time', 1)], 'old');
    const newer = baselineOf([row('copy', 0.75), { case: 'start', figure: 'ms', value: 3 }], 'new');
    expect(mergedBaseline(former, newer)).toEqual({
      machine: 'new',
      ratios: {
        'copy / cat': { median: 0.75, min: 0.675, max: 0.825 },
        'time / cat': { median: 1, min: 0.9, max: 1.1 },
      },
    });
  });

  test('a change within the spreads counts as noise', () => {
    const baseline = baselineOf([row('copy', 1)], 'here');
    expect(compared([row('copy', 1.1)], baseline)).toMatchObject([{ isNoise: true }]);
    expect(compared([row('copy', 2)], baseline)).toMatchObject([{ change: 2, isNoise: false }]);
    expect(compared([row('new', 2)], baseline)).toMatchObject([{ before: null, change: null }]);
  });
});

describe('a profile', () => {
  test('adds self time by function over all its parts, without waiting', () => {
    const part = {
      nodes: [
        { id: 1, callFrame: { functionName: '(idle)', url: '', lineNumber: -1 } },
        { id: 2, callFrame: { functionName: 'fill', url: 'file:///dist/input.js', lineNumber: 6 } },
        { id: 3, callFrame: { functionName: '', url: '', lineNumber: 0 } },
      ],
      samples: [1, 2, 3, 2],
      timeDeltas: [900, 300, 100, 0],
    };
    expect(selfTimes([part, part])).toEqual({
      busy_seconds: 0.0008,
      top: [
        [0.75, 'fill input.js:7'],
        [0.25, '(anonymous)'],
      ],
    });
  });
});

describe('a command', () => {
  test('is measured with its exit code, processor time and memory', async () => {
    const work = 'const bytes = Buffer.alloc(60e6, 1); while (process.cpuUsage().user < 120_000) bytes[0]++;';
    const made = await runCommand(`${quoted(process.execPath)} -e ${quoted(work)}; echo said; (exit 3)`);
    expect(made).toMatchObject({ code: 3, text: 'said' });
    expect(made.seconds).toBeGreaterThan(0);
    expect(made.cpu_seconds).toBeGreaterThanOrEqual(0.12);
    expect(made.peak_mb).toBeGreaterThan(60);
  });
});

describe('a pair case', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'spate-runner-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Two sides that note their turns; Spate takes twice as long. */
  const planOf = (turns: string[], ours: Partial<Side> = {}, more: Partial<Plan> = {}): Plan => {
    const side = (name: string, seconds: number): Side => ({
      events: 100,
      run: async () => {
        turns.push(name);
        return { seconds };
      },
    });
    return { folder, sides: { spate: { ...side('spate', 2), ...ours }, loop: side('loop', 1) }, ...more };
  };

  test('warms both sides up once and then runs them in turn', async () => {
    const turns: string[] = [];
    const { rows, problems } = await runPairs('case', planOf(turns, {}, { bars: { loop: 0.5 } }), AS_ALWAYS);
    expect(turns).toEqual(['spate', 'loop', 'spate', 'loop', 'loop', 'spate', 'spate', 'loop']);
    expect(problems).toEqual([]);
    expect(rows).toMatchObject([{ case: 'case', yardstick: 'loop', ratio: { median: 0.5 }, isMet: true }]);
  });

  test('a missed bar is no problem', async () => {
    const { rows, problems } = await runPairs('case', planOf([], {}, { bars: { loop: 0.9 } }), AS_ALWAYS);
    expect(rows).toMatchObject([{ isMet: false }]);
    expect(problems).toEqual([]);
  });

  test('wrong content ends it before anything is measured, and it is closed', async () => {
    const turns: string[] = [];
    let isClosed = false;
    const close = () => {
      isClosed = true;
    };
    const plan = planOf(turns, {}, { verify: () => ['the outputs differ'], close });
    expect(await runPairs('case', plan, AS_ALWAYS)).toMatchObject({
      rows: [],
      problems: ['the outputs differ'],
    });
    expect(turns).toEqual(['spate', 'loop']);
    expect(isClosed).toBe(true);
  });

  test('an output of another length than that of the first turn is a problem', async () => {
    const output = join(folder, 'out.log');
    let length = 3;
    const run = async () => {
      expect(existsSync(output)).toBe(false);
      writeFileSync(output, 'x'.repeat(length++));
      return { seconds: 1 };
    };
    const { problems } = await runPairs('case', planOf([], { run, output }), AS_ALWAYS);
    expect(problems).toEqual(['spate wrote 4 bytes instead of 3']);
    expect(existsSync(output)).toBe(false);
  });

  test('a side that fails is a problem with what it said', async () => {
    const command = () => 'echo no such thing >&2; false';
    const sides = { spate: { events: 1, command } };
    const { rows, problems } = await runPairs('case', { folder, sides }, AS_ALWAYS);
    expect(problems).toEqual(['spate ended with 1: no such thing']);
    expect(rows).toEqual([]);
  });

  test('an outside command takes the place of every yardstick', async () => {
    const turns: string[] = [];
    const input = join(folder, 'input');
    writeFileSync(input, 'abc');
    const options = { ...AS_ALWAYS, yardstick: 'cat {input} > {output}' };
    const { rows, problems } = await runPairs(
      'case',
      planOf(turns, {}, { input, bars: { loop: 1 } }),
      options,
    );
    expect(problems).toEqual([]);
    expect(rows).toMatchObject([{ yardstick: 'outside', bar: null, isMet: null }]);
    expect(turns).toEqual(['spate', 'spate', 'spate', 'spate']);
  });
});
