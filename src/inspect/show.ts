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

/** Characters that take two columns: East Asian wide forms and emoji. */
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
/** Combining characters take none. */
const NARROW = /\p{M}/u;

const widthOfOne = (character: string): number => {
  if (character <= '~') return 1;
  return WIDE.test(character) ? 2 : NARROW.test(character) ? 0 : 1;
};

/** Columns of a text in a terminal. */
export const widthOf = (text: string): number => {
  let width = 0;
  for (const character of text) width += widthOfOne(character);
  return width;
};

/** The text in at most `max` columns; an ellipsis marks the cut. */
export const fitted = (text: string, max: number): string => {
  if (widthOf(text) <= max) return text;
  let width = 1;
  let end = 0;
  for (const character of text) {
    width += widthOfOne(character);
    if (width > max) break;
    end += character.length;
  }
  return `${text.slice(0, end)}…`;
};
