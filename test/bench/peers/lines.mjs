/**
 * `node lines.mjs STYLE COUNT TAIL FILE...`: writes lines of a timestamp (ISO 8601, a millisecond apart from
 * 2026-01-01T00:00:00.000500Z) and TAIL to each file (`-`: standard output), as a person writes it by hand.
 * STYLE `chunk`: lines are put together as text of 64 KiB; `line`: each is written into a buffer of 256 KiB.
 */
import { closeSync, openSync, writeSync } from 'node:fs';

const [style, countText, tail, ...paths] = process.argv.slice(2);
const count = Number(countText);
const files = paths.map((path) => (path === '-' ? 1 : openSync(path, 'w')));

const START_MS = Date.UTC(2026, 0, 1);
const CHUNK = 65_536;
const BUFFER = 262_144;
const ending = `+00:00${tail}\n`;

const writeAll = (file, bytes, length) => {
  for (let at = 0; at < length; ) at += writeSync(file, bytes, at, length - at);
};

let second = -1;
let head = '';

/** A line; the text up to the second is kept while it lasts. */
const lineAt = (index) => {
  const micros = 500 + index * 1_000;
  const now = Math.floor(micros / 1_000_000);
  if (now !== second) {
    second = now;
    head = new Date(START_MS + now * 1_000).toISOString().slice(0, 20);
  }
  return head + String(micros - now * 1_000_000).padStart(6, '0') + ending;
};

const inChunks = () => {
  let chunk = '';
  const flush = () => {
    const bytes = Buffer.from(chunk, 'latin1');
    for (const file of files) writeAll(file, bytes, bytes.length);
    chunk = '';
  };
  for (let index = 0; index < count; index++) {
    chunk += lineAt(index);
    if (chunk.length > CHUNK) flush();
  }
  flush();
};

const inLines = () => {
  const buffer = Buffer.allocUnsafe(BUFFER);
  let used = 0;
  const flush = () => {
    for (const file of files) writeAll(file, buffer, used);
    used = 0;
  };
  for (let index = 0; index < count; index++) {
    used += buffer.latin1Write(lineAt(index), used);
    if (used > BUFFER - 1_024) flush();
  }
  flush();
};

if (style === 'line') inLines();
else inChunks();
for (const file of files) if (file !== 1) closeSync(file);
