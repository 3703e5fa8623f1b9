/** Generators at full speed in one daemon. */
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { cpuSecondsOf, freePort, sleep, startDaemon, writeInstance } from './daemon.mjs';
import { inputOf, packConfig, packFiles } from './packs.mjs';

const WARM_UP_MS = 2_000;
const MEASURED_MS = 4_000;

const EVENTS = {
  template: '{template: {mode: all, templates: [{event: {template: event.jinja}}]}}',
  script: '{script: {path: produce.mjs}}',
};
const SMALL_FILES = {
  'event.jinja': `{"@timestamp": "{{ timestamp.isoformat() }}", "level": "{{ ['INFO', 'WARN', 'ERROR', 'DEBUG']|random }}", "user": "{{ ['alice', 'bob', 'carol']|random }}", "bytes": {{ range(100, 99999)|random }}}`,
  'produce.mjs':
    'export const produce = ({ timestamp, random }) => `${timestamp} served in ${random.integer(1, 999)} ms`;\n',
};

const INPUT = "[cron: {expression: '* * * * * *', count: 1000, start: '2026-01-01T00:00:00Z'}]";

/** The files of a generator with small events, which writes to the parameter `file`. */
export const smallGenerator = (kind) => ({
  ...SMALL_FILES,
  'generator.yml': `input: ${INPUT}\nevent: ${EVENTS[kind]}\noutput: [file: {path: '\${params.file}'}]\n`,
});

/** The files of a library generator that does the same, with the formatter `json`. */
export const packGenerator = (name) => {
  const config = packConfig(name);
  return {
    ...packFiles(name),
    'generator.yml': JSON.stringify({
      ...config,
      input: inputOf(config, parse(INPUT)),
      output: [{ file: { path: '${params.file}', formatter: { format: 'json' } } }],
    }),
  };
};

const linesIn = (path) => Number(spawnSync('wc', ['-l', path], { encoding: 'utf8' }).stdout.split(' ')[0]);

/** Events a second of so many generators together, and whether what they say they wrote is in their files. */
const measureFullSpeed = async ({ folder, files, count, partitions = 1, milliseconds, discards, env }) => {
  const port = await freePort();
  const ids = Array.from({ length: count }, (_, n) => `g${n}`);
  const pathOf = (id) => (discards ? '/dev/null' : join(folder, `${id}.log`));
  const entries = ids.map(
    (id) =>
      `- {id: ${id}, path: load/generator.yml, live_mode: false, partitions: ${partitions}, params: {file: ${pathOf(id)}}}\n`,
  );
  const settings = writeInstance(
    folder,
    port,
    Object.fromEntries(Object.entries(files).map(([path, text]) => [`load/${path}`, text])),
    entries.join(''),
  );
  const daemon = await startDaemon(settings, port, env);
  try {
    const written = async () => {
      const stats = await Promise.all(ids.map((id) => daemon.api('GET', `/generators/${id}/stats`)));
      return stats.map(({ output }) => output[0].written);
    };
    const total = async () => (await written()).reduce((sum, one) => sum + one, 0);
    await sleep(WARM_UP_MS);
    const [before, cpuBefore, begin] = [await total(), cpuSecondsOf(daemon.pid), performance.now()];
    await sleep(milliseconds);
    const [after, cpuAfter, end] = [await total(), cpuSecondsOf(daemon.pid), performance.now()];
    const peak_mb = daemon.peakMb();
    await Promise.all(ids.map((id) => daemon.api('POST', `/generators/${id}/stop`)));
    const problems = [];
    for (const [index, said] of (await written()).entries()) {
      const lines = discards ? said : linesIn(pathOf(ids[index]));
      if (lines !== said) problems.push(`${ids[index]} says ${said} events, ${lines} are in its file`);
    }
    const code = await daemon.stop();
    if (code !== 0) problems.push(`the daemon ended with ${code}`);
    const seconds = (end - begin) / 1_000;
    return { events: after - before, seconds, cpu_seconds: cpuAfter - cpuBefore, peak_mb, problems };
  } finally {
    await daemon.kill();
    rmSync(folder, { recursive: true, force: true });
  }
};

/**
 * A case: two generators with the same files in one daemon against one, from the counters of the API. `discards`:
 * they write to /dev/null, so that only the program is measured.
 */
export const twoAgainstOne = (filesOf, { discards = false } = {}) => ({
  limits: discards
    ? 'The two cores and the cache that they share: two hand-written programs reach 1.8 on the same machine.'
    : 'The two cores: a generator takes one for its thread, and a tenth of one or more for the system that writes its file.',
  disk_bytes: discards ? 0 : 3e9,
  pairs: async ({ folder, scale }) => {
    let turn = 0;
    const files = filesOf();
    const side = (count) => ({
      run: (env) =>
        measureFullSpeed({
          folder: join(folder, `turn-${turn++}`),
          files,
          count,
          milliseconds: MEASURED_MS * Math.min(1, scale),
          discards,
          env,
        }),
    });
    return { folder, sides: { spate: side(2), 'one generator': side(1) }, bars: { 'one generator': 1.8 } };
  },
});

/** A case: one generator with two partitions against the same with one, to /dev/null, from the counters of the API. */
export const twoPartitions = (filesOf) => ({
  limits: 'The two cores and the cache that they share. Each partition passes the whole schedule.',
  disk_bytes: 0,
  pairs: async ({ folder, scale }) => {
    let turn = 0;
    const files = filesOf();
    const side = (partitions) => ({
      run: (env) =>
        measureFullSpeed({
          folder: join(folder, `turn-${turn++}`),
          files,
          count: 1,
          partitions,
          milliseconds: MEASURED_MS * Math.min(1, scale),
          discards: true,
          env,
        }),
    });
    return { folder, sides: { spate: side(2), 'one partition': side(1) }, bars: { 'one partition': 1.8 } };
  },
});
