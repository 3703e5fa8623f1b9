import { useQuery } from '@tanstack/react-query';
import { call } from '../../api/client.js';
import type { TakenNames } from './names.js';

const NONE: TakenNames = { directories: new Set(), ids: new Set() };

/** Names of directories and generators; none while they are read. */
export const useTaken = (): TakenNames => {
  const taken = useQuery({
    queryKey: ['taken-names'],
    queryFn: async (): Promise<TakenNames> => {
      const [directories, generators] = await Promise.all([
        call('listGeneratorConfigs'),
        call('listGenerators'),
      ]);
      return {
        directories: new Set(directories.map(({ name }) => name)),
        ids: new Set(generators.map(({ id }) => id)),
      };
    },
  });
  return taken.data ?? NONE;
};
