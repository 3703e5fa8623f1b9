/** Values that differ from run to run, and what is compared instead. */
const VOLATILE: readonly (readonly [RegExp, string])[] = [
  [/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)?/g, '<time>'],
  [/\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d [+-]\d{4}/g, '<time>'],
  [/\b[\d,]+(\.\d+)?\/s\b/g, '<rate>'],
  [/\b[\d,]+(\.\d+)? (s|ms)\b/g, '<duration>'],
  [/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '<id>'],
  [/\bstream [0-9a-f]{8}\b/g, 'stream <id>'],
  // A column of a table is as wide as its values.
  [/(?<=\S) {2,}(?=\S)/g, '  '],
];

/** The folder of the repository on the pages. */
const SHOWN_FOLDER = '/home/you/spate';

/** How outputs may differ from run to run. */
export interface Variance {
  /** Times are the same in every run. */
  readonly hasFixedClock: boolean;
  readonly hasVaryingNumbers: boolean;
}

const masked = (
  lines: readonly string[],
  { hasFixedClock, hasVaryingNumbers }: Variance,
): readonly string[] => {
  const volatile = hasFixedClock ? [] : VOLATILE;
  const text = volatile.reduce((old, [pattern, name]) => old.replaceAll(pattern, name), lines.join('\n'));
  return (hasVaryingNumbers ? text.replaceAll(/\d[\d,.]*/g, '<number>') : text)
    .split('\n')
    .map((line) => line.trimEnd());
};

const literal = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** `...` alone stands for any lines, `…` for any text in a line. */
const patternOf = (expected: readonly string[]): RegExp =>
  new RegExp(
    `^${expected
      .map((line) => (line.trim() === '...' ? '(?:.*\n)*?' : `${line.split('…').map(literal).join('.*')}\n`))
      .join('')}$`,
  );

/** Log lines of several threads come in any order. */
const inOrder = (lines: readonly string[]): readonly string[] => [
  ...lines.filter((line) => !line.startsWith('<time>')),
  ...lines.filter((line) => line.startsWith('<time>')).sort(),
];

export interface Compared {
  readonly isSame: boolean;
  readonly expected: readonly string[];
  readonly actual: readonly string[];
}

/** Compares the output of a page with that of a run in `folder`, without what differs from run to run. */
export const compareOutput = (
  shown: readonly string[],
  got: readonly string[],
  folder: string,
  variance: Variance,
): Compared => {
  const expected = inOrder(masked(shown, variance));
  const named = got.map((line) => line.replaceAll(folder, SHOWN_FOLDER));
  const actual = inOrder(masked(named, variance));
  return { isSame: patternOf(expected).test(`${actual.join('\n')}\n`), expected, actual };
};
