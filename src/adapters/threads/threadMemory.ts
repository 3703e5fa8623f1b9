const KB = 1024;

/** Captured before a script can replace it. */
const { memoryUsage } = process;

/** Kilobytes outside the heap. Shared buffers count only in `arrayBuffers`, WebAssembly only in `external`. */
export const outsideHeapKb = (): number => {
  const { external, arrayBuffers } = memoryUsage();
  return Math.ceil(Math.max(external, arrayBuffers) / KB);
};

export const residentBytes = (): number => memoryUsage.rss();
