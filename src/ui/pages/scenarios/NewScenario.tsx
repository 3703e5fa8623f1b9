import { Anchor, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useLocation } from 'wouter';
import { checkScenarioName } from '../../../domain/identifiers.js';
import { call } from '../../api/client.js';
import { FirstMemberForm } from '../../parts/FirstMemberForm.js';
import { ErrorNote } from '../../parts/notes.js';

const nameFlaw = (name: string, names: readonly string[]): string | null =>
  names.includes(name)
    ? 'This scenario exists. Open it to add members.'
    : (checkScenarioName(name)?.message ?? null);

/** A scenario begins with its first member. */
export const NewScenario = ({ names }: { readonly names: readonly string[] }) => {
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
