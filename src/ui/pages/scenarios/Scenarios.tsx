import { Anchor, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useLocation } from 'wouter';
import { checkScenarioName } from '../../../domain/identifiers.js';
import { call } from '../../api/client.js';
import { Loading } from '../../parts/Loading.js';
import { ErrorNote } from '../../parts/notes.js';
import { shownCount } from '../../parts/numbers.js';
import { FirstMemberForm } from './FirstMemberForm.js';
import { globalsKey } from './useGlobals.js';

const Scenarios = () => {
  const list = useQuery({ queryKey: ['scenarios'], queryFn: () => call('listScenarios') });
  return (
    <Stack gap="lg">
      <Stack gap={4}>
        <Title order={1} size="h2">
          Scenarios
        </Title>
        <Text>Generators of a scenario share globals. Change them while events flow.</Text>
      </Stack>
      {list.isError && <ErrorNote title="The scenarios cannot be listed" error={list.error} />}
      {list.isPending && <Loading />}
      {list.data?.length === 0 && <Text>There is no scenario yet.</Text>}
      <SimpleGrid component="ul" cols={{ base: 1, sm: 2, lg: 3 }} m={0} p={0} style={{ listStyle: 'none' }}>
        {(list.data ?? []).map((name) => (
          <ScenarioCard key={name} name={name} />
        ))}
      </SimpleGrid>
      <NewScenario names={list.data ?? []} />
    </Stack>
  );
};

const ScenarioCard = ({ name }: { readonly name: string }) => {
  const scenario = useQuery({
    queryKey: ['scenario', name],
    queryFn: () => call('readScenario', { path: { name } }),
  });
  const globals = useQuery({
    queryKey: [...globalsKey(name), 'count'],
    queryFn: async () => Object.keys(await call('readGlobals', { path: { name } })).length,
  });
  const ids = scenario.data?.generator_ids;
  return (
    <Paper withBorder p="md" component="li">
      <Anchor component={Link} href={`/s/${encodeURIComponent(name)}`} fw={600} className="wrapped">
        {name}
      </Anchor>
      {ids !== undefined && (
        <Text size="sm" mt={4} className="wrapped">
          {counted(ids.length, 'member')}: {membersText(ids)}
        </Text>
      )}
      {globals.data !== undefined && <Text size="sm">{counted(globals.data, 'global')}</Text>}
      {scenario.isError && <ErrorNote title="The members cannot be read" error={scenario.error} />}
      {globals.isError && <ErrorNote title="The globals cannot be read" error={globals.error} />}
    </Paper>
  );
};

const MAX_NAMES = 5;

const membersText = (ids: readonly string[]): string => {
  const named = ids.slice(0, MAX_NAMES).join(', ');
  return ids.length > MAX_NAMES ? `${named} and ${shownCount(ids.length - MAX_NAMES)} more` : named;
};

const counted = (count: number, one: string): string =>
  `${shownCount(count)} ${one}${count === 1 ? '' : 's'}`;

/** A scenario begins with its first member. */
const NewScenario = ({ names }: { readonly names: readonly string[] }) => {
  const client = useQueryClient();
  const [, go] = useLocation();
  const entries = useQuery({ queryKey: ['startup'], queryFn: () => call('listStartupEntries') });
  const creating = useMutation({
    mutationFn: (path: { readonly name: string; readonly generator_id: string }) =>
      call('joinScenario', { path }),
    onSuccess: (_, { name }) => {
      void client.invalidateQueries();
      go(`/s/${encodeURIComponent(name)}`);
    },
  });
  const ids = (entries.data ?? []).map(({ id }) => id);
  return (
    <Stack component="section" gap="sm">
      <Title order={2} size="h4">
        New scenario
      </Title>
      {entries.isSuccess && ids.length === 0 ? (
        <Text>
          A scenario needs a generator of the{' '}
          <Anchor component={Link} href="/startup">
            startup list
          </Anchor>
          .
        </Text>
      ) : (
        <FirstMemberForm
          members={ids}
          flawOf={(name) => nameFlaw(name, names)}
          isBusy={creating.isPending}
          onCreate={(name, generator_id) => creating.mutate({ name, generator_id })}
        />
      )}
      {entries.isError && <ErrorNote title="The startup list cannot be read" error={entries.error} />}
      {creating.isError && <ErrorNote title="The scenario was not created" error={creating.error} />}
    </Stack>
  );
};

const nameFlaw = (name: string, names: readonly string[]): string | null =>
  names.includes(name)
    ? 'This scenario exists. Open it to add members.'
    : (checkScenarioName(name)?.message ?? null);

export default Scenarios;
