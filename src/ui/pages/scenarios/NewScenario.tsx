import { Anchor, Button, Group, Select, Stack, Text, TextInput, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { checkScenarioName } from '../../../domain/identifiers.js';
import { call } from '../../api/client.js';
import { ErrorNote } from '../../parts/ErrorNote.js';

const nameFlaw = (name: string, names: readonly string[]): string | null =>
  names.includes(name)
    ? 'This scenario exists. Open it to add members.'
    : (checkScenarioName(name)?.message ?? null);

/** A scenario begins with its first member. */
export const NewScenario = ({ names }: { readonly names: readonly string[] }) => {
  const client = useQueryClient();
  const [, go] = useLocation();
  const entries = useQuery({ queryKey: ['startup'], queryFn: () => call('listStartupEntries') });
  const [name, setName] = useState('');
  const [member, setMember] = useState<string | null>(null);
  const [hasTried, setTried] = useState(false);
  const creating = useMutation({
    mutationFn: (generator_id: string) => call('joinScenario', { path: { name, generator_id } }),
    onSuccess: () => {
      void client.invalidateQueries();
      go(`/s/${encodeURIComponent(name)}`);
    },
  });
  const create = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (member !== null && nameFlaw(name, names) === null) creating.mutate(member);
  };
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
        <form onSubmit={create}>
          <Group align="flex-start" gap="sm">
            <TextInput
              label="Name"
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
              error={hasTried ? nameFlaw(name, names) : null}
              w={{ base: '100%', sm: 240 }}
            />
            <Select
              label="First member"
              data={ids}
              value={member}
              onChange={setMember}
              searchable
              error={hasTried && member === null ? 'Choose a generator.' : null}
              w={{ base: '100%', sm: 240 }}
            />
            <Button type="submit" variant="default" mt={{ base: 0, sm: 25 }} loading={creating.isPending}>
              Create
            </Button>
          </Group>
        </form>
      )}
      {entries.isError && <ErrorNote title="The startup list cannot be read" error={entries.error} />}
      {creating.isError && <ErrorNote title="The scenario was not created" error={creating.error} />}
    </Stack>
  );
};
