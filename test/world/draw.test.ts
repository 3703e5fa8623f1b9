import { describe, expect, test } from '@jest/globals';
import { drawSource, philox, weighted } from '../../src/world/draw.js';

const hex = (words: Uint32Array): string =>
  [...words].map((word) => word.toString(16).padStart(8, '0')).join(' ');

/** Known answers of Philox4x32-10, from the Random123 library. */
const ANSWERS: readonly (readonly [
  counter: readonly number[],
  key: readonly [number, number],
  answer: string,
])[] = [
  [[0, 0, 0, 0], [0, 0], '6627e8d5 e169c58d bc57ac4c 9b00dbd8'],
  [
    [0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff],
    [0xffffffff, 0xffffffff],
    '408f276d 41c83b0e a20bc7c6 6d5451fd',
  ],
  [
    [0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344],
    [0xa4093822, 0x299f31d0],
    'd16cfe09 94fdcceb 5001e420 24126ea1',
  ],
];

describe('counter-based draws', () => {
  test.each(ANSWERS)('Philox turns %j with the key %j into %s', (counter, [key0, key1], answer) => {
    const words = Uint32Array.from(counter);
    philox(words, key0, key1);
    expect(hex(words)).toBe(answer);
  });

  test('depend on the seed and on what they are for, never on earlier draws', () => {
    const [one, again, other] = [drawSource(7), drawSource(7), drawSource(7 + 2 ** 32)];
    one.of(1, 2, 3).normal();
    expect(one.of(1, 2, 3).hex(40)).toBe(again.of(1, 2, 3).hex(40));
    const differing = [
      one.of(2, 2, 3),
      one.of(1, 3, 3),
      one.of(1, 2 + 2 ** 32, 3),
      one.of(1, 2, 4),
      other.of(1, 2, 3),
    ];
    const texts = [one.of(1, 2, 3), ...differing].map((draws) => draws.hex(16));
    expect(new Set(texts).size).toBe(texts.length);
  });

  test('follow their laws', () => {
    const own = drawSource(11).of(5, 6, 7);
    const many = <A>(draw: () => A): A[] => Array.from({ length: 20_000 }, draw);
    const mean = (values: readonly number[]): number =>
      values.reduce((sum, one) => sum + one, 0) / values.length;
    const variance = (values: readonly number[]): number => {
      const middle = mean(values);
      return mean(values.map((one) => (one - middle) ** 2));
    };
    const uniform = many(() => own.next());
    expect(Math.abs(mean(uniform) - 0.5)).toBeLessThan(0.01);
    expect(Math.abs(variance(many(() => own.normal())) - 1)).toBeLessThan(0.05);
    expect(Math.abs(mean(many(() => own.exponential(3))) - 3)).toBeLessThan(0.1);
    for (const rate of [0.2, 5, 200]) {
      const counts = many(() => own.poisson(rate));
      expect(Math.abs(mean(counts) / rate - 1)).toBeLessThan(0.05);
      expect(Math.abs(variance(counts) / rate - 1)).toBeLessThan(0.05);
    }
    const median = many(() => own.lognormal(8, 0.5)).toSorted((a, b) => a - b)[10_000] as number;
    expect(Math.abs(median / 8 - 1)).toBeLessThan(0.05);
    const pick = weighted([
      [3, 'often'],
      [1, 'rarely'],
    ] as const);
    const share = mean(uniform.map((drawn) => (pick(drawn) === 'often' ? 1 : 0)));
    expect(Math.abs(share - 0.75)).toBeLessThan(0.02);
  });
});
