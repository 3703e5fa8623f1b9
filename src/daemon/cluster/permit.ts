import type { WritePermit } from '../../host/workerHost.js';

/** The write permit of a node: extended with each accepted beat. */
export interface NodePermit extends WritePermit {
  /** Sets until when outputs may write. Null when nothing runs by leases. */
  readonly set: (until_ms: number | null) => void;
}

export const nodePermit = (): NodePermit => {
  const listeners: ((until_ms: number) => void)[] = [];
  let until = 0;
  return {
    until_ms: () => until,
    onExtended: (listener) => void listeners.push(listener),
    set: (next) => {
      if (next === null || next === until) return;
      until = next;
      for (const listener of listeners) listener(next);
    },
  };
};
