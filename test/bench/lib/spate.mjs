/** The built program and generators for it. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { quoted } from './options.mjs';

/** The folder dist/src that is measured. */
export const DIST = resolve(
  process.env.SPATE_BENCH_DIST ?? join(import.meta.dirname, '..', '..', '..', 'dist', 'src'),
);
export const CLI = join(DIST, 'cli', 'main.js');
export const PEERS = join(import.meta.dirname, '..', 'peers');

/** Writes files into a folder, given as `{path: text}`. */
export const writeFiles = (folder, files) => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
};

/** `node FILE ARG...` for bash. */
export const nodeCommand = (file, args) =>
  [process.execPath, file, ...args].map((arg) => quoted(String(arg))).join(' ');

/** The command of a run of all events at once. */
export const generateCommand = (config, ...args) =>
  nodeCommand(CLI, ['generate', '--path', config, '--live-mode', 'false', ...args]);

/**
 * The input `linspace` of `count` timestamps a millisecond apart. None is a whole second, so that
 * all print alike: the first is FIRST_MICROS after the epoch, as the peers count too.
 */
export const everyMs = (count) => {
  const at = (n) => `${new Date((FIRST_MICROS - 500) / 1_000 + n).toISOString().slice(0, -1)}500Z`;
  return `linspace: {start: '${at(0)}', end: '${at(count)}', count: ${count}, endpoint: false}`;
};

/** 2026-01-01T00:00:00.000500Z in microseconds. */
export const FIRST_MICROS = Date.UTC(2026, 0, 1) * 1_000 + 500;
