import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { JsonObject } from '../../../domain/json.js';
import type { CheckedConfig } from './configCheck.js';

/** Typing pauses this long before anything is checked. */
export const PAUSE_MS = 300;

/** The checked text of the config, a moment after it was typed; the former check stays until then. */
export const useChecked = (text: string | null, params: JsonObject): CheckedConfig | null => {
  const [settled] = useDebouncedValue(text, PAUSE_MS, { leading: true });
  const checked = useQuery({
    queryKey: ['checked', settled, params],
    queryFn: async () => {
      const { checkConfig } = await import('./configCheck.js');
      return checkConfig(settled ?? '', params);
    },
    enabled: settled !== null,
    placeholderData: (former) => former,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  return checked.data ?? null;
};
