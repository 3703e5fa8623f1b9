import type { BoardRow } from '../domain/stats/board.js';
import type { CellDirectory } from '../host/cells/cells.js';
import type { PipelineHost } from '../host/port.js';

/** Hooks of monitoring. */
export interface Monitoring {
  readonly host: (host: PipelineHost) => PipelineHost;
  readonly cells: (cells: CellDirectory) => CellDirectory;
  readonly watch: (id: string, row: BoardRow | null) => void;
}

/** Without monitoring. */
export const NO_MONITORING: Monitoring = { host: (host) => host, cells: (cells) => cells, watch: () => {} };
