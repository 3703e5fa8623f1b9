import {
  Alert,
  Button,
  Code,
  Group,
  List,
  ScrollArea,
  Select,
  SimpleGrid,
  Stack,
  Table,
  Text,
  Title,
} from '@mantine/core';
import { TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { kindText } from '../../../../analysis/learn/emit/words.js';
import type { LearnedExample, LearnedLog } from '../../../../analysis/learn/report.js';
import { counted, shownCount } from '../../../parts/numbers.js';
import { CreateButtons, CreateError, type Creation, importLearned, useCreate } from '../creating.js';
import { useTaken } from '../fields.js';
import { nameFlaw } from '../names.js';
import {
  factsOf,
  type LearnAnswer,
  type LearnedFile,
  percent,
  shownFilesOf,
  shownText,
  sortedFields,
  warningsOf,
} from './learned.js';

interface LookProps extends LearnAnswer {
  readonly name: string;
  readonly onBack: () => void;
}

const CONFIG_FILE = 'generator.yml';

const Facts = ({ learned }: Pick<LookProps, 'learned'>) => (
  <Table aria-label="What was found" withRowBorders={false} layout="fixed" className="facts">
    <Table.Tbody>
      {factsOf(learned).map(([head, text]) => (
        <Table.Tr key={head}>
          <Table.Th scope="row">{head}</Table.Th>
          <Table.Td className="wrapped">{text}</Table.Td>
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
);

const Warnings = ({ learned, isPart }: LearnAnswer) => {
  const warnings = warningsOf(learned, isPart);
  if (warnings.length === 0) return null;
  return (
    <Alert color="orange" icon={<TriangleAlert size={18} />} title="Before you create it">
      <List size="sm">
        {warnings.map((warning) => (
          <List.Item key={warning} className="wrapped">
            {warning}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
};

const Section = ({ title, children }: { readonly title: string; readonly children: React.ReactNode }) => (
  <section>
    <Title order={2} size="h4" mb="xs">
      {title}
    </Title>
    {children}
  </section>
);

/** What was learned; creates the generator. */
export const LogLook = ({ learned, isPart, name, onBack }: LookProps) => {
  const taken = useTaken();
  const creating = useCreate(({ name: wanted, goal }: Creation) => importLearned(wanted, learned, goal));
  // Created, the name is taken by the generator itself.
  const obstacle = creating.isIdle ? nameFlaw(name, taken) : null;
  return (
    <Stack>
      <Group justify="space-between">
        <Text fw={600} className="wrapped">
          {name}
        </Text>
        <Button variant="default" size="compact-sm" onClick={onBack} disabled={creating.isPending}>
          Change the options
        </Button>
      </Group>
      <Section title="What was found">
        <Facts learned={learned} />
      </Section>
      <Warnings learned={learned} isPart={isPart} />
      <Section title="The log beside generated events">
        <Examples examples={learned.examples} />
      </Section>
      <Section title="Fields">
        <Fields learned={learned} />
      </Section>
      <Section title="Files">
        <Files files={shownFilesOf(learned, CONFIG_FILE)} />
      </Section>
      <CreateError error={creating.error} />
      <CreateButtons
        onCreate={(goal) => {
          if (obstacle === null) creating.mutate({ name, goal });
        }}
        pending={creating.isPending ? creating.variables.goal : null}
        isOpenFirst
        error={creating.error}
        obstacle={obstacle}
      />
    </Stack>
  );
};

/** The files that would be written, one of them shown. */
const Files = ({ files }: { readonly files: readonly LearnedFile[] }) => {
  const [path, setPath] = useState(files[0]?.path ?? null);
  const shown = files.find((file) => file.path === path);
  return (
    <Stack gap="xs">
      <Select
        label={`Show one of ${files.length} files`}
        data={files.map((file) => file.path)}
        value={path}
        onChange={setPath}
        allowDeselect={false}
        searchable
        nothingFoundMessage="No such file"
      />
      {shown !== undefined && (
        <Code block tabIndex={0} className="event" aria-label={`Content of ${shown.path}`}>
          {shownText(shown.text)}
        </Code>
      )}
    </Stack>
  );
};

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
const Examples = ({ examples }: { readonly examples: readonly LearnedExample[] }) => (
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

/** The fields of the log, the greatest difference first. */
const Fields = ({ learned }: { readonly learned: LearnedLog }) => (
  <ScrollArea.Autosize mah={420} type="auto" viewportProps={{ tabIndex: 0, 'aria-label': 'Fields' }}>
    <Table aria-label="Fields" stickyHeader miw={640}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">Field</Table.Th>
          <Table.Th scope="col">Kind</Table.Th>
          <Table.Th scope="col" ta="end">
            Records
          </Table.Th>
          <Table.Th scope="col" ta="end">
            Distinct
          </Table.Th>
          <Table.Th scope="col" ta="end">
            Generated
          </Table.Th>
          <Table.Th scope="col" ta="end">
            Difference
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {sortedFields(learned).map(({ name, kind, share, distinct, difference }) => (
          <Table.Tr key={name}>
            <Table.Th scope="row" className="wrapped" miw={160}>
              {name}
            </Table.Th>
            <Table.Td>{kindText(kind)}</Table.Td>
            <Table.Td ta="end">{percent(share)}</Table.Td>
            <Table.Td ta="end">{shownCount(distinct.log)}</Table.Td>
            <Table.Td ta="end">{shownCount(distinct.generated)}</Table.Td>
            <Table.Td ta="end">{difference === null ? '' : percent(difference)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </ScrollArea.Autosize>
);
