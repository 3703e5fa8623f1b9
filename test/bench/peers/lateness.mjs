/**
 * `node lateness.mjs EXPECTED`: reads lines `MICROSECONDS NUMBER` from standard input and prints how late each came, by the
 * clock at this end, as JSON: `{events, early, out_of_order, lateness_ms: {p50, p99, p999, max}}`.
 */
const expected = Number(process.argv[2]);
const lateness = new Float64Array(expected);
const LINE_FEED = 10;
const SPACE = 32;
const ZERO = 48;

let [events, early, disorder, last] = [0, 0, 0, 0];
/** The line under way: its number so far, and the first of its two. */
let [value, at] = [0, 0];

const take = (now) => {
  // The clock has whole milliseconds: it may be almost one later.
  if (at >= (now + 1) * 1_000) early++;
  if (value !== last + 1) disorder++;
  last = value;
  if (events < expected) lateness[events] = Math.max(0, now - at / 1_000);
  events++;
};

process.stdin.on('data', (chunk) => {
  const now = Date.now();
  for (let index = 0; index < chunk.length; index++) {
    const byte = chunk[index];
    if (byte === LINE_FEED) {
      take(now);
      value = 0;
    } else if (byte === SPACE) {
      at = value;
      value = 0;
    } else value = value * 10 + byte - ZERO;
  }
});
process.stdin.on('end', () => {
  const sorted = lateness.subarray(0, Math.min(events, expected)).sort();
  const share = (part) =>
    Number((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0).toFixed(2));
  const lateness_ms = { p50: share(0.5), p99: share(0.99), p999: share(0.999), max: share(1) };
  process.stdout.write(JSON.stringify({ events, early, out_of_order: disorder, lateness_ms }));
});
