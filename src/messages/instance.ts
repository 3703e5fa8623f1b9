import type { MachineInfo } from '../domain/machine.js';

export interface InstanceInfo extends MachineInfo {
  readonly app_version: string;
}

export interface InstanceRequests {
  'instance.health': {
    payload: null;
    answer: { readonly status: 'ok' | 'starting' | 'stopping'; readonly uptime_seconds: number };
  };
  'instance.info': { payload: null; answer: InstanceInfo };
  /** Like SIGTERM; answered first. */
  'instance.stop': { payload: null; answer: null };
  /** Does what SIGHUP does. Returns an error when settings or startup list are invalid. */
  'instance.restart': { payload: null; answer: null };
}
