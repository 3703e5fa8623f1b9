const KB = 1024;

/** Captured before a script can replace it. */
const { memoryUsage } = process;

/** Measures; the last figure while no file descriptor is free, because the kernel is asked through a file. */
const lasting = <A>(measure: () => A, first: A): (() => A) => {
  let last = first;
  return () => {
    try {
      last = measure();
    } catch {
      // The next look may succeed.
    }
    return last;
  };
};

const usage = lasting((): Pick<NodeJS.MemoryUsage, 'external' | 'arrayBuffers'> => memoryUsage(), {
  external: 0,
  arrayBuffers: 0,
});

/** Kilobytes outside the heap. Shared buffers count only in `arrayBuffers`, WebAssembly only in `external`. */
export const outsideHeapKb = (): number => {
  const { external, arrayBuffers } = usage();
  return Math.ceil(Math.max(external, arrayBuffers) / KB);
};

export const residentBytes = lasting(() => memoryUsage.rss(), 0);
