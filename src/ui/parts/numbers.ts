const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const fine = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });
const finer = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });
const short = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });

/** With thousands separators. */
export const shownCount = (count: number): string => whole.format(count);

/** With thousands separators and at most two decimals. */
export const shownFine = (amount: number): string => finer.format(amount);

/** Short from ten thousand on: `12.3K`. */
export const shownShort = (count: number): string =>
  count < 10_000 ? whole.format(count) : short.format(count);

/** Per second; slow rates keep a decimal. */
export const shownRate = (rate: number): string => (rate < 10 ? fine.format(rate) : shownShort(rate));

/** `12.3K/s`. */
export const perSecond = (rate: number): string => `${shownRate(rate)}/s`;

/** Microseconds as a time that people read. */
export const shownMicros = (micros: number): string => {
  if (micros < 1_000) return `${Math.round(micros)} µs`;
  if (micros < 1_000_000) return `${(micros / 1_000).toFixed(micros < 10_000 ? 1 : 0)} ms`;
  return shownSeconds(micros / 1_000_000);
};

/** As `shownMicros`, in one unit: for axes and narrow columns. */
export const shortMicros = (micros: number): string => {
  const minutes = micros / 60_000_000;
  if (minutes < 1) return shownMicros(micros);
  if (minutes < 60) return `${fine.format(minutes)} min`;
  return minutes < 1_440 ? `${fine.format(minutes / 60)} h` : `${fine.format(minutes / 1_440)} d`;
};

export const shownMs = (ms: number): string => shownMicros(ms * 1_000);

/** A duration in its two largest units: `3 d 4 h`. */
export const shownSeconds = (seconds: number): string => {
  if (seconds < 60) return `${fine.format(seconds)} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)} h ${Math.floor((seconds % 3_600) / 60)} min`;
  return `${Math.floor(seconds / 86_400)} d ${Math.floor((seconds % 86_400) / 3_600)} h`;
};

const BYTE_UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

export const shownBytes = (bytes: number): string => {
  const power = bytes < 1 ? 0 : Math.min(BYTE_UNITS.length - 1, Math.floor(Math.log2(bytes) / 10));
  return `${fine.format(bytes / 1_024 ** power)} ${BYTE_UNITS[power] ?? ''}`;
};

/** Restarts that the restart budget counts: fewer again once two minutes have passed. */
export const restartsText = (count: number): string => `${counted(count, 'restart')} in 2 min`;

/** `1 generator`, `2 generators`. */
export const counted = (count: number, noun: string, several = `${noun}s`): string =>
  `${shownCount(count)} ${count === 1 ? noun : several}`;
