/**
 * Flags of Node that a thread needs so that user scripts can be loaded in it: they are fresh module graphs
 * of `node:vm`, which Node 20 keeps behind a flag and warns of. Stands here because the host starts such
 * threads and the script plugin checks for the flags, and neither may import the other.
 */
export const SCRIPT_THREAD_FLAGS: readonly string[] = [
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
];
