import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { StreamConnection } from './streams/protocol.js';

/** Asks for everything again when a lost connection returns. */
export const useReturn = (connection: StreamConnection): void => {
  const client = useQueryClient();
  const wasLost = useRef(false);
  useEffect(() => {
    if (connection === 'lost') wasLost.current = true;
    if (connection !== 'open' || !wasLost.current) return;
    wasLost.current = false;
    void client.invalidateQueries();
  }, [connection, client]);
};
