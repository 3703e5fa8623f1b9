import { Badge, Group, Radio, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { Search } from 'lucide-react';
import { useState } from 'react';
import { ExampleEvent } from '../library/Details.js';
import { type ShownExample, shownItems } from '../library/examples.js';

interface ExamplePickerProps {
  readonly items: readonly ShownExample[];
  /** Name of the chosen example. Null for none yet. */
  readonly chosen: string | null;
  readonly onChoose: (name: string) => void;
}

/** The examples as cards, one of which can be chosen; it shows an event then. */
export const ExamplePicker = ({ items, chosen, onChoose }: ExamplePickerProps) => {
  const [filter, setFilter] = useState('');
  const shown = shownItems(items, { filter, category: '' });
  return (
    <Stack gap="sm">
      <TextInput
        aria-label="Search the examples"
        placeholder="Search: firewall, login, Windows"
        leftSection={<Search size={16} />}
        value={filter}
        onChange={(event) => setFilter(event.currentTarget.value)}
        maw={400}
      />
      <Radio.Group aria-label="Example" value={chosen} onChange={onChoose}>
        <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="xs" className="examples">
          {shown.map(({ name, category, summary }) => (
            <Radio.Card key={name} value={name} p="xs" aria-label={name}>
              <Group justify="space-between" wrap="nowrap">
                <Text fw={600} size="sm" truncate>
                  {name}
                </Text>
                <Badge variant="light" color="gray" size="sm">
                  {category}
                </Badge>
              </Group>
              <Text size="xs" lineClamp={2}>
                {summary}
              </Text>
            </Radio.Card>
          ))}
        </SimpleGrid>
      </Radio.Group>
      {items.length > 0 && shown.length === 0 && (
        <Text size="sm">
          No example has these words. Learn from a log of your own, or start from empty: above.
        </Text>
      )}
      {chosen !== null && <ExampleEvent key={chosen} name={chosen} />}
    </Stack>
  );
};
