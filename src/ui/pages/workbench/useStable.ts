import { useCallback, useRef } from 'react';

/** The same function for the life of a component, which calls the latest one: what gets it need not render again. */
export const useStable = <P extends readonly unknown[], R>(
  latest: (...given: P) => R,
): ((...given: P) => R) => {
  const held = useRef(latest);
  held.current = latest;
  return useCallback((...given: P) => held.current(...given), []);
};
