import { Chip, Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { Search } from 'lucide-react';
import { useSearchParams } from 'wouter';
import { call } from '../../api/client.js';
import { ErrorNote } from '../../parts/ErrorNote.js';
import { CreateError } from '../new/CreateError.js';
import { copyFromLibrary, type Goal } from '../new/launch.js';
import { freeName } from '../new/names.js';
import { type Creation, useCreate } from '../new/useCreate.js';
import { useTaken } from '../new/useTaken.js';
import { Details } from './Details.js';
import { categoriesOf, type Item, shownItems } from './examples.js';
import { LibraryCard } from './LibraryCard.js';

interface Copying extends Creation {
  readonly library: string;
}

const Nothing = ({ isEmpty }: { readonly isEmpty: boolean }) => (
  <Text>
    {isEmpty
      ? 'The library is empty. Start from a log file or from empty.'
      : 'No example has these words. Try others, or start from a log file or from empty.'}
  </Text>
);

/** Ready-made generators: search, look, start a copy. */
export const Library = () => {
  const [search, setSearch] = useSearchParams();
  const library = useQuery({ queryKey: ['library'], queryFn: () => call('listLibrary') });
  const taken = useTaken();
  const copying = useCreate(
    ({ library: from, name, goal }: Copying) => copyFromLibrary(from, name, goal, {}),
    ({ library: from, name }) => {
      if (name !== from)
        notifications.show({
          message: `"${from}" exists, so the copy is "${name}".`,
        });
    },
  );
  const filter = search.get('q') ?? '';
  const category = search.get('category') ?? '';
  const change = (key: string, value: string, isStep = false): void =>
    setSearch(
      (old) => {
        const next = new URLSearchParams(old);
        if (value === '') next.delete(key);
        else next.set(key, value);
        return next;
      },
      { replace: !isStep },
    );
  const all = library.data ?? [];
  const shown = shownItems(all, { filter, category });
  const open = all.find(({ name }) => name === search.get('example')) ?? null;
  const copy = ({ name }: Item, goal: Goal): void =>
    copying.mutate({ library: name, name: freeName(name, taken), goal });
  return (
    <Stack>
      <Text size="sm">Generators of logs you know. Start runs a copy, which is yours to change.</Text>
      <TextInput
        aria-label="Search the examples"
        placeholder="Search: nginx, login, data theft"
        leftSection={<Search size={16} />}
        value={filter}
        onChange={(event) => change('q', event.currentTarget.value)}
        maw={400}
      />
      <Chip.Group value={category} onChange={(value) => change('category', value)}>
        <Group gap="xs" role="group" aria-label="Category">
          <Chip value="" size="xs">
            All
          </Chip>
          {categoriesOf(all).map((one) => (
            <Chip key={one} value={one} size="xs">
              {one}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
      {library.isError && <ErrorNote title="The library cannot be read" error={library.error} />}
      <CreateError error={copying.error} />
      {library.isSuccess && shown.length === 0 && <Nothing isEmpty={all.length === 0} />}
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
        {shown.map((item) => (
          <LibraryCard
            key={item.name}
            item={item}
            onCopy={(goal) => copy(item, goal)}
            // Back closes the details.
            onDetails={() => change('example', item.name, true)}
            pending={
              copying.isPending && copying.variables.library === item.name ? copying.variables.goal : null
            }
            isBusy={copying.isPending}
          />
        ))}
      </SimpleGrid>
      <Details item={open} onClose={() => change('example', '')} />
    </Stack>
  );
};
