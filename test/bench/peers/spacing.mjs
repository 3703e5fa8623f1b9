/**
 * `node spacing.mjs SPEED`: reads lines `... offset=MICROSECONDS` from standard input, stamps each with a monotonic clock, and
 * prints how far the spacing of neighbors is from that of the recording divided by the speed, as JSON:
 * `{records, out_of_order, error_ms: {p50, p99, p999, max}}`.
 */
const speed = Number(process.argv[2]);
const OFFSET = / offset=(\d+)$/;

const errors = [];
let [records, disorder, rest] = [0, 0, ''];
let last = null;

process.stdin.setEncoding('utf8').on('data', (chunk) => {
  const now = performance.now();
  const lines = (rest + chunk).split('\n');
  rest = lines.pop();
  for (const line of lines) {
    const match = OFFSET.exec(line);
    if (match === null) continue;
    const offset = Number(match[1]);
    records++;
    // A new pass begins with an earlier one, far behind.
    if (last !== null && offset >= last.offset)
      errors.push(Math.abs(now - last.now - (offset - last.offset) / 1_000 / speed));
    else if (last !== null && last.offset - offset < 60e6) disorder++;
    last = { offset, now };
  }
});
process.stdin.on('end', () => {
  errors.sort((a, b) => a - b);
  const share = (part) =>
    Number((errors[Math.min(errors.length - 1, Math.floor(errors.length * part))] ?? 0).toFixed(2));
  const error_ms = { p50: share(0.5), p99: share(0.99), p999: share(0.999), max: share(1) };
  process.stdout.write(JSON.stringify({ records, out_of_order: disorder, error_ms }));
});
