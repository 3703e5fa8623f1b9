import { useState } from 'react';

/** The value, or the last one that there was. */
export const useLastGood = <A>(value: A | undefined): A | undefined => {
  const [last, setLast] = useState(value);
  if (value !== undefined && value !== last) setLast(value);
  return value ?? last;
};
