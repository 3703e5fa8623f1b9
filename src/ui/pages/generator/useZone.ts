import { useQuery } from '@tanstack/react-query';
import { call } from '../../api/client.js';

/** Time zone of a generator; UTC while it is not known. */
export const useZone = (id: string): string =>
  useQuery({ queryKey: ['params', id], queryFn: () => call('readGenerator', { path: { id } }) }).data
    ?.timezone ?? 'UTC';
