import { createRequire } from 'node:module';

const requireNow = createRequire(import.meta.url);

/** Loads a CommonJS package on first use: an import would load it at every start of every thread. */
export const lateRequire = <T>(name: string): (() => T) => {
  let loaded: T | null = null;
  return () => {
    loaded ??= requireNow(name) as T;
    return loaded;
  };
};
