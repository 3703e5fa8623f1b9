import type { BoardRow } from '../domain/stats/board.js';
import type { CellDirectory } from '../host/cells/cells.js';
import type { PipelineHost } from '../host/port.js';

/** Hooks of monitoring. */
export interface Looking {
  readonly host: (host: PipelineHost) => PipelineHost;
  readonly cells: (cells: CellDirectory) => CellDirectory;
  readonly watch: (id: string, row: BoardRow | null) => void;
}

/** Without monitoring. */
export const NO_LOOKING: Looking = { host: (host) => host, cells: (cells) => cells, watch: () => {} };
