/**
 * The program and the machine it runs on. Figures of the machine count since it was started; `null` where the system does
 * not tell.
 */
export interface InstanceInfo {
  readonly app_version: string;
  readonly node_version: string;
  readonly v8_version: string;
  readonly uv_version: string;
  readonly platform: string;
  readonly host_name: string;
  readonly host_ip_v4: string;
  /** Unix time. */
  readonly boot_timestamp: number;
  readonly cpu_count: number | null;
  readonly cpu_frequency_mhz: number;
  /** Of all processors together, since the last call. */
  readonly cpu_percent: number;
  readonly memory_total_bytes: number;
  readonly memory_used_bytes: number;
  readonly memory_available_bytes: number;
  readonly network_sent_bytes: number | null;
  readonly network_received_bytes: number | null;
  readonly disk_written_bytes: number | null;
  readonly disk_read_bytes: number | null;
  /** Seconds since the machine was started. */
  readonly uptime: number;
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
