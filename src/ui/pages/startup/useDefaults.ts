import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call } from '../../api/client.js';
import { defaultsOf } from './entry.js';

/** Defaults of entries, from the settings in use. */
export const useDefaults = () => {
  const settings = useQuery({ queryKey: ['settings', 'in use'], queryFn: () => call('readSettings') });
  const { data, error } = settings;
  return { defaults: useMemo(() => (data === undefined ? null : defaultsOf(data)), [data]), error };
};
