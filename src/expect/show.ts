/** Longest excerpt of an event and of a value, in UTF-16 units. */
const MAX_EXCERPT = 240;
const MAX_VALUE = 80;

/** `1,234,567` */
export const showCount = (count: number): string => String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');

/** At most four digits behind the point: `0.1234`, `0.12`. */
export const showShare = (share: number): string => String(Number(share.toFixed(4)));

export const plural = (count: number, noun: string): string =>
  `${showCount(count)} ${noun}${count === 1 ? '' : 's'}`;

const cutAt = (text: string, max: number): string => (text.length > max ? `${text.slice(0, max)}...` : text);

/** On one line: control characters are escaped. */
const oneLine = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal must not get these
  text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, (one) =>
    one === '\n' ? '\\n' : `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

export const excerpt = (event: string): string => oneLine(cutAt(event, MAX_EXCERPT));

export const showValue = (value: string): string => oneLine(cutAt(value, MAX_VALUE));
