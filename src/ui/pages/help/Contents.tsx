import { Anchor, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { Link } from 'wouter';
import type { HelpEntry } from './files.js';

/** Pages of a group, in the order of the list. */
const grouped = (entries: readonly HelpEntry[]): ReadonlyMap<string, readonly HelpEntry[]> => {
  const groups = new Map<string, readonly HelpEntry[]>();
  for (const entry of entries) groups.set(entry.group, [...(groups.get(entry.group) ?? []), entry]);
  return groups;
};

export const Contents = ({ entries }: { readonly entries: readonly HelpEntry[] }) => (
  <Stack gap="xl">
    {[...grouped(entries)].map(([group, pages]) => (
      <section key={group} aria-label={group}>
        <Title order={2} size="h4" mb="sm">
          {group}
        </Title>
        <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="lg" verticalSpacing="sm">
          {pages.map(({ name, title, summary }) => (
            <div key={name}>
              <Anchor component={Link} href={`/help/${name}`} fw={500}>
                {title}
              </Anchor>
              <Text size="sm" c="dimmed" lineClamp={2}>
                {summary}
              </Text>
            </div>
          ))}
        </SimpleGrid>
      </section>
    ))}
  </Stack>
);
