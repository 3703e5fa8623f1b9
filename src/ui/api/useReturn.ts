import { useEffect, useRef } from 'react';
import type { StreamConnection } from './streams/protocol.js';

/** Calls `onReturn` each time a lost connection returns. */
export const useReturn = (connection: StreamConnection, onReturn: () => void): void => {
  const wasLost = useRef(false);
  const latest = useRef(onReturn);
  latest.current = onReturn;
  useEffect(() => {
    if (connection === 'lost') wasLost.current = true;
    if (connection !== 'open' || !wasLost.current) return;
    wasLost.current = false;
    latest.current();
  }, [connection]);
};
