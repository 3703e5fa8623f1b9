import { useCallback } from 'react';
import { useSearchParams } from 'wouter';

/**
 * A value of the query of the address, so that a link shares it. It is left out while it is `fallback`. With `isStep`,
 * Back returns to the former value.
 */
export const useAddress = <A extends string>(
  name: string,
  fallback: A,
  isStep = false,
): readonly [A, (value: A) => void] => {
  const [params, setParams] = useSearchParams();
  const set = useCallback(
    (value: A): void =>
      setParams(
        (former) => {
          const next = new URLSearchParams(former);
          if (value === fallback) next.delete(name);
          else next.set(name, value);
          return next;
        },
        { replace: !isStep },
      ),
    [setParams, name, fallback, isStep],
  );
  return [(params.get(name) ?? fallback) as A, set];
};
