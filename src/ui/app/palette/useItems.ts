import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call } from '../../api/client.js';
import { useLive } from '../../api/live.js';
import { useHelpEntries } from '../../pages/help/files.js';
import { generatorItems, type Item, pageItem } from './items.js';

export interface Place {
  readonly href: string;
  readonly label: string;
}

/** Everything that the palette offers now; `error`: of a list that is missing. */
export const useItems = (
  places: readonly Place[],
): { readonly items: readonly Item[]; readonly error: unknown } => {
  const live = useLive();
  const generators = useQuery({ queryKey: ['palette', 'generators'], queryFn: () => call('listGenerators') });
  const configs = useQuery({ queryKey: ['palette', 'configs'], queryFn: () => call('listGeneratorConfigs') });
  const scenarios = useQuery({ queryKey: ['palette', 'scenarios'], queryFn: () => call('listScenarios') });
  const incidents = useQuery({ queryKey: ['palette', 'incidents'], queryFn: () => call('listIncidents') });
  const help = useHelpEntries();
  const items = useMemo(
    () => [
      ...places.map(({ href, label }) => pageItem('Page', label, href)),
      pageItem('Page', 'New generator', '/new'),
      ...(generators.data ?? []).flatMap(({ id, status }) =>
        generatorItems(id, live.generators.get(id)?.phase ?? status.phase),
      ),
      ...(scenarios.data ?? []).map((name) => pageItem('Scenario', name, `/s/${encodeURIComponent(name)}`)),
      ...(incidents.data ?? []).map(({ name }) =>
        pageItem('Incident', name, `/incidents/${encodeURIComponent(name)}`),
      ),
      ...(configs.data ?? []).map((config) => {
        const name = typeof config === 'string' ? config : config.name;
        return pageItem('Workbench', `Edit ${name}`, `/g/${encodeURIComponent(name)}`);
      }),
      ...(help.data ?? []).map(({ name, title }) => pageItem('Help', title, `/help/${name}`)),
    ],
    [places, live.generators, generators.data, scenarios.data, incidents.data, configs.data, help.data],
  );
  const lists = [generators, configs, scenarios, incidents, help];
  return { items, error: lists.find(({ error }) => error !== null)?.error ?? null };
};
