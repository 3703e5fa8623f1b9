/** What the profiler (profiler.mjs) saw, a line a function. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const TOP = 16;
/** Waiting, and the profiler itself. */
const NOT_ITS_OWN = new Set(['(idle)', 'dispatch']);

/**
 * Self time by function of the profiles of one thread: `{busy_seconds, top: [[share, name]]}`; shares are of busy time.
 * Lines count from 1, in the built files.
 */
export const selfTimes = (profiles) => {
  const times = new Map();
  let busy = 0;
  for (const { nodes, samples, timeDeltas } of profiles) {
    const byId = new Map(nodes.map((node) => [node.id, node.callFrame]));
    for (const [index, id] of samples.entries()) {
      const { functionName, url, lineNumber } = byId.get(id);
      if (NOT_ITS_OWN.has(functionName)) continue;
      const where = url === '' ? '' : ` ${basename(url)}:${lineNumber + 1}`;
      const name = `${functionName === '' ? '(anonymous)' : functionName}${where}`;
      times.set(name, (times.get(name) ?? 0) + timeDeltas[index]);
      busy += timeDeltas[index];
    }
  }
  const top = [...times].sort(([, a], [, b]) => b - a).slice(0, TOP);
  return { busy_seconds: busy / 1e6, top: top.map(([name, time]) => [time / busy, name]) };
};

/** The profiles in a folder, busiest first: one for each thread. */
export const profilesIn = (folder) => {
  const threads = new Map();
  for (const file of readdirSync(folder)) {
    const thread = file.split('-').slice(0, 2).join('-');
    const profile = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    threads.set(thread, [...(threads.get(thread) ?? []), profile]);
  }
  return [...threads]
    .map(([thread, profiles]) => ({ thread: thread.split('-')[1], ...selfTimes(profiles) }))
    .filter(({ busy_seconds }) => busy_seconds > 0.05)
    .sort((a, b) => b.busy_seconds - a.busy_seconds);
};

export const profileText = ({ thread, busy_seconds, top }) =>
  `  ${thread === '0' ? 'main thread' : `thread ${thread}`}, busy for ${busy_seconds.toFixed(1)} s\n${top
    .map(([share, name]) => `    ${(share * 100).toFixed(1).padStart(5)} %  ${name}\n`)
    .join('')}`;

/** Variables that let a program be profiled into a folder. */
export const profilingEnv = (folder) => ({
  NODE_OPTIONS: `--import=${join(import.meta.dirname, 'profiler.mjs')}`,
  SPATE_BENCH_PROFILES: folder,
});
