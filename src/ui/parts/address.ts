import { useCallback } from 'react';
import { useSearchParams } from 'wouter';

/** A value of the query of the address, so that a link shares it. It is left out while it is `fallback`. */
export const useAddress = <A extends string>(name: string, fallback: A): readonly [A, (value: A) => void] => {
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
        { replace: true },
      ),
    [setParams, name, fallback],
  );
  return [(params.get(name) ?? fallback) as A, set];
};
