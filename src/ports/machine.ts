import type { MachineInfo, ProcessLoad } from '../domain/machine.js';

export interface Machine {
  readonly node_version: string;
  readonly load: () => ProcessLoad;
  /** Looks anew at most once a second, whoever asks. Never rejects. */
  readonly info: () => Promise<MachineInfo>;
  /** Ends the measuring. */
  readonly close: () => void;
}
