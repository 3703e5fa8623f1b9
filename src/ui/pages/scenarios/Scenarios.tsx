import { Anchor, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { call } from '../../api/client.js';
import { Loading } from '../../parts/Loading.js';
import { ErrorNote } from '../../parts/notes.js';
import { shownCount } from '../../parts/numbers.js';
import { NewScenario } from './NewScenario.js';
import { globalsKey } from './useGlobals.js';

const MAX_NAMES = 5;

const membersText = (ids: readonly string[]): string => {
  const named = ids.slice(0, MAX_NAMES).join(', ');
  return ids.length > MAX_NAMES ? `${named} and ${shownCount(ids.length - MAX_NAMES)} more` : named;
};

const counted = (count: number, one: string): string =>
  `${shownCount(count)} ${one}${count === 1 ? '' : 's'}`;

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

export default Scenarios;
