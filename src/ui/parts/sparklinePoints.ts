export const WIDTH = 80;
export const HEIGHT = 24;

/** Points of a line that ends at the right; its highest value is full height. */
export const sparklinePoints = (values: readonly number[], span: number): string => {
  const top = Math.max(1, ...values);
  const step = WIDTH / (Math.max(span, values.length) - 1);
  const from = WIDTH - (values.length - 1) * step;
  // A single value is a short line: a point has no length.
  const drawn = values.length === 1 ? [values[0] as number, values[0] as number] : values;
  const start = values.length === 1 ? WIDTH - step : from;
  return drawn
    .map(
      (value, index) =>
        `${(start + index * step).toFixed(1)},${(HEIGHT - 1 - (value / top) * (HEIGHT - 2)).toFixed(1)}`,
    )
    .join(' ');
};
