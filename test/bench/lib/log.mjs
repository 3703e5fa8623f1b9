/** The web server log that is replayed. */
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';

/** Of a line with its line end. */
export const LINE_BYTES = 120;
/** Lines that differ; the block of them is repeated. */
const BLOCK_LINES = 10_000;

const two = (number) => String(number).padStart(2, '0');

const lineOf = (index) => {
  const second = Math.floor(index / 7);
  const at = `01/Feb/2024:${two(Math.floor(second / 3_600))}:${two(Math.floor(second / 60) % 60)}:${two(second % 60)} +0000`;
  const page = ['orders', 'users', 'cart', 'blog'][index % 4];
  const line = `198.51.100.${index % 256} - - [${at}] "GET /${page}/${(index * 7_919) % 100_000} HTTP/1.1" 200 ${(index * 104_729) % 90_000} "-" "`;
  return `${line.padEnd(LINE_BYTES - 2, 'Mozilla/5.0 (X11; Linux x86_64; rv:133.0) ')}"\n`;
};

/** Writes a log of so many bytes, rounded down to whole blocks of lines (at least one): how many lines it has. */
export const writeLog = (path, bytes) => {
  const block = Buffer.from(Array.from({ length: BLOCK_LINES }, (_, index) => lineOf(index)).join(''));
  const blocks = Math.max(1, Math.floor(bytes / block.length));
  const file = openSync(path, 'w');
  for (let turn = 0; turn < blocks; turn++) writeSync(file, block);
  // Else the system writes it to the disk while the first pairs run.
  fsyncSync(file);
  closeSync(file);
  return blocks * BLOCK_LINES;
};
