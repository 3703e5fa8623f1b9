import type { RecentHistory, ShownStats, Snapshot } from '../../../src/ui/pages/generator/recent.js';

type Output = ShownStats['output'][number];

export const output = (given: Partial<Output> = {}): Output => ({
  plugin_name: 'file',
  plugin_id: 1,
  written: 0,
  write_failed: 0,
  format_failed: 0,
  dead_lettered: 0,
  abandoned: 0,
  filtered: 0,
  retries: 0,
  bytes: 0,
  ...given,
});

export const stats = (given: Partial<ShownStats> & { readonly produced?: number } = {}): ShownStats => {
  const { produced = 0, ...rest } = given;
  const made: ShownStats = {
    id: 'shop',
    start_time: '2026-01-01T00:00:00Z',
    input: [{ plugin_name: 'cron', plugin_id: 1, generated: produced }],
    event: {
      plugin_name: 'script',
      plugin_id: 1,
      produced,
      produced_before: 0,
      produce_failed: 0,
      dropped: 0,
    },
    output: [output({ written: produced })],
    total_generated: produced,
    total_written: produced,
    total_abandoned: 0,
    uptime: 10,
    input_eps: 0,
    output_eps: 0,
    low_water_mark: 0,
    lateness_ms: { p50: 0, p99: 0, max: 0, buckets: [] },
    delivery_lag_ms: { p50: 0, p99: 0, buckets: [] },
  };
  return { ...made, ...rest };
};

export const at = (seconds: number, given: ShownStats): Snapshot => ({
  at_ms: seconds * 1_000,
  stats: { ...given, uptime: seconds },
});

export const historyOf = (...given: readonly ShownStats[]): RecentHistory =>
  given.map((one, second) => at(second, one));
