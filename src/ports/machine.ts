import type { MachineInfo, ProcessLoad } from '../domain/machine.js';

export interface Machine {
  readonly node_version: string;
  readonly load: () => ProcessLoad;
  /** Measured at most once a second. Never rejects. */
  readonly info: () => Promise<MachineInfo>;
  readonly close: () => void;
}
