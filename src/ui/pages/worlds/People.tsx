import { Anchor, Button, Group, Table, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Search } from 'lucide-react';
import { useState } from 'react';
import type { WorldPerson } from '../../../domain/worlds/reports.js';
import { useAddress } from '../../parts/address.js';
import { ErrorNote } from '../../parts/notes.js';
import { counted, shownCount } from '../../parts/numbers.js';
import { Section } from '../../parts/Section.js';
import { askWorld } from './answers.js';

const PAGE = 20;
const PAUSE_MS = 200;

interface PeopleProps {
  readonly world: string;
  /** User name of the person whose day is shown; empty for nobody. */
  readonly chosen: string;
  readonly onChoose: (user: string) => void;
}

/** The people of a world; a search finds some. */
export const People = ({ world, ...choice }: PeopleProps) => {
  const [search, setSearch] = useAddress<string>('q', '');
  const [settled] = useDebouncedValue(search.trim(), PAUSE_MS);
  return (
    <Section title="People">
      <TextInput
        aria-label="Search people"
        placeholder="Name, department, site, host or address"
        leftSection={<Search size={16} />}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        maw={420}
      />
      <Found key={settled} world={world} search={settled} {...choice} />
    </Section>
  );
};

const Found = ({ world, search, chosen, onChoose }: PeopleProps & { readonly search: string }) => {
  const [offset, setOffset] = useState(0);
  const query = useQuery({
    queryKey: ['worlds', world, 'people', search, offset],
    queryFn: () =>
      askWorld('listWorldPeople', {
        path: { name: world },
        query: { ...(search === '' ? {} : { search }), offset, limit: PAGE },
      }),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
  if (query.isError) return <ErrorNote title="The people cannot be listed" error={query.error} />;
  if (query.data === undefined) return null;
  const { total, items } = query.data;
  if (total === 0) return <Text>Nobody is found.</Text>;
  return (
    <>
      <Table.ScrollContainer minWidth={720}>
        <Table highlightOnHover>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Name</Table.Th>
              <Table.Th>User</Table.Th>
              <Table.Th>Department</Table.Th>
              <Table.Th>Site</Table.Th>
              <Table.Th>Host</Table.Th>
              <Table.Th>Address</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {items.map((person) => (
              <Row
                key={person.number}
                person={person}
                isChosen={person.user === chosen}
                onChoose={onChoose}
              />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <Group gap="sm">
        <Text size="sm" role="status">
          {total <= PAGE
            ? counted(total, 'person', 'people')
            : `${shownCount(offset + 1)} to ${shownCount(offset + items.length)} of ${shownCount(total)}`}
        </Text>
        {total > PAGE && (
          <Group gap="xs">
            <Button
              variant="default"
              size="compact-sm"
              disabled={offset === 0}
              onClick={() => setOffset(offset - PAGE)}
            >
              Previous page
            </Button>
            <Button
              variant="default"
              size="compact-sm"
              disabled={offset + PAGE >= total}
              onClick={() => setOffset(offset + PAGE)}
            >
              Next page
            </Button>
          </Group>
        )}
      </Group>
    </>
  );
};

interface RowProps {
  readonly person: WorldPerson;
  readonly isChosen: boolean;
  readonly onChoose: (user: string) => void;
}

const Row = ({ person, isChosen, onChoose }: RowProps) => (
  <Table.Tr {...(isChosen ? { 'aria-selected': true, className: 'world-chosen' } : {})}>
    <Table.Td>
      <Anchor component="button" type="button" onClick={() => onChoose(person.user)} fw={600} ta="start">
        {person.full_name}
      </Anchor>
      <Text size="sm" c="dimmed">
        {person.title}
      </Text>
    </Table.Td>
    <Table.Td>{person.user}</Table.Td>
    <Table.Td>{person.department}</Table.Td>
    <Table.Td>{person.site}</Table.Td>
    <Table.Td>{person.host}</Table.Td>
    <Table.Td>{person.ip}</Table.Td>
  </Table.Tr>
);
