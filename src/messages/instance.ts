import type { MachineInfo } from '../domain/machine.js';

/** The program and the machine it runs on. */
export interface InstanceInfo extends MachineInfo {
  readonly app_version: string;
}

/** Requests about the whole instance. */
export interface InstanceRequests {
  'instance.health': {
    payload: null;
    answer: { readonly status: 'ok' | 'starting' | 'stopping'; readonly uptime_seconds: number };
  };
  'instance.info': { payload: null; answer: InstanceInfo };
  /** Answered before it is done; as SIGTERM. */
  'instance.stop': { payload: null; answer: null };
  /** As SIGHUP: settings and startup list are checked first, and the answer says what is wrong with them. */
  'instance.restart': { payload: null; answer: null };
}
