/**
 * `node replayLoop.mjs FROM TO`: copies a log and puts new timestamps (`20/Nov/2026:01:02:03 +0000`, a millisecond
 * apart from 2026-01-01) between the first brackets of each line: one regular expression over each MiB as latin1
 * text says where, bytes are copied.
 */
import { closeSync, openSync, readSync, writeSync } from 'node:fs';

const [from, to] = process.argv.slice(2);
const START_MS = Date.UTC(2026, 0, 1);
const CHUNK = 1 << 20;
const LINE_FEED = 10;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const two = (number) => String(number).padStart(2, '0');

let second = -1;
let text = '';
const stampAt = (ms) => {
  const now = Math.floor(ms / 1_000);
  if (now === second) return text;
  second = now;
  const date = new Date(ms);
  const day = `${two(date.getUTCDate())}/${MONTHS[date.getUTCMonth()]}/${date.getUTCFullYear()}`;
  text = `${day}:${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())} +0000`;
  return text;
};

const source = openSync(from, 'r');
const target = openSync(to, 'w');
const input = Buffer.allocUnsafe(2 * CHUNK);
const output = Buffer.allocUnsafe(8 * CHUNK);
const pattern = /(\[)([^\]]+)\]/g;
let lines = 0;
/** Bytes of an unfinished line at the start of `input`. */
let kept = 0;
for (;;) {
  const length = readSync(source, input, kept, CHUNK, null);
  const filled = kept + length;
  const end = length === 0 ? filled : input.subarray(0, filled).lastIndexOf(LINE_FEED) + 1;
  const chars = input.latin1Slice(0, end);
  let used = 0;
  let copied = 0;
  pattern.lastIndex = 0;
  for (let found = pattern.exec(chars); found !== null; found = pattern.exec(chars)) {
    const start = found.index + 1;
    used += input.copy(output, used, copied, start);
    used += output.latin1Write(stampAt(START_MS + lines++), used);
    copied = start + found[2].length;
    const next = chars.indexOf('\n', copied);
    if (next < 0) break;
    pattern.lastIndex = next + 1;
  }
  used += input.copy(output, used, copied, end);
  for (let at = 0; at < used; ) at += writeSync(target, output, at, used - at);
  if (length === 0) break;
  input.copyWithin(0, end, filled);
  kept = filled - end;
}
closeSync(source);
closeSync(target);
