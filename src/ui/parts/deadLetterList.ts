import { useQuery } from '@tanstack/react-query';
import { call } from '../api/client.js';

/** More bytes are counted less often. */
const MAX_WATCHED_BYTES = 1024 * 1024;
const WATCH_MS = 5_000;
const LONG_WATCH_MS = 30_000;

/** Milliseconds until dead letters are counted again. */
export const watchEveryMs = (summaries: readonly { readonly bytes: number }[]): number =>
  summaries.reduce((sum, { bytes }) => sum + bytes, 0) < MAX_WATCHED_BYTES ? WATCH_MS : LONG_WATCH_MS;

/** The dead letters of a generator that wait to be sent again, by output. */
export const useDeadLetterList = (id: string) =>
  useQuery({
    queryKey: ['letters', id],
    queryFn: () => call('listDeadLetters', { path: { id } }),
    refetchInterval: ({ state }) => watchEveryMs(state.data ?? []),
  });
