import type { BoardRow } from '../domain/stats/board.js';
import type { CellDirectory } from '../host/cells/cells.js';
import type { PipelineHost } from '../host/port.js';

/** What those who look on put around the parts that they see. */
export interface Looking {
  readonly host: (host: PipelineHost) => PipelineHost;
  readonly cells: (cells: CellDirectory) => CellDirectory;
  readonly watch: (id: string, row: BoardRow | null) => void;
}

/** Where nobody looks on. */
export const NO_LOOKING: Looking = { host: (host) => host, cells: (cells) => cells, watch: () => {} };
