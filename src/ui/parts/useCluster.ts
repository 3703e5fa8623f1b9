import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call } from '../api/client.js';
import type { AnswerOf } from '../api/routes.js';

export type ClusterState = Extract<AnswerOf<'readCluster'>, { readonly enabled: true }>;

/** The cluster; asked again every `every_ms`, but only once if the service runs alone. */
export const useCluster = (every_ms: number | null = null) =>
  useQuery({
    queryKey: ['cluster'],
    queryFn: () => call('readCluster'),
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) => (state.data?.enabled === true && every_ms !== null ? every_ms : false),
  });

const PLACES_EVERY_MS = 5_000;
const NOWHERE: ReadonlyMap<string, string> = new Map();

/** Node of each generator and partition that a node holds; empty if the service runs alone. */
export const useNodes = (): ReadonlyMap<string, string> => {
  const { data } = useCluster(PLACES_EVERY_MS);
  return useMemo(() => {
    if (data?.enabled !== true) return NOWHERE;
    return new Map(
      data.tasks.flatMap(({ node, generator_ids }) =>
        node === null ? [] : generator_ids.map((id) => [id, node] as const),
      ),
    );
  }, [data]);
};
