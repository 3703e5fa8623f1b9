import { useQuery } from '@tanstack/react-query';
import { isJsonObject } from '../../../domain/json.js';
import { call } from '../../api/client.js';

const UTC = 'UTC';

const zoneOfSettings = async (): Promise<string> => {
  const settings: unknown = await call('readSettings');
  const generation = isJsonObject(settings) ? settings['generation'] : null;
  const zone = isJsonObject(generation) ? generation['timezone'] : null;
  return typeof zone === 'string' ? zone : UTC;
};

/** Returns the time zone of the first generator of a directory, else of the settings. Null when not known yet. */
export const useZone = (ids: readonly string[] | null): string | null => {
  const [id] = ids ?? [];
  const zone = useQuery({
    queryKey: ['zone', id ?? null],
    queryFn: async () =>
      id === undefined ? zoneOfSettings() : (await call('readGenerator', { path: { id } })).timezone,
    enabled: ids !== null,
    staleTime: 60_000,
  });
  return zone.isError ? UTC : (zone.data ?? null);
};
