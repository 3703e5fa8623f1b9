/** Requests about the whole instance. */
export interface InstanceRequests {
  'instance.health': {
    payload: null;
    answer: { readonly status: 'ok' | 'starting' | 'stopping'; readonly uptime_seconds: number };
  };
}
