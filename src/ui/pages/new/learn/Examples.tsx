import { Code, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import type { LearnedExample } from '../../../../learn/report.js';
import { counted } from '../../../parts/numbers.js';

const Lines = ({ label, lines }: { readonly label: string; readonly lines: readonly string[] }) => (
  <div>
    <Text size="sm" mb={4}>
      {label}
    </Text>
    <Code block tabIndex={0} className="event" aria-label={label}>
      {lines.length === 0 ? 'None in the first events: it is rare.' : lines.join('\n')}
    </Code>
  </div>
);

/** Records of each template beside events that were generated from it. */
export const Examples = ({ examples }: { readonly examples: readonly LearnedExample[] }) => (
  <Stack gap="md">
    {examples.map(({ template, count, records, events }) => (
      <div key={template}>
        <Title order={3} size="h6" mb={4} className="wrapped">
          {template} ({counted(count, 'record')})
        </Title>
        <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="sm">
          <Lines label="In the log" lines={records} />
          <Lines label="Generated" lines={events} />
        </SimpleGrid>
      </div>
    ))}
  </Stack>
);
