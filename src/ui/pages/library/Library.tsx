import { Badge, Button, Card, Chip, Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { Play, Search, SquarePen } from 'lucide-react';
import { useSearchParams } from 'wouter';
import { call } from '../../api/client.js';
import { Needs } from '../../app/role.js';
import { ErrorNote } from '../../parts/notes.js';
import { CreateError, type Creation, copyFromLibrary, type Goal, useCreate } from '../new/creating.js';
import { useTaken } from '../new/fields.js';
import { freeGeneratorName } from '../new/names.js';
import { Details } from './Details.js';
import { categoriesOf, exampleBytes, type ShownExample, shownItems } from './examples.js';

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
export const LibraryPage = () => {
  const [search, setSearch] = useSearchParams();
  const library = useQuery({ queryKey: ['library'], queryFn: () => call('listLibrary') });
  const taken = useTaken();
  const copying = useCreate(
    ({ library: from, name, goal }: Copying) =>
      copyFromLibrary(from, name, goal, { params: {}, destination: null, change: null }),
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
  const copy = ({ name }: ShownExample, goal: Goal): void =>
    copying.mutate({ library: name, name: freeGeneratorName(name, taken), goal });
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

interface LibraryCardProps {
  readonly item: ShownExample;
  readonly onCopy: (goal: Goal) => void;
  readonly onDetails: () => void;
  /** What is being done with it. */
  readonly pending: Goal | null;
  readonly isBusy: boolean;
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

const LibraryCard = ({ item, onCopy, onDetails, pending, isBusy }: LibraryCardProps) => (
  <Card withBorder component="article" aria-label={item.name}>
    <Stack gap="xs" h="100%" justify="space-between">
      <div>
        <Group justify="space-between" wrap="nowrap" mb={4}>
          <Text fw={600} truncate>
            {item.name}
          </Text>
          <Badge variant="light" color="gray">
            {item.category}
          </Badge>
        </Group>
        <Text size="sm">{item.summary}</Text>
        <Text size="xs" mt={4}>
          About {exampleBytes(item.event_bytes)} per event
          {item.anomalies.length > 0 && `, ${counted(item.anomalies.length, 'kind')} of attacks`}
        </Text>
      </div>
      <Group gap="xs">
        <Needs to="copyLibraryGenerator">
          <Button
            size="compact-sm"
            leftSection={<Play size={14} />}
            onClick={() => onCopy('start')}
            loading={pending === 'start'}
            disabled={isBusy && pending !== 'start'}
            aria-label={`Start ${item.name}`}
          >
            Start
          </Button>
        </Needs>
        <Needs to="copyLibraryGenerator">
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<SquarePen size={14} />}
            onClick={() => onCopy('open')}
            loading={pending === 'open'}
            disabled={isBusy && pending !== 'open'}
            aria-label={`Open a copy of ${item.name} in the workbench`}
          >
            Workbench
          </Button>
        </Needs>
        <Button
          size="compact-sm"
          variant="default"
          onClick={onDetails}
          aria-label={`Details of ${item.name}`}
        >
          Details
        </Button>
      </Group>
    </Stack>
  </Card>
);
