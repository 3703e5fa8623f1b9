/**
 * `node scriptLoop.mjs DIST SCRIPT COUNT FILE`: a hand-written loop that calls the function `produce` of a script with
 * what the event plugin gives it, a millisecond apart from 2026-01-01T00:00:00.000500Z, and writes what it returns.
 * What is missing is everything else: no schedule, no limits, no failures, no counters, no thread.
 */
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [dist, script, countText, path] = process.argv.slice(2);
const { timestampMaker } = await import(join(dist, 'plugins', 'events', 'script', 'produce.js'));
const { utc } = await import(join(dist, 'domain', 'time', 'zone.js'));
const { produce } = await import(pathToFileURL(script).href);

const START_MICROS = Date.UTC(2026, 0, 1) * 1_000 + 500;
const CHUNK = 16_384;
const BUFFER = 1 << 20;
const count = Number(countText);
const timestampOf = timestampMaker(utc);
const tags = Object.freeze([]);
const globals = {};
const params = Object.freeze({});
const random = {};
const drop = () => {};
const exhaust = () => {};

const file = openSync(path, 'w');
const buffer = Buffer.allocUnsafeSlow(BUFFER);
let used = 0;
let chunk = '';
const flush = () => {
  for (let at = 0; at < used; ) at += writeSync(file, buffer, at, used - at);
  used = 0;
};
const encode = () => {
  if (used + chunk.length * 3 > BUFFER) flush();
  used += buffer.utf8Write(chunk, used);
  chunk = '';
};
for (let index = 0; index < count; index++) {
  const timestamp = timestampOf(START_MICROS + index * 1_000);
  chunk += `${produce({ timestamp, tags, globals, params, random, drop, exhaust })}\n`;
  if (chunk.length > CHUNK) encode();
}
encode();
flush();
closeSync(file);
