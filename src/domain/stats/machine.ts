export interface ProcessLoad {
  readonly cpu_user_seconds: number;
  readonly cpu_system_seconds: number;
  readonly resident_bytes: number;
  readonly heap_used_bytes: number;
  readonly started_at_seconds: number;
  /** Event loop delay of the main thread since the last call. */
  readonly loop_delay_seconds: { readonly p50: number; readonly p99: number; readonly max: number };
}

/** The program and its machine. Counters start at boot. A value is null when it is unknown. */
export interface MachineInfo {
  /** The keys of the API document; the values are those of Node.js. */
  readonly python_version: string;
  readonly python_implementation: string;
  readonly python_compiler: string;
  readonly node_version: string;
  readonly v8_version: string;
  readonly uv_version: string;
  readonly platform: string;
  readonly host_name: string;
  readonly host_ip_v4: string;
  readonly boot_timestamp: number;
  readonly cpu_count: number | null;
  readonly cpu_frequency_mhz: number;
  readonly cpu_percent: number;
  readonly memory_total_bytes: number;
  readonly memory_used_bytes: number;
  readonly memory_available_bytes: number;
  readonly network_sent_bytes: number | null;
  readonly network_received_bytes: number | null;
  readonly disk_written_bytes: number | null;
  readonly disk_read_bytes: number | null;
  readonly uptime: number;
}
