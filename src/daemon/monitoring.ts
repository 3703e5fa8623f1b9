import type { GeneratorRow } from '../domain/stats/board.js';
import { type HealthReport, NO_HEALTH } from '../domain/stats/health.js';
import type { CellDirectory } from '../host/cells/cells.js';
import type { PipelineHost } from '../host/port.js';

/** Hooks of monitoring. */
export interface Monitoring {
  readonly host: (host: PipelineHost) => PipelineHost;
  readonly cells: (cells: CellDirectory) => CellDirectory;
  readonly watch: (id: string, row: GeneratorRow | null) => void;
  readonly healthOf: (id: string) => HealthReport;
}

/** Without monitoring. */
export const NO_MONITORING: Monitoring = {
  host: (host) => host,
  cells: (cells) => cells,
  watch: () => {},
  healthOf: () => NO_HEALTH,
};
