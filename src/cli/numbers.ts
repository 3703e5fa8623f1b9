const GROUPED = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const ONE_DIGIT = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });

/** `1,234,567` */
export const showCount = (count: number): string => GROUPED.format(count);

/** Rounded so that small values keep a digit: `3.2`, `312`. */
export const showRough = (value: number): string => (value < 100 ? ONE_DIGIT : GROUPED).format(value);

/** `1 event`, `2 events` */
export const plural = (count: number, noun: string): string =>
  `${showCount(count)} ${noun}${count === 1 ? '' : 's'}`;
