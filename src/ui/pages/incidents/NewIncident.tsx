import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from 'wouter';
import { checkIncidentName } from '../../../domain/incidents/incident.js';
import { call } from '../../api/client.js';
import { ErrorNote } from '../../parts/ErrorNote.js';
import { FirstMemberForm } from '../../parts/FirstMemberForm.js';
import { Section } from '../../parts/Section.js';
import { exampleIncident, wayBetween } from './example.js';
import { useWrite } from './useIncident.js';

const nameFlaw = (name: string, names: readonly string[]): string | null =>
  names.includes(name) ? 'This incident exists.' : (checkIncidentName(name)?.message ?? null);

interface Paths {
  readonly path: { readonly generators_dir: string; readonly scenarios_dir: string | null };
}

/** Directories of generators, and the way to them from an incident file. */
const usePlaces = () =>
  useQuery({
    queryKey: ['incident-places'],
    queryFn: async () => {
      const [configs, settings] = await Promise.all([call('listGeneratorConfigs'), call('readSettings')]);
      const { path } = settings as unknown as Paths;
      const directories = configs.map((config) => (typeof config === 'string' ? config : config.name));
      // By default both are in one directory.
      const from = path.scenarios_dir ?? `${path.generators_dir}/../scenarios`;
      return { directories, way: wayBetween(from, path.generators_dir) };
    },
  });

/** Creates an incident file from an example and opens it. */
export const NewIncident = ({ names }: { readonly names: readonly string[] }) => {
  const [, go] = useLocation();
  const places = usePlaces();
  const writing = useWrite();
  const { directories = [], way = '' } = places.data ?? {};
  const create = (name: string, member: string): void => {
    const text = exampleIncident(name, { directory: member, path: `${way}/${member}` });
    writing.mutate({ name, text }, { onSuccess: () => go(`/incidents/${encodeURIComponent(name)}`) });
  };
  return (
    <Section title="New incident">
      {places.isSuccess && directories.length === 0 ? (
        <Text>
          An incident needs a{' '}
          <Anchor component={Link} href="/new" underline="always">
            generator
          </Anchor>
          .
        </Text>
      ) : (
        <FirstMemberForm
          members={directories}
          flawOf={(name) => nameFlaw(name, names)}
          isBusy={writing.isPending}
          onCreate={create}
        />
      )}
      {places.isError && <ErrorNote title="The generators cannot be listed" error={places.error} />}
      {writing.isError && <ErrorNote title="The incident was not created" error={writing.error} />}
    </Section>
  );
};
