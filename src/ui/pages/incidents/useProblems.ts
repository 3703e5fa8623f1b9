import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { LineProblem } from '../workbench/configCheck.js';
import { PAUSE_MS } from '../workbench/useChecked.js';

const NONE: readonly LineProblem[] = [];

/** The problems of a text, a moment after it was typed; the former ones stay until then. */
export const useProblems = (text: string): readonly LineProblem[] => {
  const [settled] = useDebouncedValue(text, PAUSE_MS, { leading: true });
  const checked = useQuery({
    queryKey: ['incident-check', settled],
    queryFn: async () => {
      const { fileProblems } = await import('./fileCheck.js');
      return fileProblems(settled);
    },
    placeholderData: (former) => former,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  return checked.data ?? NONE;
};
