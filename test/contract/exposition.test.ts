import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { header, histogram, labelText, sample } from '../../src/contract/exposition.js';
import { codePoint } from '../support/codePoint.js';
import { readExposition } from '../support/exposition.js';

const gauge = { name: 'g', type: 'gauge', help: 'A gauge.' } as const;

describe('the text exposition format', () => {
  test('any label value and any number come back as they were', () => {
    const value = fc.string({ unit: codePoint });
    const number = fc.oneof(
      fc.double(),
      fc.constantFrom(0, 1, 1e300, 5e-324, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY),
    );
    fc.assert(
      fc.property(value, value, number, (a, b, figure) => {
        const text = header(gauge) + sample('g', labelText({ a, b }), figure);
        const [read] = readExposition(text).get('g')?.samples ?? [];
        expect(read?.labels).toEqual({ a, b });
        expect(Object.is(read?.value, figure) || (figure === 0 && read?.value === 0)).toBe(true);
      }),
    );
  });

  test('help texts escape line ends and backslashes only', () => {
    const help = 'a "quoted" \\ text\nof two lines';
    expect(readExposition(header({ ...gauge, help }) + sample('g', '', 1)).get('g')?.help).toBe(help);
    expect(header({ ...gauge, help })).toBe('# HELP g a "quoted" \\\\ text\\nof two lines\n# TYPE g gauge\n');
  });

  test('a histogram has cumulative buckets up to +Inf, a sum and a count', () => {
    const bounds = [
      { le: 0.001023, count: 1 },
      { le: 1, count: 3 },
    ];
    expect(histogram('h', labelText({ id: 'x' }), { bounds, total: 4, sum: 2.5 })).toBe(
      [
        'h_bucket{id="x",le="0.001023"} 1',
        'h_bucket{id="x",le="1"} 3',
        'h_bucket{id="x",le="+Inf"} 4',
        'h_sum{id="x"} 2.5',
        'h_count{id="x"} 4',
        '',
      ].join('\n'),
    );
    expect(histogram('h', '', { bounds: [], total: 0, sum: 0 })).toBe(
      'h_bucket{le="+Inf"} 0\nh_sum 0\nh_count 0\n',
    );
  });
});

describe('the reader of the tests', () => {
  const head = header(gauge);
  test.each([
    ['no end of the last line', 'g 1'],
    ['no family', 'g 1\n'],
    ['a sample of another family', `${head}h 1\n`],
    ['a quote that is not escaped', `${head}g{a="x"y"} 1\n`],
    ['an unknown escape', `${head}g{a="\\t"} 1\n`],
    ['a number of JavaScript', `${head}g Infinity\n`],
    ['a series twice', `${head}g{a="1",b="2"} 1\ng{b="2",a="1"} 1\n`],
    ['a family twice', `${head}g 1\n${head}g{a="1"} 1\n`],
    ['a counter without _total', '# HELP c x\n# TYPE c counter\nc 1\n'],
    [
      'buckets that fall',
      '# HELP h x\n# TYPE h histogram\nh_bucket{le="1"} 2\nh_bucket{le="+Inf"} 1\nh_sum 1\nh_count 1\n',
    ],
    ['buckets without the last', '# HELP h x\n# TYPE h histogram\nh_bucket{le="1"} 2\nh_sum 1\nh_count 2\n'],
  ])('refuses %s', (_what, text) => {
    expect(() => readExposition(text)).toThrow();
  });
});
