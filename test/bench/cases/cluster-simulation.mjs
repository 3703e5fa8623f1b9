/**
 * 100 nodes and 100,000 tasks on a fake clock: convergence, moved share and load on the servers when all nodes start,
 * when one is killed and when one joins. `SPATE_BENCH_NODES`, `SPATE_BENCH_TASKS` and `SPATE_BENCH_SEED` change the run.
 */
import { join } from 'node:path';
import { build } from 'esbuild';

const NODES = Number(process.env.SPATE_BENCH_NODES ?? 100);
const TASKS = Number(process.env.SPATE_BENCH_TASKS ?? 100_000);
const SEED = Number(process.env.SPATE_BENCH_SEED ?? 1);
const LEASE_MS = 15_000;
/** What three NATS servers on common machines apply. */
const WRITES_PER_SECOND = 5_000;

const rounded = (value) => (typeof value === 'number' ? Number(value.toPrecision(4)) : value);

/** Wrong results of the phases. */
const problemsOf = (phases) => {
  const share = 100 / NODES;
  return phases.flatMap(({ phase, seconds, moved_percent, lease_writes }) => [
    ...(seconds === null ? [`${phase}: not all tasks run on their owners`] : []),
    ...(phase === 'rest' && lease_writes > 0 ? [`${phase}: ${lease_writes} leases were written`] : []),
    ...(moved_percent > share * 1.1 + 0.1 ? [`${phase}: ${moved_percent} % of the tasks moved`] : []),
  ]);
};

export const run = async ({ folder }) => {
  const outfile = join(folder, 'simulation.mjs');
  const source = join(import.meta.dirname, '../../cluster/simulation/big.ts');
  await build({
    entryPoints: [source],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  });
  const { simulateBig } = await import(outfile);
  const begin = performance.now();
  const options = { nodes: NODES, tasks: TASKS, lease_ms: LEASE_MS, seed: SEED };
  const phases = simulateBig({ ...options, writes_per_second: WRITES_PER_SECOND });
  const wall_seconds = rounded((performance.now() - begin) / 1_000);
  const shown = phases.map((phase) =>
    Object.fromEntries(Object.entries(phase).map(([name, value]) => [name, rounded(value)])),
  );
  return {
    ...options,
    writes_per_second: WRITES_PER_SECOND,
    wall_seconds,
    phases: shown,
    problems: problemsOf(phases),
  };
};
