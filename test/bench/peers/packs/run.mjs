/**
 * `node run.mjs DIST NAME REQUEST COUNT SEED FILE`: events of the library generator NAME as the hand-written functions
 * of ./NAME.mjs make them, a millisecond apart, each on one line. REQUEST is what pack.py reads.
 *
 * NAME.mjs exports `make({draws, samples, params})`, which gives one function per alias: `(iso, micros)` is the
 * timestamp as text and in microseconds since the epoch, the result is the event, or `null` to pick another template.
 */
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { endsOf, makeDraws } from './draws.mjs';
import { isoOf } from './texts.mjs';

const [dist, name, requestPath, countText, seed, path] = process.argv.slice(2);
const { picks, samples, params, first_micros } = JSON.parse(readFileSync(requestPath, 'utf8'));
const draws = await makeDraws(dist, seed);
const { make } = await import(`./${name}.mjs`);
const functions = make({ draws, samples, params });
const produce = picks.map(({ alias }) => functions[alias]);
const ends = endsOf(picks.map(({ chance }) => chance));
const total = ends.at(-1);

const CHUNK = 16_384;
const BUFFER = 1 << 20;
const count = Number(countText);
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

const pickOne = () => {
  const drawn = draws.pick() * total;
  let at = 0;
  while (at < ends.length - 1 && drawn >= ends[at]) at++;
  return produce[at];
};

for (let index = 0; index < count; index++) {
  const micros = first_micros + index * 1_000;
  const iso = isoOf(micros);
  let event = null;
  while (event === null) event = pickOne()(iso, micros);
  chunk += `${event}\n`;
  if (chunk.length > CHUNK) encode();
}
encode();
flush();
closeSync(file);
