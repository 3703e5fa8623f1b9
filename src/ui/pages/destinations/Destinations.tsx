import { Anchor, Button, Code, Group, Paper, Stack, Table, Text, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { checkDestinationName } from '../../../domain/identifiers.js';
import { call } from '../../api/client.js';
import type { AnswerOf } from '../../api/routes.js';
import { Needs } from '../../app/role.js';
import { Loading } from '../../parts/Loading.js';
import { ErrorNote } from '../../parts/notes.js';
import { GeneratorNames } from './GeneratorNames.js';

export const destinationHref = (name: string): string => `/destinations/${encodeURIComponent(name)}`;

/** Outputs with a name: one place for the address and the login of a SIEM that many generators send to. */
const Destinations = () => {
  const list = useQuery({ queryKey: ['destinations'], queryFn: () => call('listDestinations') });
  return (
    <Stack gap="lg">
      <Stack gap={4}>
        <Title order={1} size="h2">
          Destinations
        </Title>
        <Text>
          Where generators send events: address, login and format in one place. A config names one with{' '}
          <Code>use: NAME</Code> among its outputs.
        </Text>
      </Stack>
      {list.isError && <ErrorNote title="The destinations cannot be listed" error={list.error} />}
      {list.isPending && <Loading />}
      {list.data !== undefined && list.data.length > 0 && <Rows destinations={list.data} />}
      <NewDestination names={(list.data ?? []).map(({ name }) => name)} />
    </Stack>
  );
};

const Rows = ({ destinations }: { readonly destinations: AnswerOf<'listDestinations'> }) => (
  <Table.ScrollContainer minWidth={480}>
    <Table verticalSpacing="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Name</Table.Th>
          <Table.Th>Output</Table.Th>
          <Table.Th>Used by</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {destinations.map(({ name, plugin, error, used_by }) => (
          <Table.Tr key={name}>
            <Table.Td>
              <Anchor component={Link} href={destinationHref(name)} fw={600} className="wrapped">
                {name}
              </Anchor>
            </Table.Td>
            <Table.Td>
              {plugin ?? (
                <Text size="sm" c="red" className="wrapped">
                  {error}
                </Text>
              )}
            </Table.Td>
            <Table.Td>{used_by.length === 0 ? 'no generator' : <GeneratorNames ids={used_by} />}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </Table.ScrollContainer>
);

/** A name opens the page of the new destination, where it is written, checked and stored. */
const NewDestination = ({ names }: { readonly names: readonly string[] }) => {
  const [, go] = useLocation();
  const [name, setName] = useState('');
  const [hasTried, setTried] = useState(false);
  const flaw = names.includes(name)
    ? 'There is a destination of this name.'
    : (checkDestinationName(name)?.message ?? null);
  const open = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (flaw === null) go(destinationHref(name));
  };
  return (
    <Paper withBorder p="md" component="form" onSubmit={open} aria-label="New destination">
      <Group align="flex-start" gap="sm">
        <TextInput
          label="Name of a new destination"
          placeholder="siem"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={hasTried || name !== '' ? flaw : null}
          autoComplete="off"
          spellCheck={false}
          w={{ base: '100%', sm: 280 }}
        />
        <Needs to="writeDestination">
          <Button type="submit" mt={{ base: 0, sm: 25 }}>
            Continue
          </Button>
        </Needs>
      </Group>
    </Paper>
  );
};

export default Destinations;
