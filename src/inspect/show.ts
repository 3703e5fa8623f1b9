/** Numbers and values as text, for the terminal and the page. */

const grouped = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const significant = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 3 });

export const showCount = (count: number): string => grouped.format(count);

/** Three digits, or all digits of a large number. */
export const showNumber = (value: number): string => {
  const size = Math.abs(value);
  if (size !== 0 && (size < 0.001 || size >= 1e15)) return value.toExponential(2);
  return size >= 1_000 ? grouped.format(value) : significant.format(value);
};

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'] as const;

/** `1.72 kB`: powers of 1,000. */
export const showBytes = (bytes: number): string => {
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1_000;
    unit++;
  }
  return `${showNumber(value)} ${UNITS[unit]}`;
};

/** Never 0 % for a part, nor 100 % for less than all. */
export const showShare = (share: number): string => {
  const percent = share * 100;
  if (share > 0 && percent < 0.1) return '< 0.1 %';
  if (share < 1 && percent > 99.9) return '> 99.9 %';
  return `${percent < 10 ? percent.toFixed(1) : percent.toFixed(0)} %`.replace('.0 %', ' %');
};

export const showSeconds = (seconds: number): string => {
  if (seconds < 1) return `${showNumber(seconds * 1_000)} ms`;
  if (seconds < 60) return `${showNumber(seconds)} s`;
  if (seconds < 3_600) return `${showNumber(seconds / 60)} min`;
  return seconds < 86_400 ? `${showNumber(seconds / 3_600)} h` : `${showNumber(seconds / 86_400)} d`;
};

/** An estimate has a tilde. */
export const showDistinct = (distinct: { readonly count: number; readonly is_exact: boolean }): string =>
  `${distinct.is_exact ? '' : '~'}${showCount(distinct.count)}`;

/** Control, format and unpaired characters, which could drive a terminal or reverse a line, become escapes. */
export const visible = (text: string): string =>
  text.replace(
    /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );

/** The text in at most `max` characters; an ellipsis marks the cut. */
export const fitted = (text: string, max: number): string => {
  const characters = [...text];
  return characters.length <= max ? text : `${characters.slice(0, Math.max(0, max - 1)).join('')}…`;
};
