/** Node flags for loading scripts as module graphs of `node:vm`. Used by the host and checked by the script plugin. */
export const SCRIPT_THREAD_FLAGS: readonly string[] = [
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
];
