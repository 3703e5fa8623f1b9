import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { LogTimes } from '../../../domain/preview.js';
import { call } from '../../api/client.js';

const DELAY_MS = 300;
const KEPT_MS = 60_000;

/** What a user wrote. */
export interface WrittenTimes {
  readonly pattern: string;
  readonly format: string;
}

const read = async (body: Readonly<Record<string, string>>): Promise<LogTimes> =>
  // The answer is text that the preview has written.
  (await call('guessLogTimestamps', { body })) as unknown as LogTimes;

/** Guesses for a sample. */
export const useGuess = (sample: string) =>
  useQuery({
    queryKey: ['log-times', sample],
    queryFn: () => read({ text: sample }),
    staleTime: KEPT_MS,
    gcTime: KEPT_MS,
    retry: false,
  });

/** Tells what a typed pattern and format do with a sample. `written` is null when there is nothing to check. */
export const useCheck = (sample: string, written: WrittenTimes | null) => {
  const [settled] = useDebouncedValue(written, DELAY_MS);
  return useQuery({
    queryKey: ['log-times', sample, settled],
    queryFn: () =>
      read({
        text: sample,
        timestamp_pattern: settled?.pattern ?? '',
        ...(settled?.format ? { timestamp_format: settled.format } : {}),
      }),
    enabled: settled !== null && settled.pattern !== '',
    placeholderData: keepPreviousData,
    staleTime: KEPT_MS,
    gcTime: KEPT_MS,
    retry: false,
  });
};
