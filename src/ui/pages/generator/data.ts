import { useMantineTheme } from '@mantine/core';
import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import type { GeneratorPhase } from '../../../domain/generator.js';
import type { JsonObject } from '../../../domain/json.js';
import { call, callFile } from '../../api/client.js';
import { ApiError } from '../../api/errors.js';
import { useLive } from '../../api/live.js';
import type { LiveGenerator } from '../../api/streams/liveStates.js';
import { fileMarks, patchMarks, phaseMarks, type WatchedIncident } from '../../parts/charts/marks.js';
import { type ConfigLocation, locationOf } from '../../parts/locatedText.js';
import type { TimeMark } from '../../parts/times.js';
import { historyOfGlobals } from '../scenarios/useGlobals.js';
import { appended, ended, type RecentHistory } from './recent.js';
import { turnMarks } from './turns.js';

const isMissing = (error: unknown): boolean => error instanceof ApiError && error.code === 'not_ready';

const AT_REST: ReadonlySet<GeneratorPhase> = new Set(['idle', 'stopped', 'finished', 'failed']);

/** Counters of the last minute, looked at once a second while the generator is active; empty before its first start. */
export const useHistory = (
  id: string,
  live: LiveGenerator | undefined,
  hasStarted: boolean,
): RecentHistory => {
  const client = useQueryClient();
  const isActive = live !== undefined && !AT_REST.has(live.phase);
  const key = ['stats', id];
  const query = useQuery({
    queryKey: key,
    enabled: hasStarted,
    queryFn: async (): Promise<RecentHistory> => {
      try {
        const stats = await call('readGeneratorStats', { path: { id } });
        return appended(client.getQueryData<RecentHistory>(key) ?? [], { at_ms: performance.now(), stats });
      } catch (error) {
        if (isMissing(error)) return [];
        throw error;
      }
    },
    refetchInterval: isActive ? 1_000 : 10_000,
    structuralSharing: false,
  });
  // The last counters of a run come after its end.
  useEffect(() => {
    if (!isActive && hasStarted) void client.invalidateQueries({ queryKey: ['stats', id] });
  }, [client, id, isActive, hasStarted]);
  const history = query.data ?? [];
  return isActive ? history : ended(history);
};

/** The generator as the service lists it. */
export const useListed = (id: string) => {
  const { generators } = useLive();
  const list = useQuery({
    // A change of its state may change the rest too.
    queryKey: ['generators', generators.size, generators.get(id)?.phase],
    queryFn: () => call('listGenerators'),
    placeholderData: (former) => former,
  });
  return { list, item: list.data?.find((one) => one.id === id) };
};

/** The text of the config file, as it is on disk. */
export const useConfigText = (location: ConfigLocation | null) =>
  useQuery({
    queryKey: ['file', location?.name, location?.file],
    enabled: location !== null,
    queryFn: async () => {
      const { name, file } = location as ConfigLocation;
      const { value } = await callFile('readGeneratorFile', { path: { name, filepath: file } });
      return value.text();
    },
  });

/** Name of config files, unless the settings change it. */
const CONFIG_FILE = 'generator.yml';

/** The stored config with defaults; without data for a generator that has its config elsewhere. */
export const useConfig = (location: ConfigLocation | null) =>
  useQuery({
    queryKey: ['config', location?.name],
    enabled: location?.file === CONFIG_FILE,
    queryFn: () => call('readGeneratorConfig', { path: { name: location?.name ?? '' } }),
    retry: false,
  });

export const patchedKey = (id: string): readonly string[] => ['patched', id];

/** Sections that this browser has exchanged in the run that began at `start`; the file may not have them. */
export const usePatched = (id: string, start: string | null): JsonObject => {
  const client = useQueryClient();
  const patched = useQuery<JsonObject>({
    queryKey: patchedKey(id),
    queryFn: () => ({}),
    enabled: false,
    initialData: {},
  });
  useEffect(() => {
    if (start === null) return;
    return () => {
      client.setQueryData(patchedKey(id), {});
    };
  }, [client, id, start]);
  return patched.data;
};

/** Time zone of a generator; UTC while it is not known. */
export const useGeneratorZone = (id: string): string =>
  useQuery({ queryKey: ['params', id], queryFn: () => call('readGenerator', { path: { id } }) }).data
    ?.timezone ?? 'UTC';

/** Starts, ends and failures of a generator, newest first; each change of its state may be a new one. */
export const useTurns = (id: string) => {
  const live = useLive().generators.get(id);
  const client = useQueryClient();
  const state = `${live?.phase} ${live?.reason}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    void client.invalidateQueries({ queryKey: ['turns', id] });
  }, [client, id, state]);
  return useQuery({
    queryKey: ['turns', id],
    queryFn: () => call('readGeneratorHistory', { path: { id } }),
  });
};

const LOOK_MS = 5_000;

/** The incidents under way in which a generator plays a part. */
export const useIncidentsOf = (id: string): readonly WatchedIncident[] => {
  const { data = [] } = useQuery({
    queryKey: ['roles', id],
    queryFn: async (): Promise<readonly WatchedIncident[]> => {
      const underWay = (await call('listIncidents')).filter(({ state }) => state !== 'idle');
      const incidents = await Promise.all(
        underWay.map(({ name }) =>
          call('readIncident', { path: { name } }).then(
            (details) => ({ at_ms: Date.now(), details }),
            // One that is deleted meanwhile has no part for anyone.
            () => null,
          ),
        ),
      );
      return incidents.filter(
        (one) => one?.details.members.some(({ generator_id }) => generator_id === id) === true,
      ) as readonly WatchedIncident[];
    },
    refetchInterval: LOOK_MS,
  });
  return data;
};

/** What happened to a generator, for the charts of its page: runs, changes of globals and files, phases of incidents. */
export const useMarks = (id: string, path: string, scenarios: readonly string[]): readonly TimeMark[] => {
  const { colors } = useMantineTheme();
  const turns = useTurns(id).data;
  const incidents = useIncidentsOf(id);
  const patches = useQueries({
    queries: scenarios.map(historyOfGlobals),
    combine: (all) => all.map(({ data }) => data ?? []),
  });
  const directory = locationOf(path)?.name ?? null;
  const versions = useQuery({
    queryKey: ['file-versions', directory, null],
    queryFn: () => call('listFileVersions', { path: { name: directory ?? '' }, query: {} }),
    enabled: directory !== null,
    refetchInterval: LOOK_MS,
    retry: false,
  }).data;
  return useMemo(() => {
    const colorOf = (name: string): string => colors[name]?.[5] ?? name;
    return [
      ...turnMarks(turns ?? [], colorOf),
      ...patches.flatMap((those) => patchMarks(those, colorOf('violet'))),
      ...fileMarks(versions ?? [], colorOf('blue')),
      ...incidents.flatMap((one) => phaseMarks(one, colorOf('pink'))),
    ];
  }, [turns, incidents, patches, versions, colors]);
};
