/** Lazy: the first formatter of a process takes 20 ms. */
const formatter = (maximumFractionDigits: number): ((value: number) => string) => {
  let made: Intl.NumberFormat | null = null;
  return (value) => {
    made ??= new Intl.NumberFormat('en-US', { maximumFractionDigits });
    return made.format(value);
  };
};

const grouped = formatter(0);
const withDigit = formatter(1);

/** `1,234,567` */
export const showCount = (count: number): string => grouped(count);

/** Keeps a digit of small values: `3.2`, `312`. */
export const showRough = (value: number): string => (value < 100 ? withDigit : grouped)(value);

/** `1 event`, `2 events` */
export const plural = (count: number, noun: string): string =>
  `${showCount(count)} ${noun}${count === 1 ? '' : 's'}`;
