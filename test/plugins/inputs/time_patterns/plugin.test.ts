import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Json } from '../../../../src/domain/json.js';
import type { Input } from '../../../../src/plugins/kit.js';
import { memoryLog } from '../../../support/logs.js';
import { countsOf, meanOf, microsOf } from '../rate/support.js';
import { build, type Changes, writePattern } from './support.js';

const MINUTE = 60_000_000;
const START = Date.parse('2026-11-20T20:00:00Z') * 1000;

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'spate-patterns-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const inputOf = async (changes: Changes = {}, more: Parameters<typeof build>[2] = {}): Promise<Input> => {
  writePattern(folder, 'one.yml', changes);
  const built = await build(folder, ['one.yml'], more);
  if (typeof built === 'string') throw new Error(built);
  return built;
};

const problemOf = async (changes: Changes): Promise<string> => {
  writePattern(folder, 'one.yml', changes);
  const built = await build(folder, ['one.yml']);
  return typeof built === 'string' ? built : '';
};

describe('periods', () => {
  test('each has the ratio, within itself', async () => {
    const micros = microsOf(await inputOf());
    expect(countsOf(micros, START, MINUTE, 10)).toEqual(new Array(10).fill(100));
    expect(micros.length).toBe(1_000);
  });

  test.each([
    ['decrease', 0.5, 1],
    ['increase', 1, 1.5],
    ['mixed', 0.5, 1.5],
  ])('%s deviates between %d and %d, uniformly', async (direction, least, most) => {
    const changes = {
      'randomizer.direction': direction,
      'randomizer.deviation': 0.5,
      'multiplier.ratio': 400,
      'randomizer.sampling': 1_000,
      'oscillator.end': '+1000m',
    };
    const counts = countsOf(microsOf(await inputOf(changes)), START, MINUTE, 1_000);
    const low = counts.reduce((one, two) => Math.min(one, two));
    const high = counts.reduce((one, two) => Math.max(one, two));
    expect(low).toBeGreaterThanOrEqual(least * 400);
    expect(high).toBeLessThanOrEqual(most * 400);
    expect(low).toBeLessThan(least * 400 + 10);
    expect(high).toBeGreaterThan(most * 400 - 10);
    expect(Math.abs(meanOf(counts) - (least + most) * 200)).toBeLessThan(20);
  });

  test('factors are drawn once and come in another order in each pass', async () => {
    const changes = {
      'randomizer.deviation': 1,
      'randomizer.sampling': 16,
      'multiplier.ratio': 500,
      'oscillator.end': '+48m',
    };
    const counts = countsOf(microsOf(await inputOf(changes)), START, MINUTE, 48);
    const passes = [counts.slice(0, 16), counts.slice(16, 32), counts.slice(32)];
    const sorted = passes.map((pass) => [...pass].sort((a, b) => a - b));
    expect(sorted[1]).toEqual(sorted[0]);
    expect(sorted[2]).toEqual(sorted[0]);
    expect(passes[1]).not.toEqual(passes[0]);
    expect(passes[2]).not.toEqual(passes[1]);
  });

  test('the last one is cut after the end', async () => {
    const micros = microsOf(await inputOf({ 'oscillator.end': '+90s' }));
    const counts = countsOf(micros, START, MINUTE / 2, 4);
    expect((counts[0] as number) + (counts[1] as number)).toBe(100);
    expect(counts[2]).toBeGreaterThan(25);
    expect(counts[3]).toBe(0);
  });

  test('empty periods are no end; a pattern without timestamps ends', async () => {
    const some = { 'multiplier.ratio': 1, 'randomizer.deviation': 1, 'randomizer.direction': 'mixed' };
    const counts = countsOf(
      microsOf(await inputOf({ ...some, 'oscillator.end': '+500m' })),
      START,
      MINUTE,
      500,
    );
    expect(new Set(counts)).toEqual(new Set([0, 1]));
    const none = { ...some, 'randomizer.direction': 'decrease', 'oscillator.end': 'never' };
    expect((await inputOf(none)).fill(new Float64Array(4))).toBe(0);
  });

  test('an end of never is endless', async () => {
    expect(microsOf(await inputOf({ 'oscillator.end': 'never' }), 5_000).length).toBe(5_000);
  });

  test('skipping begins within the period of now', async () => {
    const now = START + 2.5 * MINUTE;
    const micros = microsOf(await inputOf({}, { now, skipPast: true }));
    const counts = countsOf(micros, START, MINUTE, 10);
    expect(micros.every((at) => at > now)).toBe(true);
    expect(counts.slice(0, 2)).toEqual([0, 0]);
    expect(counts[2]).toBeGreaterThan(25);
    expect(counts[2]).toBeLessThan(75);
    expect(counts.slice(3)).toEqual(new Array(7).fill(100));
  });
});

describe('positions', () => {
  const SIZE = 40_000;
  const CLASSES = 20;

  /** Chi-square of the positions of one large period against a distribution, 19 degrees of freedom. */
  const chiOf = async (
    distribution: string,
    parameters: object,
    cdf: (x: number) => number,
  ): Promise<number> => {
    const changes = {
      'multiplier.ratio': SIZE,
      'oscillator.end': '+1m',
      'spreader.distribution': distribution,
      'spreader.parameters': parameters,
    };
    const micros = microsOf(await inputOf(changes));
    expect(micros.length).toBe(SIZE);
    const counts = countsOf(micros, START, MINUTE / CLASSES, CLASSES);
    return counts.reduce((sum, count, i) => {
      const expected = SIZE * (cdf((i + 1) / CLASSES) - cdf(i / CLASSES));
      return sum + (expected === 0 ? count * 1_000 : (count - expected) ** 2 / expected);
    }, 0);
  };

  const clamp = (x: number): number => Math.min(1, Math.max(0, x));

  // 99.9 % lie below 43.8.
  test('uniform', async () => {
    expect(await chiOf('uniform', { low: 0.1, high: 0.7 }, (x) => clamp((x - 0.1) / 0.6))).toBeLessThan(43.8);
  });

  test('triangular', async () => {
    const [left, mode, right] = [0.05, 0.3, 0.95];
    const cdf = (x: number): number => {
      if (x <= left) return 0;
      if (x >= right) return 1;
      return x < mode
        ? (x - left) ** 2 / ((right - left) * (mode - left))
        : 1 - (right - x) ** 2 / ((right - left) * (right - mode));
    };
    expect(await chiOf('triangular', { left, mode, right }, cdf)).toBeLessThan(43.8);
  });

  test('triangular with its mode at an end', async () => {
    expect(await chiOf('triangular', { left: 0, mode: 0, right: 1 }, (x) => 1 - (1 - x) ** 2)).toBeLessThan(
      43.8,
    );
    expect(await chiOf('triangular', { left: 0, mode: 1, right: 1 }, (x) => x ** 2)).toBeLessThan(43.8);
  });

  test('beta', async () => {
    expect(await chiOf('beta', { a: 2, b: 2 }, (x) => 3 * x ** 2 - 2 * x ** 3)).toBeLessThan(43.8);
    const arcsine = (x: number): number => (2 / Math.PI) * Math.asin(Math.sqrt(x));
    expect(await chiOf('beta', { a: 0.5, b: 0.5 }, arcsine)).toBeLessThan(43.8);
  });
});

describe('several patterns', () => {
  test('are merged by time, and restored from any position', async () => {
    writePattern(folder, 'one.yml', {
      'multiplier.ratio': 30,
      'randomizer.deviation': 1,
      'randomizer.sampling': 16,
    });
    writePattern(folder, 'two.yml', {
      'oscillator.period': 7,
      'oscillator.unit': 'seconds',
      'multiplier.ratio': 3,
    });
    const make = async (): Promise<Input> => (await build(folder, ['one.yml', 'two.yml'])) as Input;
    const all = microsOf(await make());
    expect(all).toEqual([...all].sort((a, b) => a - b));
    expect(all.length).toBeGreaterThan(350);
    for (const at of [0, 1, 29, 200, all.length]) {
      const input = await make();
      const before = microsOf(input, at, 13);
      const restored = await make();
      restored.restore(JSON.parse(JSON.stringify(input.snapshot())) as Json);
      expect([...before, ...microsOf(restored)]).toEqual(all);
    }
  });
});

describe('files', () => {
  test.each<[Changes, RegExp]>([
    [{ label: '' }, /one\.yml: label must not be empty/],
    [{ 'oscillator.period': 0 }, /one\.yml: oscillator\.period must be greater than 0/],
    [{ 'oscillator.unit': 'years' }, /one\.yml: oscillator\.unit/],
    [{ 'oscillator.start': undefined }, /one\.yml: oscillator\.start is required/],
    [{ 'oscillator.start': 'never' }, /one\.yml: oscillator\.start/],
    [{ 'oscillator.end': '2026-01-01' }, /one\.yml: oscillator\.end is before start/],
    [{ 'oscillator.end': '10:00' }, /one\.yml: oscillator\.end is before start/],
    [{ 'multiplier.ratio': 0 }, /one\.yml: multiplier\.ratio must be at least 1/],
    [{ 'randomizer.deviation': 1.5 }, /one\.yml: randomizer\.deviation must be at most 1/],
    [{ 'randomizer.sampling': 15 }, /one\.yml: randomizer\.sampling must be at least 16/],
    [{ 'spreader.distribution': 'normal' }, /one\.yml: spreader\.distribution/],
    [
      { 'spreader.parameters': { low: 0.5, high: 0.5 } },
      /one\.yml: spreader\.parameters\.high must be greater than low/,
    ],
    [
      { 'spreader.distribution': 'triangular', 'spreader.parameters': { left: 0.5, mode: 0.4, right: 1 } },
      /one\.yml: spreader\.parameters\.mode must lie between/,
    ],
    [
      { 'spreader.distribution': 'triangular', 'spreader.parameters': { left: 0.5, mode: 0.5, right: 0.5 } },
      /must differ/,
    ],
    [
      { 'spreader.distribution': 'beta', 'spreader.parameters': { a: 0, b: 1 } },
      /parameters\.a must be greater than 0/,
    ],
    [
      { 'spreader.distribution': 'beta', 'spreader.parameters': { a: 1, b: 0 } },
      /parameters\.b must be greater than 0/,
    ],
    [{ more: 1 }, /one\.yml: .*more/],
  ])('%j is refused, with the file', async (changes, problem) => {
    expect(await problemOf(changes)).toMatch(problem);
  });

  test('nested and dotted keys are the same; tags are a warning', async () => {
    const dotted = microsOf(await inputOf());
    const oscillator = { period: 1, unit: 'minutes', start: '2026-11-20T20:00:00Z', end: '+10m' };
    const { log, lines } = memoryLog();
    const nested = await inputOf(
      {
        oscillator,
        tags: ['x'],
        'oscillator.period': undefined,
        'oscillator.unit': undefined,
        'oscillator.start': undefined,
        'oscillator.end': undefined,
      },
      { log },
    );
    expect(microsOf(nested)).toEqual(dotted);
    expect(lines).toMatchObject([
      { level: 'warning', message: expect.stringContaining('set `tags` of the input') },
    ]);
  });

  test.each([
    ['a: [', /bad\.yml: the file is not YAML: .*line 1/],
    ['- 1', /bad\.yml: .*object/],
    ['', /bad\.yml: /],
    ['a: &a [1]\nb: &b [*a,*a]\n'.replace('b:', 'label:'), /bad\.yml: /],
  ])('%j is refused, with the file', async (text, problem) => {
    writeFileSync(join(folder, 'bad.yml'), text);
    expect(await build(folder, ['bad.yml'])).toMatch(problem);
  });

  test('a missing file is named', async () => {
    expect(await build(folder, ['none.yml'])).toMatch(/none\.yml cannot be read/);
  });
});
