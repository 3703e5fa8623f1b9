/**
 * Preloaded (`NODE_OPTIONS=--import=...`) into the program that is profiled, and so into each of its threads: writes
 * what the sampling profiler saw into the folder SPATE_BENCH_PROFILES, a file every second and a half, because a thread
 * that is terminated writes nothing at its end (`--cpu-prof` does neither).
 */
import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { join } from 'node:path';
import { threadId } from 'node:worker_threads';

const EVERY_MS = 1_500;
const SAMPLE_US = 500;

const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.setSamplingInterval', { interval: SAMPLE_US });
let part = 0;

const start = () => session.post('Profiler.start');
const save = () =>
  session.post('Profiler.stop', (_error, made) => {
    if (made === undefined) return;
    const name = `${process.pid}-${threadId}-${part++}.json`;
    writeFileSync(join(process.env.SPATE_BENCH_PROFILES, name), JSON.stringify(made.profile));
  });

start();
setInterval(() => {
  save();
  start();
}, EVERY_MS).unref();
process.on('exit', save);
