/** Bytes per kilobyte. */
const KB = 1024;

/** Taken before a script can replace it. */
const { memoryUsage } = process;

/**
 * Kilobytes that this thread uses outside of its JavaScript heap: buffers, memory of WebAssembly, strings of the system.
 * Node counts shared buffers only in the second number and WebAssembly only in the first.
 */
export const outsideHeapKb = (): number => {
  const { external, arrayBuffers } = memoryUsage();
  return Math.ceil(Math.max(external, arrayBuffers) / KB);
};

/** Memory of the whole process that is in use, bytes. */
export const residentBytes = (): number => memoryUsage.rss();
