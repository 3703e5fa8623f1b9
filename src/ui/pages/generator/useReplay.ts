import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { call } from '../../api/client.js';
import { NOTHING_SENT, replayAll, type Sent } from './letters.js';

/** Sends dead letters again, one output after the other, until they are sent or someone stops it. */
export const useReplay = (id: string) => {
  const client = useQueryClient();
  const [progress, setProgress] = useState<Sent>(NOTHING_SENT);
  const isStopped = useRef(false);
  const replay = useMutation({
    mutationFn: (outputs: readonly string[]) => {
      isStopped.current = false;
      setProgress(NOTHING_SENT);
      return replayAll({
        outputs,
        send: (output) => call('replayDeadLetters', { path: { id }, query: { output } }),
        onProgress: (so) => {
          setProgress(so);
          void client.invalidateQueries({ queryKey: ['letters', id] });
        },
        isStopped: () => isStopped.current,
      });
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['letters', id] }),
  });
  return {
    replay,
    progress,
    stop: () => {
      isStopped.current = true;
    },
  };
};
