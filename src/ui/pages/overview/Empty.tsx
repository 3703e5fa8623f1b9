import { Button, Card, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Play, Plus } from 'lucide-react';
import { Link, useLocation } from 'wouter';
import { call } from '../../api/client.js';
import { ErrorNote } from '../../parts/notes.js';
import { type Example, firstExamples, startExample } from './examples.js';

/** The first look of a new user: three examples to start. */
export const Empty = () => {
  const client = useQueryClient();
  const [, go] = useLocation();
  const library = useQuery({ queryKey: ['library'], queryFn: () => call('listLibrary') });
  const starting = useMutation({
    mutationFn: (item: Example) => startExample(item.name),
    onSuccess: (id) => {
      void client.invalidateQueries();
      go(`/r/${encodeURIComponent(id)}`);
    },
    onError: () => void client.invalidateQueries(),
  });
  return (
    <Stack align="flex-start">
      <Title order={1} size="h2">
        No generators yet
      </Title>
      <Text maw={640}>
        A generator makes events and delivers them to files, brokers, databases or SIEMs. Start one of these
        examples and watch its events, or make your own.
      </Text>
      {starting.isError && <ErrorNote title="The example did not start" error={starting.error} />}
      {library.isError && <ErrorNote title="The examples cannot be listed" error={library.error} />}
      <SimpleGrid cols={{ base: 1, sm: 3 }} w="100%">
        {firstExamples(library.data ?? []).map((item) => (
          <Card withBorder component="article" key={item.name} aria-label={item.name}>
            <Stack gap="xs" h="100%" justify="space-between">
              <div>
                <Text fw={600}>{item.name}</Text>
                <Text size="sm">{item.summary}</Text>
              </div>
              <Group>
                <Button
                  leftSection={<Play size={16} />}
                  onClick={() => starting.mutate(item)}
                  loading={starting.isPending && starting.variables.name === item.name}
                  disabled={starting.isPending}
                  aria-label={`Start ${item.name}`}
                >
                  Start
                </Button>
              </Group>
            </Stack>
          </Card>
        ))}
      </SimpleGrid>
      <Button component={Link} href="/new" variant="default" leftSection={<Plus size={16} />}>
        New generator
      </Button>
    </Stack>
  );
};
