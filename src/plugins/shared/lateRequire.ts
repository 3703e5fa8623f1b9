import { createRequire } from 'node:module';

const requireNow = createRequire(import.meta.url);

/**
 * A CommonJS package that few runs need, loaded when it is first asked for: imported, it would be read and
 * compiled at every start, by each thread.
 */
export const lateRequire = <T>(name: string): (() => T) => {
  let loaded: T | null = null;
  return () => {
    loaded ??= requireNow(name) as T;
    return loaded;
  };
};
