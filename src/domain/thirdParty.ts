/** A file with third-party plugins, as plain data that can cross threads. */
export interface PluginSource {
  /** As the settings or the command line name it. */
  readonly shown: string;
  /** URL to import; it changes with the file. */
  readonly href: string;
  /** Kinds, names and aliases of its plugins. */
  readonly plugins: readonly {
    readonly kind: 'input' | 'event' | 'output' | 'formatter';
    readonly names: readonly string[];
  }[];
}

/** Node flags for loading scripts as module graphs of `node:vm`. Used by the host and checked by the script plugin. */
export const SCRIPT_THREAD_FLAGS: readonly string[] = [
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
];
